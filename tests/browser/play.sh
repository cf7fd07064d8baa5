#!/bin/sh
# People who play against bots on the site of a daemon, in a real browser.

. "$(dirname "$0")/viewer.sh"
