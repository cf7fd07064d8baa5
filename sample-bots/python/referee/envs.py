"""Environments in the forms people know, with action masks.

An action is the number of a legal move: its place in the list, whose order
follows from what the seat can see. So the first `count` actions are legal, and
a mask has that many ones. An observation is the view of the agent as bytes,
padded with zeros: two worlds that a seat cannot tell apart give equal
observations. Encode the view (`info["view"]`) as you like for learning.

Observations and masks are numpy arrays if numpy is there, else bytes. The forms
follow PettingZoo's contract; neither it nor gymnasium is needed, and only
`observation_space()` and `action_space()` import gymnasium.
"""
from __future__ import annotations

import ctypes
from typing import Optional

from .core import Rules, State, _lib

VIEW_BYTES = 8192


def _array(data: bytes, kind: str):
    try:
        import numpy
    except ImportError:
        return data
    return numpy.frombuffer(data, kind)


class _Env:
    """What both forms share."""

    render_mode = "ansi"

    def __init__(self, game: str, seats: int = 2, actions: int = 4096,
                 **options: str):
        self.rules = Rules(game, seats, **options)
        self.metadata = {"name": f"{game}_v1", "is_parallelizable": True}
        self.possible_agents = [f"seat_{i + 1}" for i in range(seats)]
        self.agents: "list[str]" = []
        self.max_actions = actions
        self._spaces: dict = {}
        self.state_: Optional[State] = None
        self._games = 0

    @staticmethod
    def seat_of(agent: str) -> int:
        return int(agent.rpartition("_")[2])

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def observation_space(self, agent: str):
        """Needs gymnasium, which is imported only here."""
        from gymnasium import spaces
        return self._spaces.setdefault("observation", spaces.Dict({
            "observation": spaces.Box(0, 255, (VIEW_BYTES,), "uint8"),
            "action_mask": spaces.Box(0, 1, (self.max_actions,), "int8")}))

    def action_space(self, agent: str):
        from gymnasium import spaces
        return self._spaces.setdefault("action",
                                       spaces.Discrete(self.max_actions))

    def _deal(self, seed):
        self._games += 1
        self.state_ = self.rules.deal(f"{seed} {self._games}"
                                      if seed is None else str(seed))
        self.agents = self.possible_agents[:]

    def action_mask(self, agent: str):
        n = min(self.state_.count(self.seat_of(agent)), self.max_actions)
        return _array(b"\1" * n + b"\0" * (self.max_actions - n), "int8")

    def observe(self, agent: str) -> dict:
        view = self.state_.view(self.seat_of(agent)).encode()
        return {"observation": _array(view.ljust(VIEW_BYTES, b"\0"), "uint8"),
                "action_mask": self.action_mask(agent)}

    def _info(self, agent: str) -> dict:
        return {"action_mask": self.action_mask(agent),
                "view": self.state_.view(self.seat_of(agent))}

    def _reward(self, agent: str) -> float:
        """At the end from +1 for the best to -1; alone the score."""
        if not self.state_.over:
            return 0.0
        value = self.state_.values()[self.seat_of(agent) - 1]
        return value if self.rules.seats == 1 else 2 * value - 1

    def render(self) -> str:
        return self.state_.show()

    def close(self) -> None:
        self.state_ = None


class AECEnv(_Env):
    """One agent acts at a time, as in PettingZoo's AEC form.

    >>> env = AECEnv("rondo")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, over, cut, info = env.last()
    ...     env.step(None if over else 0)
    >>> env.agents
    []
    """

    def reset(self, seed=None, options=None) -> None:
        self._deal(seed)
        self._show()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)

    def _show(self):
        over = self.state_.over
        self.rewards = {a: self._reward(a) for a in self.agents}
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {a: self._info(a) for a in self.agents}
        self.agent_selection = (self.agents[0] if over else
                                f"seat_{self.state_.turn}")

    def agent_iter(self, max_iter: int = 2**63):
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def last(self, observe: bool = True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None,
                self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def step(self, action) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError("an agent that is done acts with None")
            self.agents.remove(agent)
            for kept in (self.rewards, self.terminations, self.truncations,
                         self.infos, self._cumulative_rewards):
                del kept[agent]
            if self.agents:
                self.agent_selection = self.agents[0]
            return
        self._cumulative_rewards[agent] = 0.0
        self.state_.apply(self.seat_of(agent), int(action))
        self._show()
        for other in self.agents:
            self._cumulative_rewards[other] += self.rewards[other]


class ParallelEnv(_Env):
    """All agents act at once; the actions of those that are not to move are
    ignored, and `info["to_move"]` says who is."""

    def reset(self, seed=None, options=None):
        self._deal(seed)
        return self._all()

    def _all(self):
        turn = self.state_.to_move
        infos = {a: dict(self._info(a), to_move=self.seat_of(a) in turn)
                 for a in self.agents}
        return {a: self.observe(a) for a in self.agents}, infos

    def step(self, actions: dict):
        for seat in self.state_.to_move:
            self.state_.apply(seat, int(actions[f"seat_{seat}"]))
        observations, infos = self._all()
        rewards = {a: self._reward(a) for a in self.agents}
        over = dict.fromkeys(self.agents, self.state_.over)
        cut = dict.fromkeys(self.agents, False)
        if self.state_.over:
            self.agents = []
        return observations, rewards, over, cut, infos


class VectorEnv:
    """Many games at once; a game that is over is dealt anew. `masks` has one
    row for each game, as a numpy array if numpy is there."""

    def __init__(self, game: str, count: int, seats: int = 2,
                 actions: int = 1024, seed: str = "", threads: int = 1,
                 **options: str):
        self.rules = Rules(game, seats, **options)
        self.width, self.threads, self.seed = actions, threads, str(seed)
        self.dealt = self.steps = 0
        self.states = [self._new() for _ in range(count)]
        self._bytes = (ctypes.c_uint8 * (count * actions))()
        self._counts = (ctypes.c_int32 * count)()
        self._handles = (ctypes.c_void_p * count)(
            *[state._handle for state in self.states])
        self._look(0, count)

    def _new(self) -> State:
        self.dealt += 1
        state = self.rules.deal(f"{self.seed} {self.dealt}")
        state.mute()
        return state

    def _look(self, first: int, count: int):
        """Fill the masks and counts of some of the games."""
        size = ctypes.sizeof(ctypes.c_void_p)
        _lib.referee_batch_masks(
            ctypes.byref(self._handles, first * size), count,
            ctypes.byref(self._bytes, first * self.width), self.width,
            ctypes.byref(self._counts, first * 4), self.threads)

    @property
    def counts(self) -> "list[int]":
        """How many legal moves each game has."""
        return list(self._counts)

    @property
    def masks(self):
        try:
            import numpy
        except ImportError:
            w = self.width
            flat = memoryview(self._bytes).cast("B")
            return [flat[i:i + w] for i in range(0, len(flat), w)]
        return numpy.ctypeslib.as_array(self._bytes).reshape(-1, self.width)

    def step(self, actions=None):
        """Play one action in each game, random ones without actions. Returns
        {index: values by seat} of the games that ended."""
        chosen = (None if actions is None else
                  (ctypes.c_int32 * len(self.states))(*actions))
        _lib.referee_batch_step(self._handles, len(self.states), chosen,
                                f"{self.seed} {self.steps}".encode(),
                                self.threads)
        self.steps += 1
        self._look(0, len(self.states))
        ended = {}
        for i, count in enumerate(self._counts):
            if count == 0:  # only a game that is over has no legal moves
                ended[i] = self.states[i].values()
                self.states[i] = self._new()
                self._handles[i] = self.states[i]._handle
                self._look(i, 1)
        return ended
