"use strict";
/*
 * Draws every step of every record in tests/records, and at every fifth step
 * what each audience sees, in plain Node. Each drawing must be well-formed and free of numbers
 * that are none; all drawings of a record and look together must have the
 * digest in drawings.txt. After a change that is meant, look at the drawings
 * (with an argument: a folder to write them to) and run with --accept.
 */

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const {execFileSync} = require("child_process");

const src = process.env.srcdir || ".";
const referee = path.join(process.env.builddir || ".", "referee", "referee");
const digests = path.join(src, "tests", "web", "drawings.txt");
const folder = process.argv.slice(2).find((word) => word[0] !== "-");
let failed = 0, drawn = 0;

function wrong(words) {
  failed++;
  if (failed < 20)
    console.log(words);
}

function load() {
  const list = fs.readFileSync(path.join(src, "referee", "web", "files.am"),
    "utf8");
  const context = vm.createContext({});

  for (const [, name] of list.matchAll(/%D%\/(\w+\.js)/g)) {
    const file = path.join(src, "referee", "web", name);

    vm.runInContext(fs.readFileSync(file, "utf8"), context, {filename: file});
  }
  return vm.runInContext("Referee", context);
}

/* Do the elements of an SVG text open and close in order? */
function isWellFormed(svg) {
  const open = [];
  let rest = svg;

  while (rest) {
    const m = rest.match(
      /^<(\/?)([a-zA-Z]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>|^[^<>]+/);

    if (!m)
      return false;
    rest = rest.slice(m[0].length);
    if (m[2] && m[1] && open.pop() !== m[2])
      return false;
    if (m[2] && !m[1] && !m[4])
      open.push(m[2]);
  }
  return open.length === 0;
}

function check(name, svg) {
  drawn++;
  if (!isWellFormed(svg))
    wrong(`${name}: not well-formed`);
  if (/NaN|undefined|Infinity|null|object Object/.test(svg))
    wrong(`${name}: ${svg.match(/.{0,60}(NaN|undefined|Infinity|null|object).{0,20}/)[0]}`);
  if (/ style=| on[a-z]+=|<script|<style|javascript:/.test(svg))
    wrong(`${name}: a script or a style`);
}

const Referee = load();

function audiences(game) {
  const seats = Array.from({length: game.head.seats}, (_, i) => i + 1);

  return ["all", "public", ...seats];
}

function drawAll(name, game, board, look) {
  const hash = crypto.createHash("sha256");

  for (let n = 0; n < game.steps.length; n++)
    for (const who of n % 5 ? ["all"] : audiences(game)) {
      const svg = board.draw(game, n, who, look);
      const label = `${name}, step ${n}, ${who}`;

      check(label, svg);
      hash.update(svg);
      if (folder)
        fs.writeFileSync(path.join(folder, `${name}-${n}-${who}.svg`
          .replace(/ /g, "-")), svg);
      for (let seat = 1; board.seat && seat <= game.head.seats; seat++) {
        const panel = board.seat(game, n, who, seat);

        check(`${label}, seat ${seat}`, panel);
        hash.update(panel);
      }
    }
  return hash.digest("hex");
}

function charts(name, game, board) {
  const C = Referee.charts, last = game.steps.length - 1;
  const clocks = C.clocks(game);
  const scores = board.scores ? C.scores(game, board, "all") : [];

  check(`${name}: scores`, C.lines("scores", scores, last, String, 480));
  check(`${name}: used`, C.lines("used", C.used(game), 0, String, 360));
  if (clocks)
    check(`${name}: clocks`, C.lines("clocks", clocks, 0, String, 480));
  check(`${name}: marks`, C.strip(C.marks(game, board, "all"), last + 1));
  if (C.stepAt(0, last + 1, 480) !== 0 || C.stepAt(1, last + 1, 480) !== last)
    wrong(`${name}: a chart leads to wrong steps`);
}

/* A seat that may not see a stone must not have it in its picture. */
function hides() {
  const text = execFileSync(referee, ["replay", "--steps",
    path.join(src, "tests", "records", "rondo_blue_1.rec")],
  {maxBuffer: 1 << 28});
  const game = JSON.parse(text), board = Referee.boards.rondo;
  const views = ["all", "public", 1, 2].map((who) => game.steps.map(
    (step, n) => board.draw(game, n, who, {}) +
      board.seat(game, n, who, 1)).join(""));

  if (new Set(views).size !== 4)
    wrong("rondo: two audiences see the same");
}

const records = path.join(src, "tests", "records");
const lines = [];

for (const file of fs.readdirSync(records).sort()) {
  if (!file.endsWith(".rec"))
    continue;
  const game = JSON.parse(execFileSync(referee, ["replay", "--steps",
    path.join(records, file)], {maxBuffer: 1 << 28}));
  const board = Referee.boards[game.head.game];

  if (!board)
    continue;
  for (const mode of board.looks || [""])
    for (const narrow of board.narrows ? [false, true] : [false])
      lines.push(`${file} ${mode || "board"}${narrow ? " narrow" : ""} ` +
        drawAll(`${file} ${mode}${narrow ? " narrow" : ""}`, game, board,
          {mode, narrow, yaw: 30}));
  for (let yaw = 0; board.turns && yaw < 360; yaw += 15)
    check(`${file} yaw ${yaw}`, board.draw(game, game.steps.length - 1, "all",
      {yaw}));
  charts(file, game, board);
}
hides();
if (process.argv.includes("--accept"))
  fs.writeFileSync(digests, lines.join("\n") + "\n");
const known = fs.readFileSync(digests, "utf8").trim().split("\n");
for (const line of lines)
  if (!known.includes(line))
    wrong(`drawn differently: ${line}`);
if (known.length !== lines.length)
  wrong(`${lines.length} digests, ${known.length} in drawings.txt`);
console.log(`${drawn} drawings, ${failed} faults`);
process.exit(failed ? 1 : 0);
