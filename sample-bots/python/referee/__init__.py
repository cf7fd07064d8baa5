"""The rules of the referee's games in Python: pure ctypes over libreferee.

    import referee

    rules = referee.Rules("rondo", seats=2)
    state = rules.deal("any text is a seed")
    while not state.over:
        state.apply(state.turn, 0)
    print(state.result())

`Rules`, `State` and `Seat` are the library's handles, `Bot` and `run` speak the
protocol, `AECEnv`, `ParallelEnv` and `VectorEnv` are environments for learning,
and `replay`, `training_data` and `training_arrays` read records. No compiler, no dependency; numpy
is used by `VectorEnv` if it is there. Seats count from 1, as in the protocol.
"""
from .bot import Bot, Clock, run
from .core import (ALL, PUBLIC, Error, Game, Result, Rng, Rules, Seat, State,
                   games, step_all)
from .envs import AECEnv, ParallelEnv, VectorEnv
from .records import Step, replay, training_arrays, training_data

__all__ = ["ALL", "PUBLIC", "AECEnv", "Bot", "Clock", "Error", "Game",
           "ParallelEnv", "Result", "Rng", "Rules", "Seat", "State", "Step",
           "VectorEnv", "games", "replay", "run", "step_all", "training_arrays",
           "training_data"]
