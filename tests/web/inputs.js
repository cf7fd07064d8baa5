"use strict";
/*
 * The inputs of the page, in plain Node. Random games are stopped at several
 * moves, and there every legal move must be reached by choosing places and
 * options from nothing; what is complete must be legal; each move read from its
 * text must come out again, and look like something when it is drawn.
 */

const fs = require("fs");
const path = require("path");
const os = require("os");
const vm = require("vm");
const {execFileSync} = require("child_process");

const src = process.env.srcdir || ".";
const referee = path.join(process.env.builddir || ".", "referee", "referee");
const work = fs.mkdtempSync(path.join(os.tmpdir(), "inputs-"));
let failed = 0, reached = 0;

function check(what, good) {
  if (!good && failed++ < 20)
    console.log(`wrong: ${what}`);
}

function load() {
  const list = fs.readFileSync(path.join(src, "referee", "web", "files.am"),
    "utf8");
  const context = vm.createContext({});

  for (const [, name] of list.matchAll(/%D%\/(\w+\.js)/g))
    vm.runInContext(fs.readFileSync(path.join(src, "referee", "web", name),
      "utf8"), context, {filename: name});
  return vm.runInContext("Referee", context);
}

function run(input, ...words) {
  return execFileSync(referee, words, {input, encoding: "utf8",
    maxBuffer: 1 << 28});
}

/* Everything that can be chosen, from here on, each choice once. */
function explore(input, choice, most) {
  const seen = new Set(), found = new Set(), todo = [choice];
  const name = (it) => JSON.stringify(it.chosen || it.chain);

  while (todo.length && seen.size < most) {
    const at = todo.pop();

    if (seen.has(name(at)))
      continue;
    seen.add(name(at));
    if (input.text(at))
      found.add(input.text(at));
    for (const spot of input.spots(at))
      todo.push(input.pick(at, spot.id));
    for (const row of input.rows(at))
      for (const option of row.options)
        todo.push(input.set(at, row.name, option.value));
  }
  return found;
}

function lookAt(R, game, record, words) {
  const steps = JSON.parse(run(record, "replay", "--steps", "-"));
  const seat = steps.steps[steps.steps.length - 1].owe[0];

  if (!seat)
    return;
  const legal = run(record, "moves", "-", "--seat", String(seat)).trim()
    .split("\n");
  const mine = JSON.parse(run(record, "replay", "--steps", "--seat",
    String(seat), "-"));
  const input = R.inputs[game], board = R.boards[game];
  const start = input.start(mine, seat, legal);
  const found = explore(input, start, 20000);

  for (const move of legal) {
    check(`${words}: ${move} cannot be chosen`, found.has(move));
    check(`${words}: ${move} is read as another`, input.text(input.read(start,
      move)) === move);
  }
  for (const move of found)
    check(`${words}: ${move} is chosen and not legal`, game === "rondo" ||
      legal.includes(move));
  draw(R, board, input, mine, input.read(start, legal[legal.length - 1]), seat,
    legal, words);
  reached += legal.length;
}

/* What would be played is drawn, and so is every place, in every look. */
function draw(R, board, input, game, choice, seat, legal, words) {
  const last = game.steps[game.steps.length - 1];
  const view = Object.assign({}, last.view, input.ghost(choice,
    R.view(last, seat), input.text(choice)));
  const shown = Object.assign({}, game, {steps: game.steps.concat(
    Object.assign({}, last, {n: last.n + 1, view, events: [{text: "play " +
      seat + " " + input.text(choice)}]}))});

  for (const mode of board.looks || [null]) {
    let places = 0;
    const svg = board.draw(shown, shown.steps.length - 1, seat, {mode, yaw: 30,
      narrow: false, reach: input.reach ? input.reach(choice) : [],
      over: (place) => {
        for (const spot of input.spots(choice)) {
          const p = place(spot.at);

          check(`${words}: ${spot.at} is nowhere`, Number.isFinite(p.x) &&
            Number.isFinite(p.y) && p.r > 0);
          places++;
        }
        return "";
      }});

    check(`${words}: ${mode}: a picture`, svg.startsWith("<svg") &&
      !/NaN|undefined/.test(svg));
    check(`${words}: places`, places > 0 || /^pass$/i.test(legal.join("")));
  }
}

const R = load();

for (const game of Object.keys(R.inputs)) {
  run("", "selfplay", "--game", game, "--quiet", "--records", work, "--seed",
    "07".repeat(32));
  const lines = fs.readFileSync(path.join(work, `${game}-1.rec`), "utf8")
    .split("\n");
  const plays = lines.map((line, i) => /(^|\s)play \d/.test(line) &&
    !/^@\S*w/.test(line) ? i : -1).filter((i) => i > 0);

  for (const part of [0, 0.1, 0.3, 0.5, 0.7, 0.9])
    lookAt(R, game, lines.slice(0, plays[Math.floor(part * plays.length)])
      .join("\n") + "\n", `${game} at ${part}`);
}
fs.rmSync(work, {recursive: true});
check("a game that is drawn has an input", Object.keys(R.boards).every(
  (game) => R.inputs[game]));
console.log(`${reached} moves, ${failed} faults`);
process.exit(failed ? 1 : 0);
