"""Runs a program that ends with the process that started it.

``python -m ghost.cli.tether SECONDS MODULE[:FUNCTION] WORDS``

That process holds the other end of standard input. It closes it to ask for the end, and the system closes it when the
process is killed, so that nothing is left behind. The program then has SECONDS to end.
"""

import os
import pkgutil
import runpy
import signal
import sys
import threading
import time


def main(seconds: float, program: str, words: list[str]) -> None:
    """Run the module as ``python -m`` does, or call the function, with these arguments."""
    threading.Thread(target=_watch, args=(os.dup(0), seconds), name="tether", daemon=True).start()
    nothing = os.open(os.devnull, os.O_RDONLY)  # the program must not read what is not meant for it
    os.dup2(nothing, 0)
    os.close(nothing)
    module, _, function = program.partition(":")
    sys.argv[:] = [module, *words]
    if function:
        pkgutil.resolve_name(program)()
    else:
        runpy.run_module(module, run_name="__main__", alter_sys=True)


def _watch(descriptor: int, seconds: float) -> None:
    while os.read(descriptor, 4096):
        pass
    if os.name == "posix":
        os.kill(os.getpid(), signal.SIGTERM)
    else:
        signal.raise_signal(signal.SIGINT)  # there, any other signal ends a process in the middle of what it does
    time.sleep(seconds)
    os._exit(1)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2], sys.argv[3:])
