"""Environments in the forms people know, with action masks.

An action is the number of a legal move: its place in the list, whose order
follows from what the seat can see. So the first `count` actions are legal, and
a mask has that many ones. An observation is the view of the agent as bytes,
padded with zeros: two worlds that a seat cannot tell apart give equal
observations. Encode the view (`info["view"]`) as you like for learning.
"""
from __future__ import annotations

import ctypes
from typing import Optional

from .core import Rng, Rules, State, _lib, step_all

VIEW_BYTES = 8192


class _Env:
    """What both forms share."""

    def __init__(self, game: str, seats: int = 2, actions: int = 4096,
                 **options: str):
        self.rules = Rules(game, seats, **options)
        self.metadata = {"name": f"{game}_v1", "is_parallelizable": True}
        self.possible_agents = [f"seat_{i + 1}" for i in range(seats)]
        self.max_actions = actions
        self.state_: Optional[State] = None
        self._games = 0

    @staticmethod
    def seat_of(agent: str) -> int:
        return int(agent.rpartition("_")[2])

    def observation_space(self, agent: str):
        """Needs gymnasium, which is imported only here."""
        from gymnasium import spaces
        return spaces.Dict({
            "observation": spaces.Box(0, 255, (VIEW_BYTES,), "uint8"),
            "action_mask": spaces.Box(0, 1, (self.max_actions,), "int8")})

    def action_space(self, agent: str):
        from gymnasium import spaces
        return spaces.Discrete(self.max_actions)

    def _deal(self, seed):
        self._games += 1
        self.state_ = self.rules.deal(f"{seed} {self._games}"
                                      if seed is None else str(seed))
        self.agents = self.possible_agents[:]

    def action_mask(self, agent: str) -> bytearray:
        n = min(self.state_.count(self.seat_of(agent)), self.max_actions)
        return bytearray(b"\1" * n + b"\0" * (self.max_actions - n))

    def observe(self, agent: str) -> dict:
        view = self.state_.view(self.seat_of(agent)).encode()
        return {"observation": view.ljust(VIEW_BYTES, b"\0"),
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
        self._look()

    def _new(self) -> State:
        self.dealt += 1
        state = self.rules.deal(f"{self.seed} {self.dealt}")
        state.mute()
        return state

    def _look(self):
        self._handles = (ctypes.c_void_p * len(self.states))(
            *[state._handle for state in self.states])
        _lib.referee_batch_masks(self._handles, len(self.states), self._bytes,
                                 self.width, self._counts, self.threads)

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
        step_all(self.states, actions, f"{self.seed} {self.steps}",
                 self.threads)
        self.steps += 1
        ended = {}
        for i, state in enumerate(self.states):
            if state.over:
                ended[i] = state.values()
                self.states[i] = self._new()
        self._look()
        return ended
