"""A starter kit for bots of the referee: one file, standard library only.

    from referee_bot import Bot, run

    class MyBot(Bot):
        name = "my-bot"

        def choose(self, game):
            return game.moves[0]

    run(MyBot())

The kit talks with the referee and keeps `game` up to date: `game.moves` are the
legal moves, `game.state` is the position as your seat sees it. What `state` is
depends on the game: `Axiom`, `AxioRota`, `Rondo` or `SecondChance` below.

The referee writes `ID COMMAND ARGS` and a line feed, the bot answers `=ID TEXT`
and an empty line, or `?ID TEXT` if it cannot. Everything else is for people and
belongs on stderr; the kit sends what you print() there. KIT.md says more.
"""
import random
import sys
from dataclasses import dataclass, field
from functools import lru_cache


def _pairs(words):
    """Turn ["a=1", "b=2"] into {"a": "1", "b": "2"}."""
    return dict(word.partition("=")[::2] for word in words)


def _list(text):
    """Turn "P1,P2" into ["P1", "P2"] and "-" into []."""
    return [] if text == "-" else text.split(",")


def _numbers(text):
    """Turn "1,3" into [1, 3] and "-" into []."""
    return [int(word) for word in _list(text)]


# --- Axiom -------------------------------------------------------------------
#
# A cell is one number, so that its neighbour is one addition away. A face is a
# letter: East, West, North, South, Up, Down. A recess is a pair (cell, face).

_ROW, _LEVEL, _MIDDLE = 1 << 12, 1 << 24, 1 << 11
STEP = {"E": 1, "W": -1, "N": _ROW, "S": -_ROW, "U": _LEVEL, "D": -_LEVEL}
OPPOSITE = {"E": "W", "W": "E", "N": "S", "S": "N", "U": "D", "D": "U"}
# The four directions along a face, and its four pairs of them (diagonals).
_ALONG = {f: [t for t in "EWNSUD" if t not in (f, OPPOSITE[f])] for f in STEP}
_ACROSS = {f: [(a, b) for a in t[:2] for b in t[2:]] for f, t in _ALONG.items()}


def cell(text):
    """The number of the cell "x,y,z"."""
    x, y, z = map(int, text.split(","))
    return x + _MIDDLE + (y + _MIDDLE) * _ROW + z * _LEVEL


def _cell_and_faces(text):
    """Turn "0,1,2DE" into (cell, "DE")."""
    faces = text.lstrip("-,0123456789")
    return cell(text[: len(text) - len(faces)]), faces


@dataclass(frozen=True)
class AxiomMove:
    """A cube or sceptre ("C" or "S") goes from `start` to `end`. `faces` are a
    cube's new domes or a sceptre's new face, `face` is a sceptre's old one."""
    piece: str
    start: int
    face: str
    end: int
    faces: str

    @classmethod
    def parse(cls, text):
        start, end = text[1:].split("/")
        return cls(text[0], *_cell_and_faces(start), *_cell_and_faces(end))


@dataclass
class Axiom:
    """The cubes {cell: (side, domes)}, the sceptres [(side, cell, face)], the
    side to move. Sides are "b" and "w"."""
    cubes: dict
    sceptres: list
    side: str
    ply: int = 0
    repeats: int = 1

    @classmethod
    def parse(cls, view, seat=0):
        cubes, sceptres, side = view["position"].split("|")
        cubes = [(c[0], *_cell_and_faces(c[1:])) for c in cubes.split(";")]
        sceptres = [(s[0], *_cell_and_faces(s[1:])) for s in
                    sceptres.split(";")]
        return cls({at: (colour, domes) for colour, at, domes in cubes},
                   sceptres, side, int(view["ply"]), int(view["repeats"]))

    def _walk(self, at, up, ahead):
        """The next recess of a straight line, and the direction there."""
        wall = at + STEP[up] + STEP[ahead]
        if wall in self.cubes:
            return wall, OPPOSITE[ahead], up
        if at + STEP[ahead] in self.cubes:
            return at + STEP[ahead], up, ahead
        if ahead == "D" and at < 2 * _LEVEL:
            return None  # the table
        return at, ahead, OPPOSITE[up]

    def _leap(self, at, up, pair):
        """The next recess of a diagonal, which never leaves its plane."""
        a, b = at + STEP[pair[0]], at + STEP[pair[1]]
        end = b + STEP[pair[0]]
        if end not in self.cubes or end + STEP[up] in self.cubes:
            return None
        if a + STEP[up] in self.cubes and b + STEP[up] in self.cubes:
            return None  # a closed corner
        return end, up, pair

    def targets(self, sceptre):
        """All recesses in which one of the sceptres may stop."""
        _, home, face = sceptre
        taken = {(c, f) for s, c, f in self.sceptres if (c, f) != (home, face)}
        bodies = {c + STEP[f] for c, f in taken}
        lines = [(self._walk, t) for t in _ALONG[face]]
        lines += [(self._leap, pair) for pair in _ACROSS[face]]
        found = set()
        for go, ahead in lines:
            at, up = home, face
            while True:
                there = go(at, up, ahead)
                if there is None:
                    break
                at, up, ahead = there
                if up in self.cubes[at][1] or (at, up) in taken:
                    break  # a dome or a sceptre
                if (at, up) == (home, face):
                    break  # once around
                out = STEP[up]
                if (at + out not in bodies and at + 2 * out not in self.cubes
                        and (at + 3 * out, OPPOSITE[up]) not in taken):
                    found.add((at, up))  # there is room to stop
        return found

    def prospects(self, side):
        """How many recesses the sceptres of `side` could move to now, and how
        many of these moves would win."""
        enemies = {c for s, c, f in self.sceptres if s != side}
        ends = [at for sceptre in self.sceptres if sceptre[0] == side
                for at, up in self.targets(sceptre)]
        return len(ends), sum(at in enemies for at in ends)

    def after(self, move):
        """The position after a legal AxiomMove."""
        cubes, sceptres = dict(self.cubes), list(self.sceptres)
        enemy = "w" if self.side == "b" else "b"
        new = Axiom(cubes, sceptres, enemy, self.ply + 1)
        if move.piece == "C":
            cubes[move.end] = (cubes.pop(move.start)[0], move.faces)
            return new
        sceptres.remove((self.side, move.start, move.face))
        sceptres.append((self.side, move.end, move.faces))
        # Home from an enemy cube: that cube is removed if it is free now.
        if (cubes[move.start][0] == enemy and cubes[move.end][0] == self.side
                and move.start + STEP["U"] not in cubes
                and all(c != move.start for _, c, _ in sceptres)):
            del cubes[move.start]
        return new


# --- Axio Rota ---------------------------------------------------------------

COLOURS = "RGBOP"  # the order of the markers
CORNERS = (0, 1), (1, 1), (1, 0), (0, 0)  # NW NE SE SW, seen from the cell


@dataclass(frozen=True)
class AxioRotaMove:
    """Lay the tile on (x, y), turned clockwise by `turn` quarters. `name` is
    the colour named for the empty corner, or ""."""
    x: int
    y: int
    turn: int
    name: str = ""

    @classmethod
    def parse(cls, text):
        place, _, name = text.partition("=")
        return cls(*map(int, place.split(",")), name)


@dataclass
class AxioRota:
    """`marks[seat - 1]` are five markers in the order of COLOURS, `hand` is the
    tile to lay now, `tiles` are {(x, y): corners clockwise from the NW}."""
    seat: int
    phase: str
    marks: list
    hand: str
    stacks: list
    supply: int
    tiles: dict
    out: list = field(default_factory=list)

    @classmethod
    def parse(cls, view, seat):
        tiles = {}
        for text in view["tiles"].split(";"):
            place, corners = text.split(":")
            tiles[tuple(map(int, place.split(",")))] = corners
        marks = [list(map(int, m.split("/"))) for m in view["mark"].split(",")]
        return cls(int(view["seat"]), view["phase"], marks,
                   view["hand"].split(",")[seat - 1],
                   _numbers(view["stack"]),
                   int(view["supply"]), tiles, _numbers(view["out"]))

    def circles(self):
        """{point: the letters of all corners that lie there}."""
        circles = {}
        for (x, y), corners in self.tiles.items():
            for (dx, dy), letter in zip(CORNERS, corners):
                point = x + dx, y + dy
                circles[point] = circles.get(point, "") + letter
        return circles

    @staticmethod
    def gains(circles, tile, move):
        """The points per colour, in the order of COLOURS, for laying a tile."""
        gains = [0] * 5
        turned = tile[-move.turn:] + tile[:-move.turn]
        for (dx, dy), letter in zip(CORNERS, turned):
            letter = move.name if letter == "." else letter
            if letter:
                here = circles.get((move.x + dx, move.y + dy), "")
                gains[COLOURS.index(letter)] += here.count(letter)
        return gains


# --- Rondo -------------------------------------------------------------------

_BOARDS = {  # the circles a to e, each clockwise from the north; * is grey
    "blue": """R2 P2 B2 Y2
        P1 B4 R3* P1 G3 B1 Y3 P3* B2 G3 Y1 R3 B3* Y1 G4 R1 P2 Y3* R2 G3
        Y1 Y4 R1 R2 P2 P2 B4 B1
        G5 R2 G4 P4 G4 B1 G1 Y2
        B4* Y2 R1 P3 G1 Y5* R1 B3 P3 G2 Y4* R3 P1 B3 G1 R5* P1 Y3 B2 G3
        R4* P3 B2 Y4 G1 P5* B1 R4 Y3 G2 P4* B3 Y2 R4 G2 B5* Y1 P4 R3 G2""",
    "red": """R3 Y3 B3 P3
        B2 P3 Y4* B1 G5 P2 R3 B4* P2 G4 R2 Y2 P4* R2 G4 Y2 B3 R4* Y1 G5
        R4 R2 Y3 Y3 B4 B2 P2 P1
        G3 P3 G4 R1 G3 Y4 G4 B4
        P5* R1 B3 Y4 P1 R5* G2 Y4 B2 G3 R5* Y1 P3 B4 R2 Y5* G2 B3 P4 G2
        Y5* B1 R3 P4 Y2 B5* G2 P4 R3 G1 B5* P2 Y3 R4 B2 P5* G1 R4 Y2 G3""",
}


@dataclass
class RondoBoard:
    """Per field its colour, its value and its neighbours; the grey fields. The
    centre counts as occupied from the start."""
    centre: str = "m"
    colour: dict = field(default_factory=dict)
    value: dict = field(default_factory=dict)
    grey: set = field(default_factory=set)
    near: dict = field(default_factory=dict)

    def add(self, name, colour, value, grey=False):
        self.colour[name], self.value[name] = colour, int(value)
        if grey:
            self.grey.add(name)

    def link(self, a, b):
        self.near.setdefault(a, []).append(b)
        self.near.setdefault(b, []).append(a)

    @classmethod
    @lru_cache(maxsize=None)
    def load(cls, text="blue"):
        """The board of the option `board`: a name, or a board on one line."""
        board = cls()
        if text in _BOARDS:
            board._build(_BOARDS[text].split())
            return board
        for word, *args in (line.split(",") for line in text.split(";")):
            if word == "centre":
                board.centre = args[0]
            elif word == "field":
                board.add(*args)
            elif word == "link":
                board.link(*args)
        return board

    def _build(self, fields):
        names = [c + str(i + 1) for c, n in zip("abcde", (4, 20, 8, 8, 40))
                 for i in range(n)]
        for name, text in zip(names, fields):
            self.add(name, text[0], text[1], text.endswith("*"))
        for i in range(4):
            self.link("m", f"a{i + 1}")
            self.link(f"a{i + 1}", f"b{5 * i + 1}")
        for circle, n in ("b", 20), ("e", 40):
            for i in range(n):
                self.link(f"{circle}{i + 1}", f"{circle}{(i + 1) % n + 1}")
        spokes = zip((2, 5, 7, 10, 12, 15, 17, 20),
                     (3, 9, 13, 19, 23, 29, 33, 39))
        for i, (inner, outer) in enumerate(spokes, 1):
            self.link(f"b{inner}", f"c{i}")
            self.link(f"c{i}", f"d{i}")
            self.link(f"d{i}", f"e{outer}")


@dataclass(frozen=True)
class RondoMove:
    """A chain of steps (field, count, colour): `count` open stones, or 0 and
    the colour of the stone that lies face down. `pass` has no steps."""
    steps: tuple = ()

    @classmethod
    def parse(cls, text):
        if text == "pass":
            return cls()
        pairs = (step.split(":") for step in text.split(","))
        return cls(tuple((name, 0, what[1:]) if what[0] == "x"
                         else (name, int(what), "") for name, what in pairs))

    def stones(self):
        return sum(count or 1 for _, count, _ in self.steps)

    def points(self, board):
        return sum(count * board.value[name] for name, count, _ in self.steps)


@dataclass
class Rondo:
    """`rack` are your stones, `racks` how many everybody has; `stones` are
    {field: text} with the texts of moves, "x" for another's face-down stone.
    `end` is "-" until the last round has begun."""
    board: str
    seat: int
    end: str
    scores: list
    rack: str
    racks: list
    stones: dict
    bag: int
    out: list = field(default_factory=list)

    @classmethod
    def parse(cls, view, seat):
        racks = ["" if r == "-" else r for r in view["rack"].split(",")]
        sizes = [int(r) if r.isdigit() else len(r) for r in racks]
        stones = dict(s.split(":") for s in _list(view["stones"]))
        return cls(view["board"], int(view["seat"]), view["end"],
                   _numbers(view["score"]), racks[seat - 1],
                   sizes, stones, int(view["bag"]), _numbers(view["out"]))


# --- Second Chance -----------------------------------------------------------
#
# A set of squares is one number. Square a1 is bit 0, b1 bit 1, a2 bit 10: each
# row has a tenth square that is never free, so nothing shifts into a wrong row.

WIDTH = 10


@lru_cache(maxsize=None)
def turned(rows, turn=0):
    """The squares of a piece such as "xxx/x..", its box in the corner a1.
    `turn` is 4 * mirrored + clockwise quarter turns."""
    lines = rows.split("/")
    if turn >= 4:
        lines = [line[::-1] for line in lines]
    for _ in range(turn % 4):
        lines = ["".join(column) for column in zip(*lines[::-1])]
    return sum(1 << r * WIDTH + c for r, line in enumerate(lines)
               for c, letter in enumerate(line) if letter == "x")


@lru_cache(maxsize=None)
def _shapes(rows):
    """Each different orientation as the list of its bits."""
    masks = {turned(rows, turn) for turn in range(8)}
    return [[i for i in range(90) if mask >> i & 1] for mask in masks]


def fits(rows, free):
    """Can the piece be put on free squares, in any orientation?"""
    for bits in _shapes(rows):
        corners = free
        for bit in bits:
            corners &= free >> bit
        if corners:
            return True
    return False


def count(squares):
    """How many squares are in a set."""
    return bin(squares).count("1")


def regions(free):
    """The connected parts of a set of squares, each as a set."""
    while free:
        part, grown = 0, free & -free
        while grown != part:
            part = grown
            around = part << 1 | part >> 1 | part << WIDTH | part >> WIDTH
            grown |= around & free
        free &= ~part
        yield part


@dataclass(frozen=True)
class SecondChanceMove:
    """Draw the piece of `card` with its box at bit `corner`."""
    card: str
    corner: int
    turn: int

    @classmethod
    def parse(cls, text):
        card, corner, turn = text.split(":")
        column, row = "abcdefghi".index(corner[0]), int(corner[1]) - 1
        return cls(card, row * WIDTH + column, int(turn))

    def squares(self, pieces):
        """The set of squares that it fills."""
        return turned(pieces[self.card], self.turn) << self.corner


@dataclass
class SecondChance:
    """`free[seat - 1]` are the free squares of a grid. `a`, `b` are the two
    cards of the round, `cards` the start or second card of each seat."""
    phase: str
    round: int
    left: int
    a: str
    b: str
    cards: list
    status: list
    free: list
    shown: list
    mine: int

    @classmethod
    def parse(cls, view, seat):
        free = [sum(1 << r * WIDTH + c for r, line in enumerate(grid.split("/"))
                    for c, letter in enumerate(line) if letter == ".")
                for grid in view["grids"].split(",")]
        return cls(view["phase"], int(view["round"]), int(view["left"]),
                   view["a"], view["b"], view["cards"].split(","),
                   view["status"].split(","), free, _list(view["shown"]),
                   free[seat - 1])


# --- The game, the bot and the protocol --------------------------------------

STATES = {"axiom": Axiom, "axio-rota": AxioRota, "rondo": Rondo,
          "second-chance": SecondChance}
EVENTS = ("play leave remove lay hand marks bonus draw score last_round piece "
          "start round second out one part").split()


@dataclass
class Game:
    """All that a bot knows of the game it plays."""
    name: str = ""  # "rondo"
    seat: int = 1  # yours, counted from 1
    seats: int = 1
    names: list = field(default_factory=list)  # of the players, by seat
    options: dict = field(default_factory=dict)  # what new_game told
    moves: list = field(default_factory=list)  # the legal ones, as text
    state: object = None  # Axiom, AxioRota, Rondo or SecondChance
    view: dict = field(default_factory=dict)  # the same as plain texts
    clocks: dict = field(default_factory=dict)  # {seat: milliseconds left}
    time_settings: list = field(default_factory=list)  # ["move", "5000"]
    pieces: dict = field(default_factory=dict)  # second-chance: {card: rows}
    events: list = field(default_factory=list)  # all so far, as word lists
    result: dict = field(default_factory=dict)  # of game_over

    @property
    def board(self):
        """The board of a game of rondo."""
        return RondoBoard.load(self.options.get("board", "blue"))

    @property
    def time_left_ms(self):
        """Your time, or None where there is no clock."""
        return self.clocks.get(self.seat)


class Bot:
    """Override `choose`, and what else you like."""

    name = "bot"
    version = "1"
    games = ()  # the games it plays; empty: all
    ignores = ()  # commands that it does not want, such as "legal_moves"

    notes = ()  # lines that wait to be sent

    def note(self, text):
        """Put a line into the record of the game."""
        self.notes = [*self.notes, "# " + " ".join(str(text).split())]

    def start(self, game):
        """A game begins."""

    def hear(self, game, event):
        """Something happened: `event` is such as ["play", "2", "pass"]."""

    def choose(self, game):
        """Return a move, or "resign"."""
        return random.choice(game.moves)

    def finish(self, game):
        """The game is over; `game.result` has the ranks and scores."""


class Refused(Exception):
    """The answer is `?` and this text."""


class _Session:
    """One method per command; it returns the answer."""

    def __init__(self, bot):
        self.bot, self.game = bot, Game()
        self.fixed = {"protocol_version": "2", "name": bot.name,
                      "version": bot.version, "quit": ""}

    def answer(self, command, args):
        if command in self.fixed:
            return self.fixed[command]
        if command in EVENTS:
            return self.event([command, *args])
        method = getattr(self, "on_" + command, None)
        if not method:
            raise Refused("unknown command")
        return method(*args) or ""

    def event(self, words):
        self.game.events.append(words)
        if words[0] == "piece":
            self.game.pieces[words[1]] = words[2]
        self.bot.hear(self.game, words)
        return ""

    def on_list_commands(self):
        own = [name[3:] for name in dir(self) if name.startswith("on_")]
        known = [*self.fixed, *own, *EVENTS]
        return "\n".join(c for c in known if c not in self.bot.ignores)

    def on_new_game(self, name, *words):
        if self.bot.games and name not in self.bot.games:
            raise Refused(f"plays only {' '.join(self.bot.games)}")
        told = _pairs(words)
        self.game = Game(name, int(told["seat"]), int(told["seats"]),
                         told["names"].split(","), told)
        self.bot.start(self.game)

    def on_time_settings(self, *words):
        self.game.time_settings = list(words)

    def on_time_left(self, seat, ms, *periods):
        self.game.clocks[int(seat)] = int(ms)

    def on_state(self, *words):
        game = self.game
        game.view = _pairs(words)
        if game.name in STATES:
            game.state = STATES[game.name].parse(game.view, game.seat)

    def on_legal_moves(self, *moves):
        self.game.moves = list(moves)

    def on_rejected(self, move, *reason):
        print(f"{move} was rejected: {' '.join(reason)}")
        self.game.moves = [m for m in self.game.moves if m != move]

    def on_genmove(self, *seat):
        return str(self.bot.choose(self.game))

    def on_game_over(self, *words):
        self.game.result = _pairs(words)
        self.bot.finish(self.game)


def run(bot):
    """Play until the referee says quit or hangs up."""
    out, sys.stdout = sys.stdout, sys.stderr  # print() must not reach it
    session = _Session(bot)
    for line in sys.stdin:
        words = line.split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        mark = "="
        try:
            text = session.answer(words[0], words[1:])
        except Refused as refused:  # anything else ends the bot, loudly
            mark, text = "?", str(refused)
        while bot.notes:
            print(bot.notes.pop(0), file=out)
        # An answer ends with an empty line. Without flush it would stay here.
        print(f"{mark}{number} {text}".rstrip() + "\n", file=out, flush=True)
        if words[0] == "quit":
            break
