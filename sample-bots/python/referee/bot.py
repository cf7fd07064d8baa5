"""A bot that speaks the protocol, with the rules at hand."""
from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import Optional

from .core import Error, Rng, Rules, Seat, State, games


@dataclass
class Clock:
    """`left` are milliseconds by seat, `settings` what time_settings said."""
    seat: int = 0
    left: dict = field(default_factory=dict)
    settings: list = field(default_factory=list)

    def budget(self, share: float = 0.05, most: float = 1.0) -> float:
        """Seconds to spend on this move: a share of what is left; nearly all
        of it where the limit is per move."""
        left = self.left.get(self.seat)
        if left is None:
            return most
        per_move = self.settings[:1] == ["move"]
        return min(most, left / 1000 * (0.7 if per_move else share))


class Bot:
    """Override `choose`. An exception ends the bot with its traceback."""

    name = "bot"
    version = "1"
    games: tuple = ()  # the games it plays; empty: all
    rules: Rules
    seat: int
    knows: Seat  # what it was told; knows.world(self.rng) is a possible truth
    rng: Rng

    def __init__(self, seed: Optional[str] = None):
        self.rng = Rng(seed if seed is not None
                       else random.SystemRandom().getrandbits(128))

    def start(self) -> None:
        """A game begins: rules, seat and knows are set."""

    def choose(self, state: State, clock: Clock) -> "int | str":
        """A move for this seat, by number or text. `state` is one world that
        agrees with everything told; what is hidden in it is a guess."""
        return self.rng.below(state.count(self.seat))

    def finish(self, result: dict) -> None:
        """The game is over."""

    def note(self, text: str) -> None:
        """Put a line into the record of the game."""
        _out.append("# " + " ".join(str(text).split()))


_out: list = []
_PLAIN = ("protocol_version list_commands name version new_game time_settings "
          "time_left genmove game_over leave quit").split()


class _Session:
    def __init__(self, bot: Bot):
        self.bot, self.clock = bot, Clock()
        self.events = sorted({word for game in games() for word in game.events})

    def answer(self, word: str, rest: str) -> str:
        if word == "leave" or word in self.events:
            self.bot.knows.told(f"{word} {rest}".rstrip())
            return ""
        method = getattr(self, "on_" + word, None)
        if not method:
            raise _Refused("unknown command")
        return method(rest) or ""

    def on_protocol_version(self, rest):
        return "2"

    def on_list_commands(self, rest):
        return "\n".join([*_PLAIN, *self.events])

    def on_name(self, rest):
        return self.bot.name

    def on_version(self, rest):
        return self.bot.version

    def on_new_game(self, rest):
        bot = self.bot
        if bot.games and rest.split()[0] not in bot.games:
            raise _Refused("plays only " + " ".join(bot.games))
        try:
            bot.rules, bot.seat = Rules.told(rest)
        except Error as error:
            raise _Refused(str(error)) from None
        bot.knows = Seat(bot.rules, bot.seat, str(bot.rng.below(2**32 - 1)))
        self.clock = Clock(bot.seat)
        bot.start()

    def on_time_settings(self, rest):
        self.clock.settings = rest.split()

    def on_time_left(self, rest):
        seat, left = rest.split()[:2]
        self.clock.left[int(seat)] = int(left)

    def on_genmove(self, rest):
        bot = self.bot
        state = bot.knows.world(bot.rng)
        move = bot.choose(state.clone(), self.clock)
        if isinstance(move, str):
            return move
        return state.move_text(bot.seat, move)

    def on_game_over(self, rest):
        self.bot.finish(dict(word.partition("=")[::2]
                             for word in rest.split()))

    def on_quit(self, rest):
        return ""


class _Refused(Exception):
    """The answer is `?` and this text."""


def run(bot: Bot) -> None:
    """Play until the referee says quit or hangs up."""
    out, sys.stdout = sys.stdout, sys.stderr  # print() must not reach it
    session = _Session(bot)
    for line in sys.stdin:
        number, _, rest = line.strip().partition(" ")
        if not number.isdigit():
            number, rest = "", line.strip()
        word, _, rest = rest.partition(" ")
        if not word:
            continue
        mark = "="
        try:
            text = session.answer(word, rest)
        except _Refused as error:
            mark, text = "?", str(error)
        while _out:
            print(_out.pop(0), file=out)
        print(f"{mark}{number} {text}".rstrip() + "\n", file=out, flush=True)
        if word == "quit":
            break
