"""Records as steps, and as training data from one seat's view only."""
from __future__ import annotations

import json
from typing import Iterable, Iterator, NamedTuple, TextIO

from .core import Error, Rules, State


class Step(NamedTuple):
    """Before a move: the state, who moves, and what it will play."""
    state: State
    seat: int
    move: str


def replay(lines: Iterable[str]) -> Iterator[Step]:
    """The moves of one record, each with the state before it. The state is
    used further: clone it to keep it. Play it to the end and `state.result()`
    is the result."""
    game, seats, options, deal, state = "", 2, {}, None, None
    gone: list = []
    for line in lines:
        audience, _, rest = line.strip().partition(" ")
        if not audience.startswith("@"):
            rest = line.strip()
        elif audience == "@-":
            continue
        word, _, rest = rest.partition(" ")
        if word == "game":
            game = rest
        elif word == "set":
            key, _, value = rest.partition("=")
            options[key] = value
        elif word == "seats":
            seats = int(rest)
        elif word == "deal":
            deal = rest
        elif word == "leave":
            gone.append(int(rest.split()[0]))
        elif word in ("play", "result", "hash"):
            if state is None:
                state = Rules(game, seats, **options).start(deal)
            if gone:
                state.leave(*gone)
                gone = []
            if word != "play":
                return
            seat, move = rest.split()
            # A move that hides something is written twice; one can be read.
            if int(seat) not in state.to_move or not _is_legal(state, seat,
                                                               move):
                continue
            yield Step(state, int(seat), move)
            state.play(int(seat), move)


def _is_legal(state: State, seat: str, move: str) -> bool:
    try:
        return state.find(int(seat), move) >= 0
    except Error:
        return False


def training_data(record: Iterable[str], out: TextIO) -> int:
    """Write one JSON line for each move: what the mover saw, what it could
    play, what it played, and its value at the end. Nothing hidden from the
    mover is written. How many lines?"""
    rows, state = [], None
    for state, seat, move in replay(record):
        moves = state.moves(seat)
        rows.append((seat, {"game": state.rules.game, "seat": seat,
                            "view": state.view(seat), "moves": moves,
                            "played": moves[state.find(seat, move)]}))
    values = state.values() if state and state.over else None
    for seat, row in rows:
        row["value"] = values[seat - 1] if values else None
        out.write(json.dumps(row) + "\n")
    return len(rows)


def training_arrays(record: Iterable[str]) -> dict:
    """The same as numbers, for `numpy.savez(path, **arrays)`; needs numpy. Row
    i is a move: `observations[i]` is what its mover saw, `played[i]` the code
    of what it played, `values[i]` how well it ended, `seats[i]` who it was. The
    codes of all that it could play are `choices[starts[i]:starts[i + 1]]`."""
    import numpy
    seen, played, choices, starts, seats, state = [], [], [], [0], [], None
    for state, seat, move in replay(record):
        seen.append(numpy.asarray(state.observe(seat)))
        choices += [numpy.asarray(state.move_code(seat, i))
                    for i in range(state.count(seat))]
        played.append(choices[starts[-1] + state.find(seat, move)])
        starts.append(len(choices))
        seats.append(seat)
    ended = state.values() if state and state.over else None
    values = [ended[seat - 1] if ended else numpy.nan for seat in seats]
    return {"observations": numpy.array(seen, "int32"),
            "played": numpy.array(played, "int32"),
            "choices": numpy.array(choices, "int32"),
            "starts": numpy.array(starts, "int64"),
            "seats": numpy.array(seats, "int8"),
            "values": numpy.array(values, "float32")}
