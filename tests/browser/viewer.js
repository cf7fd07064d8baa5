"use strict";
/*
 * Steps through files that "replay --html" wrote, opened from file:// with the
 * network off: every game in every view, by keys alone, on a phone, in the
 * dark, from a deep link, with names and notes that try to be scripts.
 */

const fs = require("fs");
const path = require("path");
const {execFileSync} = require("child_process");
const {chromium} = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const {BUILD, SRC, WORK, CHROMIUM} = process.env;
const referee = path.join(BUILD, "referee", "referee");
const screens = path.join(BUILD, "screens");
const records = path.join(SRC, "tests", "records");
let failed = 0, checked = 0;

function check(what, good) {
  checked++;
  if (!good) {
    failed++;
    console.log(`wrong: ${what}`);
  }
}

function page(name, files, ...words) {
  const out = path.join(WORK, name + ".html");

  execFileSync(referee, ["replay", "--html", out, ...words, ...files]);
  return out;
}

/* Games with clocks, played by sample bots; without clocks, those we have. */
function played(name, game, bots) {
  const folder = path.join(WORK, name);
  const bot = (it) => path.join(BUILD, "sample-bots", "c", it);

  execFileSync(referee, ["match", "--game", game, "--games", "1", "--quiet",
    "--seed", "07".repeat(32), "--time", "fischer:60s+1s", "--records", folder,
    ...bots.map(bot)]);
  return path.join(folder, "games-001.rec");
}

const games = {
  axiom: () => played("axiom", "axiom", ["greedy_axiom", "greedy_axiom"]),
  "axio-rota": () => played("axio-rota", "axio-rota", ["greedy_axio_rota",
    "greedy_axio_rota", "greedy_axio_rota"]),
  rondo: () => played("rondo", "rondo", ["greedy_rondo", "greedy_rondo",
    "random"]),
  "second-chance": () => played("second-chance", "second-chance",
    ["greedy_second_chance", "greedy_second_chance", "random",
      "greedy_second_chance"]),
  go: () => played("go", "go", ["random", "random"])
};

let browser;

/* A page with nothing wrong: no errors, no requests but for the file. */
async function open(file, hash, look) {
  const context = await browser.newContext({
    viewport: look && look.phone ? {width: 390, height: 844} :
      {width: 1440, height: 900},
    colorScheme: look && look.dark ? "dark" : "light",
    javaScriptEnabled: !(look && look.plain),
    hasTouch: Boolean(look && look.phone),
    reducedMotion: "reduce", offline: true});
  const tab = await context.newPage();

  if (look && look.print)
    await tab.emulateMedia({media: "print"});
  tab.setDefaultTimeout(300000);
  tab.on("pageerror", (error) => check(`${file}: ${error.message}`, false));
  tab.on("console", (it) => check(`${file}: ${it.type()} ${it.text()}`,
    it.type() !== "error"));
  tab.on("request", (it) => check(`asks for ${it.url()}`,
    it.url().startsWith("file://")));
  tab.on("dialog", (it) => {
    check("a script of a stranger runs", false);
    it.dismiss();
  });
  await tab.goto("file://" + file + (hash ? "#" + hash : ""));
  if (!(look && look.plain))
    await tab.waitForSelector(".viewer .board");
  return tab;
}

async function close(tab) {
  await tab.context().close();
}

function shoot(tab, name, full) {
  return tab.screenshot({path: path.join(screens, name + ".png"),
    fullPage: Boolean(full)});
}

const where = (tab) => tab.textContent(".where");

async function findsNothing(tab, name) {
  await tab.evaluate(axe);
  const found = await tab.evaluate(() => window.axe.run(document,
    {resultTypes: ["violations"]}));

  for (const it of found.violations)
    console.log(`${name}: ${it.id}: ${it.help}: ${it.nodes[0].html} ` +
      (it.nodes[0].any[0] || it.nodes[0].all[0] || {message: ""}).message);
  check(`${name}: axe-core`, found.violations.length === 0);
}

/* Each audience, each look, each step; then everything back with one key. */
async function everyView(name, file) {
  const tab = await open(file);
  const last = Number((await where(tab)).match(/of (\d+)/)[1]);
  const views = await tab.$$("[role=radiogroup] [role=radio]");

  check(`${name}: has steps`, last > 3);
  for (let i = 0; i < Math.max(1, views.length); i++) {
    if (views[i])
      await views[i].click();
    await tab.keyboard.press("Home");
    if (i === 0)
      for (let n = 1; n <= last; n++)
        await tab.keyboard.press("ArrowRight");
    else
      await tab.evaluate((steps) => {
        for (let n = 1; n <= steps; n++)
          document.dispatchEvent(new KeyboardEvent("keydown", {key:
            "ArrowRight"}));
      }, last);
    check(`${name}, view ${i}: the last step`, await where(tab) ===
      `step ${last} of ${last}`);
    check(`${name}, view ${i}: a drawing`,
      await tab.locator(".board svg").count() > 0);
  }
  check(`${name}: the result`, await tab.isVisible(".result table"));
  await close(tab);
}

/*
 * A step costs the same at the end of a game as at its beginning: the viewer
 * reads as few of its steps and changes as few elements when the game goes on
 * for hundreds more. (tests/bench/page.sh measures the time.)
 */
async function workPerStep(name, file) {
  const tab = await open(file);
  const [short, long] = await tab.evaluate(async () => {
    const whole = JSON.parse(document.querySelector(
      "script[type='application/json']").textContent).game;

    async function work(game) {
      const root = document.body.appendChild(document.createElement("div"));
      let read = 0, changed = 0;

      history.replaceState(null, "", "#at=0");
      const look = new MutationObserver((all) => {
        for (const it of all)
          if (!it.target.closest || !it.target.closest(".picture, .holds"))
            changed += 1 + it.addedNodes.length;
      });

      game.steps = new Proxy(game.steps, {get: (list, key) => {
        read += /^\d+$/.test(String(key));
        return list[key];
      }});
      const viewer = Referee.viewer(root, [game], {});

      viewer.go(9);
      viewer.go(10);
      look.observe(root, {subtree: true, childList: true, attributes: true});
      read = 0;
      viewer.go(11);
      await Promise.resolve();
      look.disconnect();
      root.remove();
      return {read, changed};
    }

    const more = structuredClone(whole), short = structuredClone(whole);

    short.steps = short.steps.slice(0, 13);
    more.steps = more.steps.slice(0, 13);
    while (more.steps.length < 400)
      more.steps.push(more.steps[more.steps.length - 2]);
    return [await work(short), await work(more)];
  });

  check(`${name}: a step of a short game reads ${short.read} steps and ` +
    `changes ${short.changed} elements, of a long one ${long.read} and ` +
    `${long.changed}`, long.read === short.read && long.changed ===
    short.changed && short.read > 0 && short.read < 60 && short.changed < 120);
  await close(tab);
}

/* How it looks, for people; and what a program can say about it. */
async function looks(name, file) {
  const first = await open(file);
  const last = Number((await where(first)).match(/of (\d+)/)[1]);

  await shoot(first, `${name}-start`);
  await close(first);
  for (const [kind, look, part] of [["light", {}, 0.6], ["dark", {dark: true},
    0.6], ["end", {}, 1], ["phone", {phone: true}, 0.6], ["phone-dark", {phone:
    true, dark: true}, 1], ["print", {print: true}, 0.6]]) {
    const tab = await open(file, `at=${Math.floor(part * last)}`, look);

    await shoot(tab, `${name}-${kind}`, look.phone || look.print);
    if (look.print) {
      await close(tab);
      continue;
    }
    check(`${name}, ${kind}: wider than the screen`, await tab.evaluate(() =>
      document.documentElement.scrollWidth <= window.innerWidth));
    await findsNothing(tab, `${name}, ${kind}`);
    await close(tab);
  }
}

async function deepLink(file) {
  const tab = await open(file, "at=7&seat=2&with=1");

  check("deep link: the step", (await where(tab)).startsWith("step 7 "));
  check("deep link: the seat", await tab.getAttribute(
    "[role=radio]:text-is('Seat 2')", "aria-checked") === "true");
  check("deep link: two boards", await tab.locator(".board").count() === 2);
  await shoot(tab, "two-seats");
  await tab.keyboard.press("ArrowRight");
  check("the address follows", tab.url().endsWith("at=8&seat=2&with=1"));
  check("Back leaves the game", await tab.evaluate(() => history.length) <= 2);
  await close(tab);
}

async function onlyKeys(file) {
  const tab = await open(file);
  const press = (key) => tab.keyboard.press(key);

  await press("End");
  check("keys: End", /step (\d+) of \1$/.test(await where(tab)));
  await press("Home");
  await press("]");
  check("keys: a round is three steps", (await where(tab))
    .startsWith("step 3 "));
  await press("[");
  await press("k");
  await press("j");
  check("keys: j and k", (await where(tab)).startsWith("step 0 "));
  await press("3");
  check("keys: 3 is seat 3", await tab.getAttribute(
    "[role=radio]:text-is('Seat 3')", "aria-checked") === "true");
  await press("?");
  check("keys: ? shows the keys", await tab.isVisible("dialog[open]"));
  await press("Escape");
  check("keys: Escape closes it", !await tab.isVisible("dialog[open]"));
  /* By Tab to the moves, which are one stop, and down the list. */
  for (let i = 0; i < 60; i++) {
    await press("Tab");
    if (await tab.evaluate(() =>
      document.activeElement.closest(".moves") !== null))
      break;
  }
  check("keys: Tab comes to the moves", await tab.evaluate(() =>
    document.activeElement.getAttribute("aria-current") === "step"));
  await press("ArrowRight");
  check("keys: the focus follows", await tab.evaluate(() =>
    document.activeElement.getAttribute("aria-current") === "step"));
  check("a live region tells it", /Step 1\./.test(
    await tab.textContent("[aria-live]")));
  await tab.evaluate(() => document.activeElement.blur());
  await press("+");
  await press(" ");
  await tab.waitForFunction(() => !/step 1 /.test(
    document.querySelector(".where").textContent));
  await press(" ");
  await close(tab);
}

/* A name, a version, a note and a refused move that try to be more. */
async function strangers() {
  const evil = "<script>alert(1)</script>";
  const image = "<img/src=x/onerror=alert(1)>";
  const file = path.join(WORK, "strangers.rec");
  const text = fs.readFileSync(path.join(records, "rondo_blue_1.rec"), "utf8");
  const [head, ...rest] = text.split(/(?=^deal )/m);

  fs.writeFileSync(file, head.replace(/^(seat|time) .*\n/gm, "") +
    `seat 1 name=${evil} version=${image}\nseat 2 name=--><svg/onload=alert(1)>\n` +
    rest.join("").replace(/^hash .*\n/m, "").replace(/^(@\S+ )?play 2/m,
      `@- note 1 ${evil}\n@- refused 2 ${image} </script>${evil}\n$&`));
  const tab = await open(page("strangers", [file]), "at=2");

  check("strangers: the name is text", (await tab.textContent("h1"))
    .includes(evil));
  check("strangers: the note is text", (await tab.textContent(".viewer"))
    .includes(evil));
  check("strangers: no element of theirs", await tab.locator(
    "img, .viewer script, .seat svg[onload]").count() === 0);
  await shoot(tab, "strangers");
  await close(tab);
}

async function withoutScripts(file) {
  const tab = await open(file, "", {plain: true});

  check("without scripts: a log", /Step 1\n +play 1 /.test(
    await tab.textContent(".log pre")));
  await shoot(tab, "without-scripts");
  await close(tab);
}

/* The file for a seat has no stone of the others, and says whose it is. */
async function oneSeat(record) {
  const file = page("seat", [record], "--seat", "2");
  const bytes = fs.readFileSync(file, "utf8");
  const other = execFileSync(referee, ["replay", "--seat", "1", record])
    .toString().match(/^draw 1 [RPGBY]{2}$/m)[0];
  const tab = await open(file);

  check("seat 2: no draw of seat 1", !bytes.includes(other));
  check("seat 2: no seed", !/"seed"|"deal"|"hash"/.test(bytes));
  check("seat 2: no other audience", await tab.locator("[role=radio]")
    .count() === 0);
  await shoot(tab, "seat-2");
  await close(tab);
}

async function manyGames(files) {
  const tab = await open(page("many", files));

  check("many: the first", /1 of 5/.test(await tab.textContent(".bar")));
  for (let i = 2; i <= files.length; i++) {
    await tab.keyboard.press("n");
    check(`many: game ${i}`, (await tab.textContent(".bar"))
      .includes(`${i} of 5`));
  }
  await tab.click("button:text('Previous game')");
  check("many: back", /4 of 5/.test(await tab.textContent(".bar")));
  await close(tab);
}

/* A game that a page knows no board for is its view in text. */
async function withoutBoard(file) {
  const tab = await open(file);

  await tab.evaluate(() => {
    delete Referee.boards.rondo;
    Referee.start(document);
  });
  check("without a board: the view", (await tab.textContent("table.view"))
    .includes("stones"));
  await close(tab);
}

/* A running game: a reader at the end follows, one who went back does not. */
async function live(file) {
  const tab = await open(file);
  const seen = await tab.evaluate(() => {
    const game = JSON.parse(document.querySelector(
      "script[type='application/json']").textContent).game;
    const later = game.steps.splice(5);
    const words = [];

    game.end = undefined;
    const viewer = Referee.viewer(document.getElementById("viewer"), [game],
      {live: true});
    const where = () => document.querySelector(".where").textContent;

    viewer.go(4);
    viewer.add(later[0]);
    words.push(where());
    viewer.go(2);
    viewer.add(later[1]);
    viewer.add(later[2]);
    words.push(where(), document.querySelector(".fresh").textContent);
    document.querySelector(".fresh").click();
    words.push(where());
    return words;
  });

  check(`live: ${seen}`, String(seen) ===
    "step 5 of 5,step 2 of 7,2 new moves,step 7 of 7");
  await close(tab);
}

(async () => {
  const files = {}, pages = {};

  browser = await chromium.launch({executablePath: CHROMIUM, args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"]});
  for (const name in games) {
    files[name] = games[name]();
    pages[name] = page(name, [files[name]]);
    await everyView(name, pages[name]);
    await workPerStep(name, pages[name]);
    await looks(name, pages[name]);
  }
  for (const view of ["top", "layers"]) {
    const tab = await open(pages.axiom, `at=6&view=${view}`);

    await shoot(tab, `axiom-${view}`);
    await close(tab);
  }
  await deepLink(pages.rondo);
  await onlyKeys(pages.rondo);
  await strangers();
  await withoutScripts(pages.rondo);
  await oneSeat(files.rondo);
  await manyGames(Object.values(files));
  await withoutBoard(pages.rondo);
  await live(pages.rondo);
  await browser.close();
  console.log(`${checked} checks, ${failed} faults`);
  process.exit(failed ? 1 : 0);
})().catch((error) => {
  console.log(error);
  process.exit(1);
});
