"""The status of a daemon, for checks.sh.

    status.py REFEREE EXPRESSION [wait]

EXPRESSION is one of Python, of the status `s` that the daemon at the socket
`control` tells. It is printed; with "wait", nothing is, and the exit code says
whether it came true within 600 looks.
"""
import json
import subprocess
import sys
import time

referee, expression = sys.argv[1:3]


def status():
    told = subprocess.run(
        [referee, "status", "--control", "control", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(told)


if len(sys.argv) == 3:
    exec(f"print({expression})", {"s": status()})
    sys.exit(0)
expression = compile(expression, "until_true", "eval")
wrong = None
for look in range(600):
    try:
        if eval(expression, {"s": status()}) is True:
            sys.exit(0)
    except (LookupError, TypeError, ValueError) as error:  # not there yet
        wrong = error
    time.sleep(min(0.1, 0.01 + look / 200))
sys.exit(wrong and str(wrong) or 1)
