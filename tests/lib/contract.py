"""What PettingZoo's api_test and parallel_api_test ask of an environment, as far
as its documents say it, without PettingZoo: a stand-in for gymnasium's spaces,
and the same games played with every promise checked."""
import contextlib
import random
import sys
import types


class Space:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape = low, high, tuple(shape)
        self.dtype = dtype

    def contains(self, x):
        values = bytes(x)
        assert len(values) == self.shape[0], (len(values), self.shape)
        dtype = getattr(x, "dtype", None)
        assert dtype is None or str(dtype) == self.dtype, dtype
        return self.low <= min(values) and max(values) <= self.high


class Discrete:
    def __init__(self, n):
        self.n = n

    def contains(self, x):
        return isinstance(x, int) and 0 <= x < self.n


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces

    def contains(self, x):
        return set(x) == set(self.spaces) and all(
            space.contains(x[key]) for key, space in self.spaces.items())


@contextlib.contextmanager
def gymnasium():
    """A stand-in, so that the spaces can be asked for where it is absent."""
    fake = types.ModuleType("gymnasium")
    fake.spaces = types.ModuleType("gymnasium.spaces")
    fake.spaces.Box, fake.spaces.Dict = Space, Dict
    fake.spaces.Discrete = Discrete
    kept = {name: sys.modules.get(name)
            for name in ("gymnasium", "gymnasium.spaces")}
    sys.modules["gymnasium"] = fake
    sys.modules["gymnasium.spaces"] = fake.spaces
    try:
        yield
    finally:
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def legal(mask, choose):
    """A legal action, or 0 for a seat that is not to move."""
    ones = [i for i, one in enumerate(bytes(mask)) if one]
    return choose.choice(ones) if ones else 0


def check_keys(env):
    for kept in (env.rewards, env.terminations, env.truncations, env.infos,
                 env._cumulative_rewards):
        assert set(kept) == set(env.agents), (set(kept), env.agents)


def check_spaces(env):
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert isinstance(env.metadata["name"], str)
    assert env.max_num_agents == len(env.possible_agents)
    assert env.unwrapped is env


def play_aec(env, seed):
    """A whole game; what was seen, for a comparison."""
    choose, finished, seen, total = random.Random(5), set(), [], {}
    env.reset(seed=seed)
    assert env.agents == env.possible_agents
    assert env.num_agents == env.max_num_agents
    for agent in env.agent_iter():
        assert agent == env.agent_selection and agent in env.agents
        assert agent not in finished, "an agent came back"
        check_keys(env)
        observation, reward, over, cut, info = env.last()
        assert env.observation_space(agent).contains(observation)
        assert isinstance(info, dict) and isinstance(reward, float)
        assert isinstance(over, bool) and isinstance(cut, bool)
        mask = observation["action_mask"]
        assert bytes(mask) == bytes(info["action_mask"])
        seen.append((agent, bytes(observation["observation"])))
        total[agent] = total.get(agent, 0.0) + reward
        action = None
        if over or cut:
            finished.add(agent)
        else:
            action = legal(mask, choose)
            assert mask[action], "nothing is legal on one's own turn"
            assert env.action_space(agent).contains(action)
        env.step(action)
    assert not env.agents and finished == set(env.possible_agents)
    check_keys(env)
    return seen, total


def check_aec(env):
    with gymnasium():
        check_spaces(env)
        first = play_aec(env, 7)
        assert play_aec(env, 7) == first, "the same seed, another game"
        env.reset(seed=7)
        assert env.last(observe=False)[0] is None
        env.close()


def check_parallel(env):
    choose = random.Random(6)
    with gymnasium():
        check_spaces(env)
        observations, infos = env.reset(seed=8)
        while env.agents:
            live = set(env.agents)
            for agent in live:
                assert env.observation_space(agent).contains(
                    observations[agent])
                assert bytes(infos[agent]["action_mask"]) == bytes(
                    observations[agent]["action_mask"])
            actions = {agent: legal(observations[agent]["action_mask"], choose)
                       for agent in env.agents}
            observations, rewards, over, cut, infos = env.step(actions)
            for answer in observations, rewards, over, cut, infos:
                assert set(answer) == live
            assert set(env.agents) == {a for a in live
                                       if not over[a] and not cut[a]}
        env.close()
