"""Average the weights of several fine-tuned model folders of one run.

    python -m training.average_models --models DIR DIR --out DIR

Models along one path of training lie close together; their mean errs less than each (Wortsman et al. 2022, "Model
soups").
"""

import argparse
from pathlib import Path

from transformers import AutoModelForSequenceClassification, AutoTokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    models = [AutoModelForSequenceClassification.from_pretrained(folder) for folder in args.models]
    states = [model.state_dict() for model in models]
    mean = {
        name: sum(state[name] for state in states) / len(states) if value.dtype.is_floating_point else value
        for name, value in states[0].items()
    }
    models[0].load_state_dict(mean)
    models[0].save_pretrained(args.out)
    AutoTokenizer.from_pretrained(args.models[0]).save_pretrained(args.out)


if __name__ == "__main__":
    main()
