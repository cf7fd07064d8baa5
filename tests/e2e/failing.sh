#!/bin/sh
# One call of the referee fails, the n-th of its kind; see failing.py.
exec python3 "${srcdir:-.}/tests/e2e/failing.py" ${FAILING:-}
