"""States, rules and seats: libreferee through ctypes."""
from __future__ import annotations

import ctypes
import glob
import os
from array import array
from ctypes import (POINTER, byref, c_char_p, c_double, c_int, c_int32, c_long,
                    c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p)
from pathlib import Path
from typing import Iterator, NamedTuple, Optional, Sequence

PUBLIC, ALL = 0, -1  # viewers besides the seats
MOVE_CODE = 8
SEATS = 6


class Error(Exception):
    """What the library refused, in one sentence."""


class _Why(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 400)]


_SIGNATURES = {
    "referee_games": (c_int, []),
    "referee_game_name": (c_char_p, [c_int]),
    "referee_game_title": (c_char_p, [c_char_p]),
    "referee_game_about": (c_char_p, [c_char_p]),
    "referee_game_events": (c_char_p, [c_char_p]),
    "referee_game_seats": (c_int, [c_char_p, POINTER(c_int), POINTER(c_int)]),
    "referee_game_traits": (c_int, [c_char_p]),
    "referee_rules_new": (c_void_p, [c_char_p, c_int, c_char_p, c_void_p]),
    "referee_rules_told": (c_void_p, [c_char_p, POINTER(c_int), c_void_p]),
    "referee_rules_free": (None, [c_void_p]),
    "referee_rules_game": (c_char_p, [c_void_p]),
    "referee_rules_seats": (c_int, [c_void_p]),
    "referee_rules_max_moves": (c_int, [c_void_p]),
    "referee_rng_new": (c_void_p, [c_char_p]),
    "referee_rng_free": (None, [c_void_p]),
    "referee_rng_below": (c_uint32, [c_void_p, c_uint32]),
    "referee_new": (c_void_p, [c_void_p, c_char_p]),
    "referee_new_dealt": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "referee_clone": (c_void_p, [c_void_p]),
    "referee_copy": (None, [c_void_p, c_void_p]),
    "referee_free": (None, [c_void_p]),
    "referee_to_move": (c_uint, [c_void_p]),
    "referee_turn": (c_int, [c_void_p]),
    "referee_hash": (c_uint64, [c_void_p]),
    "referee_same": (c_int, [c_void_p, c_void_p]),
    "referee_moves": (c_int, [c_void_p, c_int]),
    "referee_move_text": (c_size_t,
                          [c_void_p, c_int, c_int, c_void_p, c_size_t]),
    "referee_move_texts": (c_size_t, [c_void_p, c_int, c_void_p, c_size_t]),
    "referee_find": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "referee_apply": (c_int, [c_void_p, c_int, c_int]),
    "referee_play": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "referee_leave": (c_int, [c_void_p, c_uint]),
    "referee_mute": (None, [c_void_p, c_int]),
    "referee_events": (c_size_t, [c_void_p, c_int, c_void_p, c_size_t]),
    "referee_view": (c_size_t, [c_void_p, c_int, c_void_p, c_size_t]),
    "referee_show": (c_size_t, [c_void_p, c_int, c_void_p, c_size_t]),
    "referee_deal": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "referee_result": (c_char_p, [c_void_p, POINTER(c_int), POINTER(c_int)]),
    "referee_values": (c_int, [c_void_p, POINTER(c_double)]),
    "referee_redeal": (None, [c_void_p, c_int, c_void_p]),
    "referee_playout": (c_int, [c_void_p, c_void_p]),
    "referee_rollout": (c_int, [c_void_p, c_void_p]),
    "referee_hint": (c_int, [c_void_p, c_int, c_void_p]),
    "referee_observation_size": (c_int, [c_void_p]),
    "referee_observe": (None, [c_void_p, c_int, c_void_p]),
    "referee_move_code": (c_int, [c_void_p, c_int, c_int, c_void_p]),
    "referee_from_view": (c_void_p, [c_void_p, c_int, c_char_p, c_void_p,
                                     c_void_p]),
    "referee_seat_new": (c_void_p, [c_void_p, c_int, c_char_p, c_void_p]),
    "referee_seat_free": (None, [c_void_p]),
    "referee_seat_again": (None, [c_void_p]),
    "referee_seat_told": (c_int, [c_void_p, c_char_p, c_void_p]),
    "referee_seat_world": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "referee_batch_step": (c_long, [c_void_p, c_int, c_void_p, c_char_p,
                                    c_int]),
    "referee_batch_masks": (None, [c_void_p, c_int, c_void_p, c_int, c_void_p,
                                   c_int]),
    "referee_batch_playouts": (c_long, [c_void_p, c_int, c_int, c_char_p,
                                        c_int, POINTER(c_double)]),
}


def _places() -> Iterator[str]:
    """Where the library may be: as told, in a build of this tree, installed."""
    if "REFEREE_LIBRARY" in os.environ:
        yield os.environ["REFEREE_LIBRARY"]
        return
    here = Path(__file__).resolve()
    if len(here.parents) > 3:
        root = glob.escape(str(here.parents[3]))
        yield from sorted(glob.glob(f"{root}/referee/libreferee.so.0"))
        yield from sorted(glob.glob(f"{root}/*/referee/libreferee.so.0"))
    yield "libreferee.so.0"
    yield "/usr/local/lib/libreferee.so.0"


def _load() -> ctypes.CDLL:
    tried = []
    for place in _places():
        try:
            lib = ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
            continue
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
        return lib
    raise ImportError("libreferee was not found: build or install it, or set "
                      f"REFEREE_LIBRARY to its path ({'; '.join(tried)})")


_lib = _load()


def _text(function, *arguments) -> str:
    """Call a function that writes like snprintf()."""
    size = 8192
    while True:
        room = ctypes.create_string_buffer(size)
        length = function(*arguments, room, size)
        if length < size:
            return room.value.decode()
        size = length + 1


def _refuse(why: _Why):
    raise Error(why.text.decode())


class Game(NamedTuple):
    """A game of the library."""
    name: str
    title: str
    about: str
    min_seats: int
    max_seats: int
    hidden: bool
    chance: bool
    simultaneous: bool
    events: list


def games() -> "list[Game]":
    """All games.

    >>> "rondo" in [game.name for game in games()]
    True
    """
    found = []
    for i in range(_lib.referee_games()):
        name, low, high = _lib.referee_game_name(i), c_int(), c_int()
        _lib.referee_game_seats(name, byref(low), byref(high))
        traits = _lib.referee_game_traits(name)
        found.append(Game(name.decode(), _lib.referee_game_title(name).decode(),
                          _lib.referee_game_about(name).decode(), low.value,
                          high.value, bool(traits & 1), bool(traits & 2),
                          bool(traits & 4),
                          _lib.referee_game_events(name).decode().split("|")))
    return found


class Rng:
    """A generator; the same seed gives the same numbers for ever."""

    def __init__(self, seed: str):
        self._handle = _lib.referee_rng_new(str(seed).encode())

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.referee_rng_free(self._handle)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return _lib.referee_rng_below(self._handle, n)


class Rules:
    """A game with its options and number of seats.

    >>> Rules("rondo", 2, board="red").max_moves
    118
    """

    def __init__(self, game: str, seats: int = 2, **options: str):
        words = " ".join(f"{key}={value}" for key, value in options.items())
        why = _Why()
        self._set(_lib.referee_rules_new(game.encode(), seats, words.encode(),
                                         byref(why)), why)

    def _set(self, handle, why):
        self._handle = handle
        if not handle:
            _refuse(why)
        self.game = _lib.referee_rules_game(handle).decode()
        self.seats = _lib.referee_rules_seats(handle)
        self.max_moves = _lib.referee_rules_max_moves(handle)

    @classmethod
    def told(cls, new_game: str) -> "tuple[Rules, int]":
        """Rules and seat from the arguments of the command new_game."""
        rules, seat, why = cls.__new__(cls), c_int(), _Why()
        rules._set(_lib.referee_rules_told(new_game.encode(), byref(seat),
                                           byref(why)), why)
        return rules, seat.value

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.referee_rules_free(self._handle)

    @property
    def observation_size(self) -> int:
        """How many numbers State.observe() gives."""
        return _lib.referee_observation_size(self._handle)

    def deal(self, seed: str = "") -> "State":
        """A new game, dealt from a seed: 64 hex digits, or any text."""
        return State(self, _lib.referee_new(self._handle, str(seed).encode()))

    def start(self, deal: Optional[str]) -> "State":
        """A new game from a deal line; None if the game has no chance."""
        why = _Why()
        handle = _lib.referee_new_dealt(
            self._handle, None if deal is None else deal.encode(), byref(why))
        if not handle:
            _refuse(why)
        return State(self, handle)


class Result(NamedTuple):
    """How a game ended: ranks and scores by seat (from index 0)."""
    ranks: list
    scores: list
    reason: str


class State:
    """One position, complete with everything hidden in it.

    >>> state = Rules("axiom").deal()
    >>> state.turn, len(state.moves()) > 10
    (1, True)
    """

    def __init__(self, rules: Rules, handle: int):
        self.rules, self._handle = rules, handle

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.referee_free(self._handle)

    @classmethod
    def from_view(cls, rules: Rules, viewer: int, view: str,
                  rng: Rng) -> "State":
        """A random state in which somebody is to move and that looks to a
        viewer like this line of State.view(), or of the command state: a
        search can begin where a game stands. `redeal(viewer, rng)` makes more
        of them. Nothing but the line goes in, so nothing hidden comes out.

        >>> rules, rng = Rules("rondo"), Rng("r")
        >>> view = rules.deal("any").view(1)
        >>> State.from_view(rules, 1, view, rng).view(1) == view
        True
        """
        why = _Why()
        handle = _lib.referee_from_view(rules._handle, viewer, view.encode(),
                                        rng._handle, byref(why))
        if not handle:
            _refuse(why)
        return cls(rules, handle)

    def clone(self) -> "State":
        return State(self.rules, _lib.referee_clone(self._handle))

    __copy__ = clone

    def __deepcopy__(self, memo):
        return self.clone()

    def copy_from(self, other: "State") -> None:
        """Become like another state of the same rules, without allocating."""
        if other.rules is not self.rules:
            raise Error("the other state has other rules")
        _lib.referee_copy(self._handle, other._handle)

    def __eq__(self, other) -> bool:
        return (isinstance(other, State) and self.rules is other.rules
                and bool(_lib.referee_same(self._handle, other._handle)))

    def __hash__(self) -> int:
        return _lib.referee_hash(self._handle)

    @property
    def over(self) -> bool:
        return not _lib.referee_to_move(self._handle)

    @property
    def turn(self) -> int:
        """The first seat that owes a move; 0: the game is over."""
        return _lib.referee_turn(self._handle)

    @property
    def to_move(self) -> "list[int]":
        """All seats that owe a move, several in a simultaneous step."""
        seats = _lib.referee_to_move(self._handle)
        return [i + 1 for i in range(SEATS) if seats >> i & 1]

    def count(self, seat: int) -> int:
        """How many legal moves a seat has; they are 0 to count - 1."""
        return _lib.referee_moves(self._handle, seat)

    def moves(self, seat: int = 0) -> "list[str]":
        """The legal moves as texts; index i is move number i."""
        return _text(_lib.referee_move_texts, self._handle,
                     seat or self.turn).split()

    def move_text(self, seat: int, move: int) -> str:
        return _text(_lib.referee_move_text, self._handle, seat, move)

    def find(self, seat: int, text: str) -> int:
        """The number of a move in any spelling."""
        why = _Why()
        move = _lib.referee_find(self._handle, seat, text.encode(), byref(why))
        if move < 0:
            _refuse(why)
        return move

    def apply(self, seat: int, move: int) -> None:
        """Play a move by its number."""
        if not _lib.referee_apply(self._handle, seat, move):
            raise Error(f"seat {seat} has no move {move}")

    def play(self, seat: int, text: str) -> None:
        """Play a move by its text."""
        why = _Why()
        if not _lib.referee_play(self._handle, seat, text.encode(), byref(why)):
            _refuse(why)

    def leave(self, *seats: int) -> None:
        """Seats resign, all at once."""
        if not _lib.referee_leave(self._handle,
                                  sum(1 << seat - 1 for seat in seats)):
            raise Error(f"cannot leave: {seats}")

    def mute(self, on: bool = True) -> None:
        """Collect no events, which is faster."""
        _lib.referee_mute(self._handle, on)

    def events(self, viewer: int = PUBLIC) -> "list[str]":
        """What the last step told a viewer."""
        return _text(_lib.referee_events, self._handle, viewer).splitlines()

    def view(self, viewer: int) -> str:
        return _text(_lib.referee_view, self._handle, viewer)

    def show(self, viewer: int = ALL) -> str:
        """A drawing for people."""
        return _text(_lib.referee_show, self._handle, viewer)

    @property
    def deal(self) -> str:
        return _text(_lib.referee_deal, self._handle)

    def result(self) -> Optional[Result]:
        """Ranks and scores, or None while the game is not over."""
        ranks, scores = (c_int * SEATS)(), (c_int * SEATS)()
        reason = _lib.referee_result(self._handle, ranks, scores)
        n = self.rules.seats
        return Result(ranks[:n], scores[:n], reason.decode()) if reason else None

    def values(self) -> "list[float]":
        """By seat: 1 for the best, 0 for the worst, ties share. Alone: the
        score. All 0 while the game is not over."""
        values = (c_double * SEATS)()
        _lib.referee_values(self._handle, values)
        return values[:self.rules.seats]

    def redeal(self, viewer: int, rng: Rng) -> None:
        """Replace what the viewer cannot know by another possible truth."""
        _lib.referee_redeal(self._handle, viewer, rng._handle)

    def playout(self, rng: Rng) -> int:
        """Play to the end with random moves; how many?"""
        return _lib.referee_playout(self._handle, rng._handle)

    def rollout(self, rng: Rng) -> int:
        """The same with moves that the game's rule of thumb takes for good."""
        return _lib.referee_rollout(self._handle, rng._handle)

    def hint(self, seat: int, rng: Rng) -> int:
        """One such move by its number."""
        return _lib.referee_hint(self._handle, seat, rng._handle)

    def observe(self, viewer: int) -> "array[int]":
        """What a viewer sees as numbers, always `rules.observation_size` of
        them: see observations.md. With numpy, `numpy.asarray(...)` copies
        nothing."""
        out = array("i", bytes(4 * self.rules.observation_size))
        _lib.referee_observe(self._handle, viewer, out.buffer_info()[0])
        return out

    def move_code(self, seat: int, move: int) -> "array[int]":
        """A legal move as eight numbers."""
        out = array("i", bytes(4 * MOVE_CODE))
        if not _lib.referee_move_code(self._handle, seat, move,
                                      out.buffer_info()[0]):
            raise Error(f"seat {seat} has no move {move}")
        return out

    def playouts(self, viewer: int, n: int, seed: str = "",
                 threads: int = 1) -> "list[float]":
        """The mean values of n random games, each from another world that the
        viewer cannot tell from this one."""
        values = (c_double * SEATS)()
        _lib.referee_batch_playouts(self._handle, viewer, n,
                                    str(seed).encode(), threads, values)
        return [value / n for value in values[:self.rules.seats]]


def step_all(states: Sequence[State], moves: Optional[Sequence[int]] = None,
             seed: str = "", threads: int = 1) -> int:
    """One move of the first seat to move in each state: moves[i], or a random
    one if it is negative or there are no moves. How many were played?"""
    handles = (c_void_p * len(states))(*[s._handle for s in states])
    chosen = None if moves is None else (c_int32 * len(states))(*moves)
    return _lib.referee_batch_step(handles, len(states), chosen,
                                   str(seed).encode(), threads)


class Seat:
    """What one seat was told, and worlds that agree with it (seat 0: a
    spectator). Nothing else goes in, so a search of these worlds cannot depend
    on hidden facts.

    >>> rules = Rules("rondo")
    >>> truth, seat = rules.deal("a"), Seat(rules, 1)
    >>> seat.told(*truth.events(1))
    >>> seat.world(Rng("b")).view(1) == truth.view(1)
    True
    """

    def __init__(self, rules: Rules, seat: int, seed: str = ""):
        why = _Why()
        self.rules, self.seat = rules, seat
        self._handle = _lib.referee_seat_new(rules._handle, seat,
                                             str(seed).encode(), byref(why))
        if not self._handle:
            _refuse(why)
        self._scratch = rules.deal()

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.referee_seat_free(self._handle)

    def told(self, *events: str) -> None:
        """Hear events, each one line."""
        for event in events:
            why = _Why()
            if not _lib.referee_seat_told(self._handle, event.encode(),
                                          byref(why)):
                _refuse(why)

    def world(self, rng: Rng, into: Optional[State] = None) -> State:
        """A random state that agrees with everything told."""
        state, why = into or self._scratch.clone(), _Why()
        if not _lib.referee_seat_world(self._handle, state._handle,
                                       rng._handle, byref(why)):
            _refuse(why)
        return state
