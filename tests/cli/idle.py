"""A program that says what it was given, and then waits to be ended."""

import json
import sys
import threading

if __name__ == "__main__":
    print(json.dumps({"words": sys.argv[1:], "input": sys.stdin.read()}), flush=True)
    threading.Event().wait()
