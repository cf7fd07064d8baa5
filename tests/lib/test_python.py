"""The Python package, against the library in $REFEREE_LIBRARY."""
import doctest
import io
import json
import os
import random
import subprocess
import sys
import unittest

import contract
import referee
from referee import bot as bot_module
from referee import core, envs, records

PROGRAM = os.environ["REFEREE_PROGRAM"]
HERE = os.path.dirname(os.path.abspath(__file__))
BOTS = os.path.join(HERE, "..", "..", "sample-bots", "python")


def load_tests(loader, tests, pattern):
    for module in core, envs, records, bot_module:
        tests.addTests(doctest.DocTestSuite(module))
    return tests


class States(unittest.TestCase):
    def test_every_game_plays_to_its_end(self):
        rng = referee.Rng("moves")
        for game in referee.games():
            for seats in range(game.min_seats, game.max_seats + 1):
                rules = referee.Rules(game.name, seats)
                state = rules.deal(f"{game.name} {seats}")
                state.mute()
                n = state.playout(rng)
                self.assertLessEqual(n, rules.max_moves)
                self.assertEqual(len(state.result().ranks), seats)

    def test_refusals_are_sentences(self):
        with self.assertRaisesRegex(referee.Error, "did you mean rondo"):
            referee.Rules("rondoo")
        state = referee.Rules("rondo").deal()
        with self.assertRaisesRegex(referee.Error, "no such|is no|field"):
            state.play(1, "z9:1")
        with self.assertRaises(referee.Error):
            state.apply(2, 0)

    def test_numbers_and_texts_agree(self):
        state = referee.Rules("axiom").deal()
        for i, text in enumerate(state.moves()[:50]):
            self.assertEqual(state.find(1, text), i)
            self.assertEqual(state.move_text(1, i), text)

    def test_playouts_do_not_depend_on_threads(self):
        state = referee.Rules("axio-rota").deal("x")
        self.assertEqual(state.playouts(1, 130, "s", threads=1),
                         state.playouts(1, 130, "s", threads=2))


class Seats(unittest.TestCase):
    def test_worlds_agree_with_the_truth_for_the_seat_alone(self):
        rules = referee.Rules("rondo", 3)
        truth, rng = rules.deal("truth"), referee.Rng("moves")
        seats = [referee.Seat(rules, i, "s") for i in range(4)]
        different = 0
        while True:
            for seat in seats:
                seat.told(*truth.events(seat.seat))
            if truth.over:
                break
            world = seats[truth.turn].world(rng)
            self.assertEqual(world.view(truth.turn), truth.view(truth.turn))
            self.assertEqual(world.moves(), truth.moves())
            different += hash(world) != hash(truth)
            truth.apply(truth.turn, rng.below(truth.count(truth.turn)))
        self.assertGreater(different, 10)

    def test_lies_are_refused(self):
        seat = referee.Seat(referee.Rules("rondo"), 1)
        seat.told("draw 1 RP", "draw 2 ??", "play 1 a1:5")
        with self.assertRaises(referee.Error):
            seat.world(referee.Rng(""))


class Views(unittest.TestCase):
    def test_a_state_from_a_view_looks_so_and_plays_on(self):
        rng = referee.Rng("views")
        for game in referee.games():
            rules = referee.Rules(game.name, 2)
            truth = rules.deal("truth")
            for _ in range(6):
                truth.apply(truth.turn, rng.below(truth.count(truth.turn)))
            seat = truth.turn
            made = referee.State.from_view(rules, seat, truth.view(seat), rng)
            self.assertEqual(made.view(seat), truth.view(seat))
            self.assertEqual(made.moves(seat), truth.moves(seat))
            # Another truth that looks the same gives the same state.
            other = truth.clone()
            other.redeal(seat, rng)
            states = [referee.State.from_view(rules, seat, world.view(seat),
                                              referee.Rng("same"))
                      for world in (truth, other)]
            self.assertEqual(hash(states[0]), hash(states[1]))
            made.playout(rng)
            self.assertTrue(made.over)

    def test_no_view_is_refused(self):
        rules = referee.Rules("rondo")
        with self.assertRaisesRegex(referee.Error, "looks to viewer 1"):
            referee.State.from_view(rules, 1, "board=blue", referee.Rng(""))


class Numbers(unittest.TestCase):
    def test_equal_views_give_equal_numbers(self):
        rng = referee.Rng("numbers")
        for game in referee.games():
            state = referee.Rules(game.name, game.max_seats).deal("n")
            told = set()
            while not state.over:
                seat = state.turn
                numbers, code = state.observe(seat), state.move_code(seat, 0)
                self.assertEqual(len(numbers), state.rules.observation_size)
                other = state.clone()
                other.redeal(seat, rng)
                self.assertEqual(other.observe(seat), numbers)
                self.assertEqual(other.move_code(seat, 0), code)
                told.add(numbers.tobytes())
                state.apply(seat, rng.below(state.count(seat)))
            self.assertGreater(len(told), 5)

    def test_hints_are_moves_and_rollouts_end(self):
        rng = referee.Rng("hints")
        for game in referee.games():
            state = referee.Rules(game.name, 2).deal("h")
            hint = state.hint(state.turn, rng)
            self.assertIn(hint, range(state.count(state.turn)))
            with self.assertRaises(referee.Error):
                state.move_code(state.turn, state.count(state.turn))
            self.assertGreater(state.rollout(rng), 5)
            self.assertTrue(state.over)


class Envs(unittest.TestCase):
    def test_aec_rewards_sum_to_nothing(self):
        for game in "rondo", "second-chance", "axio-rota":
            env, total = referee.AECEnv(game, seats=3), 0.0
            env.reset(seed="a")
            choose = random.Random(1)
            for agent in env.agent_iter():
                observation, reward, over, cut, info = env.last()
                total += reward
                mask = info["action_mask"]
                self.assertEqual(list(observation["action_mask"]), list(mask))
                env.step(None if over else choose.randrange(sum(mask)))
            self.assertAlmostEqual(total, 0)

    def test_equal_views_give_equal_observations(self):
        env = referee.AECEnv("rondo")
        env.reset(seed="x")
        before = env.observe("seat_1")
        env.state_.redeal(1, referee.Rng("other"))
        for key, numbers in env.observe("seat_1").items():
            self.assertEqual(bytes(numbers), bytes(before[key]))

    def test_the_contract_of_pettingzoo(self):
        for game in referee.games():
            seats = min(3, game.max_seats)
            contract.check_aec(referee.AECEnv(game.name, seats))
            contract.check_parallel(referee.ParallelEnv(game.name, seats))

    def test_parallel(self):
        env = referee.ParallelEnv("second-chance", seats=4)
        observations, infos = env.reset(seed=3)
        while env.agents:
            actions = dict.fromkeys(env.agents, 0)
            observations, rewards, over, cut, infos = env.step(actions)
        self.assertTrue(all(over.values()))

    def test_vector(self):
        env = referee.VectorEnv("axio-rota", 100, seed="v")
        ended = 0
        for _ in range(60):
            ended += len(env.step([0] * 100))
        self.assertGreaterEqual(ended, 100)
        self.assertEqual(len(env.masks), 100)
        self.assertEqual([sum(row) for row in env.masks],
                         [min(n, env.width) for n in env.counts])


class Records(unittest.TestCase):
    def test_training_data_from_selfplay(self):
        for game in referee.games():
            folder = os.path.join(os.environ["TMPDIR"], game.name)
            subprocess.run([PROGRAM, "selfplay", "--game", game.name, "--quiet",
                            "--records", folder], check=True)
            (name,) = os.listdir(folder)
            with open(os.path.join(folder, name), encoding="ascii") as record:
                text = record.read()
            out = io.StringIO()
            rows = referee.training_data(text.splitlines(), out)
            lines = [json.loads(row) for row in out.getvalue().splitlines()]
            self.assertEqual(len(lines), rows)
            self.assertGreater(rows, 5)
            for row in lines:
                self.assertIn(row["played"], row["moves"])
                self.assertIsNotNone(row["value"])
            self.check_arrays(text.splitlines(), rows)

    def check_arrays(self, record, rows):
        try:
            import numpy
        except ImportError:
            return
        arrays = referee.training_arrays(record)
        self.assertEqual(len(arrays["observations"]), rows)
        self.assertEqual(len(arrays["choices"]), arrays["starts"][-1])
        for i in range(rows):
            of = arrays["choices"][arrays["starts"][i]:arrays["starts"][i + 1]]
            self.assertIn(arrays["played"][i].tolist(), of.tolist())
        self.assertFalse(numpy.isnan(arrays["values"]).any())


class Bots(unittest.TestCase):
    def match(self, *bots, game="rondo", games="4"):
        return subprocess.run([PROGRAM, "match", "--game", game, "--games",
                               games, *bots], capture_output=True, text=True)

    def test_the_search_example_beats_random(self):
        done = self.match(f"python3 {BOTS}/search_bot.py --playouts 60",
                          f"{PROGRAM} bot", games="6")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)search_bot\s+[456]\b",
                         done.stdout + done.stderr)

    def test_the_textbook_search_beats_random(self):
        done = self.match(f"ismcts=python3 {BOTS}/ismcts.py 80 seed",
                          f"{PROGRAM} bot --seed r", "--time", "none",
                          "--seed", "textbook", games="4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ismcts\s+4\s+[34]",
                         done.stdout + done.stderr)

    def test_the_first_search_is_short_and_beats_greedy(self):
        with open(f"{BOTS}/first_search.py", encoding="ascii") as file:
            self.assertLess(len(file.readlines()), 60)
        done = self.match(f"first=python3 {BOTS}/first_search.py 2000 seed",
                          f"python3 {BOTS}/greedy_rondo.py", "--duplicate",
                          "--time", "none", "--seed", "half an hour")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^first\s+4\s+[34]",
                         done.stdout + done.stderr)

    def test_the_first_search_beats_random(self):
        done = self.match(f"first=python3 {BOTS}/first_search.py 1000",
                          f"{PROGRAM} bot", "--time", "none",
                          game="axio-rota", games="4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^first\s+4\s+[34]",
                         done.stdout + done.stderr)

    def test_an_exception_ends_the_bot_with_its_traceback(self):
        for kit in "referee", "referee_bot":
            code = (f"import sys; sys.path.insert(0, {BOTS!r})\n"
                    f"import {kit} as kit\n"
                    "class B(kit.Bot):\n"
                    "    def choose(self, *args): raise KeyError('my bug')\n"
                    "kit.run(B())\n")
            talk = ("1 new_game rondo match=m seats=2 seat=1 names=a,b "
                    "board=blue\n2 draw 1 RP\n3 draw 2 ??\n"
                    "4 legal_moves pass\n5 genmove 1\n")
            done = subprocess.run([sys.executable, "-c", code], input=talk,
                                  capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("KeyError: 'my bug'", done.stderr)
            self.assertNotIn("=5", done.stdout)


if __name__ == "__main__":
    unittest.main()
