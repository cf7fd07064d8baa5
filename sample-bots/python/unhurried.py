"""unhurried.py SECONDS COMMAND...: a bot that takes its time.

Runs another bot, and hands on what is said; but before each move it waits so
long, so that people can follow the game.
"""

import subprocess
import sys
import time


def main():
    pause = float(sys.argv[1])
    bot = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE)
    for line in sys.stdin.buffer:
        if b"genmove" in line.split()[:2]:
            time.sleep(pause)
        bot.stdin.write(line)
        bot.stdin.flush()
        while True:  # an answer ends with an empty line
            answer = bot.stdout.readline()
            sys.stdout.buffer.write(answer)
            if not answer.strip():
                break
        sys.stdout.buffer.flush()
        if not answer:
            break
    bot.stdin.close()
    sys.exit(bot.wait())


if __name__ == "__main__":
    main()
