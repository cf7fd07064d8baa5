"use strict";
/*
 * Sits down at the tables of a daemon and plays: a whole game of each kind, its
 * moves in turn by mouse, by keys alone and by typing; with PLAY_WHOLE also one
 * by mouse alone and one by keys alone (minutes). Nothing may be sent but
 * by the button or Enter; a page that is loaded again continues the game;
 * another browser has no part in it.
 */

const fs = require("fs");
const path = require("path");
const {spawn} = require("child_process");
const {chromium} = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const {BUILD, WORK, CHROMIUM} = process.env;
const referee = path.join(BUILD, "referee", "referee");
const screens = path.join(BUILD, "screens");
let failed = 0, checked = 0, browser, site, daemon;

function check(what, good) {
  checked++;
  if (!good) {
    failed++;
    console.log(`wrong: ${what}`);
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, holds) {
  for (let i = 0; i < 1200; i++) {
    if (await holds())
      return true;
    await pause(50);
  }
  check(`never: ${what}`, false);
  throw new Error(what);
}

async function start() {
  const log = path.join(WORK, "log");

  fs.writeFileSync(path.join(WORK, "referee.ini"), `[server]
data = ${WORK}/data
http = 127.0.0.1:0
stop-limit = 0
[bot random]
command = ${BUILD}/sample-bots/c/random
[bot strong]
command = ${referee} bot --level 6
[play]
bots = random, strong
tables-per-address = 8
`);
  daemon = spawn(referee, ["serve", path.join(WORK, "referee.ini")],
    {stdio: ["ignore", "ignore", fs.openSync(log, "w")]});
  await until("the daemon starts", () => / ready$/m.test(fs.readFileSync(log,
    "utf8")));
  site = "http://127.0.0.1:" + fs.readFileSync(log, "utf8").match(
    /http on .* port (\d+)/)[1];
}

/* A browser of its own, which counts what it sends. */
async function visitor(look) {
  const context = await browser.newContext({
    viewport: look && look.phone ? {width: 390, height: 844} :
      {width: 1280, height: 860}, hasTouch: Boolean(look && look.phone),
    colorScheme: look && look.dark ? "dark" : "light",
    reducedMotion: "reduce"});
  const tab = await context.newPage();

  tab.setDefaultTimeout(300000);
  tab.sent = 0;
  tab.on("pageerror", (error) => check(error.stack, false));
  tab.on("request", (it) => {
    check(`asks for ${it.url()}`, it.url().startsWith(site + "/") ||
      it.url().startsWith("data:"));
  });
  tab.on("response", (it) => { /* one that is busy is asked again */
    tab.sent += it.request().method() === "POST" && /\/move$/.test(it.url()) &&
      it.status() !== 503 ? 1 : 0;
  });
  return tab;
}

async function findsNothing(tab, name) {
  await tab.evaluate(axe);
  const found = await tab.evaluate(() => window.axe.run(document,
    {resultTypes: ["violations"]}));

  for (const it of found.violations)
    console.log(`${name}: ${it.id}: ${it.help}: ${it.nodes[0].html}`);
  check(`${name}: axe-core`, found.violations.length === 0);
}

const shoot = (tab, name) => tab.screenshot({path: path.join(screens, name +
  ".png")});

async function sitDown(tab, game, bot, seat) {
  await tab.goto(site + "/");
  await tab.click('a:has-text("Play against a bot")');
  await tab.waitForSelector("#sit");
  await tab.check(`input[value="${game}"]`);
  await tab.selectOption("[name=bot]", bot);
  await tab.selectOption("[name=seat]", seat);
  await tab.click("#sit button.send");
  await tab.waitForSelector(".play .board svg");
}

const canSend = (tab) => tab.evaluate(() =>
  !document.querySelector(".play .send").disabled);
const isMine = (tab) => tab.evaluate(() =>
  Boolean(document.querySelector(".spot, .row [role=radio]")));
const isOver = (tab) => tab.evaluate(() =>
  !document.querySelector(".play .input > .line").hidden);
const any = (list) => list[Math.floor(Math.random() * list.length)];

/* Until the move is complete: a place, perhaps another. */
async function byMouse(tab) {
  for (let i = 0; i < 20 && !await canSend(tab); i++) {
    const boxes = await tab.$$eval(".spot:not(.chosen)", (all) => all.map(
      (spot) => {
        const box = spot.getBoundingClientRect();

        return {x: box.x + box.width / 2, y: box.y + box.height / 2};
      }));

    if (boxes.length) {
      const at = any(boxes);

      await tab.mouse.click(at.x, at.y);
    } else {
      await tab.click(".row [role=radio]");
    }
  }
  await tab.click(".play .send");
}

const focused = (tab, selector) => tab.evaluate((it) =>
  document.activeElement.matches(it), selector);

async function tabTo(tab, selector) {
  for (let i = 0; i < 60 && !await focused(tab, selector); i++)
    await tab.keyboard.press("Tab");
  check(`Tab reaches ${selector}`, await focused(tab, selector));
}

async function byKeys(tab) {
  await tab.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 20 && !await canSend(tab); i++) {
    if (!await focused(tab, ".spot, .row [role=radio]"))
      await tabTo(tab, ".spot, .row [role=radio]");
    for (let k = Math.floor(Math.random() * 4); k > 0; k--)
      await tab.keyboard.press(any(["ArrowRight", "ArrowLeft", "ArrowUp",
        "ArrowDown", "]"]));
    await tab.keyboard.press("Enter");
  }
  await tab.keyboard.press("r");
  await tabTo(tab, ".send");
  await tab.keyboard.press("Enter");
}

/* The beginning of a move lists moves; a whole one is sent by Enter. */
async function byTyping(tab, id) {
  const move = await tab.evaluate(async (name) => {
    const seat = JSON.parse(localStorage.getItem("referee-seats")).pop();
    const answer = await fetch(`/api/play/${name}/moves`,
      {headers: {"Referee-Key": seat.key}});
    const moves = (await answer.json()).moves;

    return moves[Math.floor(Math.random() * moves.length)];
  }, id);

  await tab.fill("#typed", move.slice(0, 1));
  check(`${move}: its beginning is listed`, await tab.evaluate(() =>
    !document.querySelector(".play .send").disabled ||
      document.querySelectorAll(".matches button").length > 0));
  await tab.fill("#typed", move);
  check(`${move}: can be sent`, await canSend(tab));
  await tab.press("#typed", "Enter");
}

const mixed = [byMouse, byKeys, byTyping];

async function wholeGame(game, bot, ways, look) {
  const tab = await visitor(look);
  let turns = 0;

  await sitDown(tab, game, bot, "1");
  const id = tab.url().split("/").pop();

  check(`${game}: no key in the address`, !/[?#]/.test(tab.url()));
  for (;;) {
    await until(`${game}: a turn`, async () => await isOver(tab) ||
      await isMine(tab));
    if (await isOver(tab))
      break;
    check(`${game}: sent so far`, tab.sent === turns);
    if (turns === 120 && game === "axiom") { /* it may take hundreds */
      await tab.click("text=Resign");
      await tab.click("text=Yes, resign");
      await until("the end of axiom", () => isOver(tab));
      break;
    }
    if (turns === 1 && ways === mixed)
      await shoot(tab, `play-${game}-turn`);
    if (turns === 2 && ways === mixed) {
      await tab.reload();
      await until(`${game}: the turn after a reload`, () => isMine(tab));
      check(`${game}: the moves are there again`,
        await tab.locator(".moves li").count() >= turns);
    }
    const before = await tab.locator(".moves li").count();

    await ways[turns % ways.length](tab, id);
    turns++;
    await until(`${game}: it is sent`, async () => tab.sent === turns);
    await until(`${game}: it is taken`, async () => await isOver(tab) ||
      await tab.locator(".moves li").count() > before);
  }
  check(`${game}: some turns`, turns > 0);
  check(`${game}: says how it ended`, /You won|You lost|A draw/.test(
    await tab.textContent(".words")));
  if (process.env.PLAY_WHOLE)
    console.log(`${game}: ${turns} turns by ${ways.length > 1 ? "all" :
      ways[0].name}`);
  await shoot(tab, `play-${game}-over`);
  await tab.click("text=Replay this game");
  await tab.waitForSelector(".viewer .stepping");
  await tab.context().close();
}

/* Nothing of this sends anything. */
async function misclicks(look, name) {
  const tab = await visitor(look);

  await tab.goto(site + "/play");
  await findsNothing(tab, `lobby, ${name}`);
  await shoot(tab, `play-lobby-${name}`);
  await sitDown(tab, "rondo", "random", "1");
  await until("a turn", () => isMine(tab));
  await findsNothing(tab, `table, ${name}`);
  const box = await tab.locator(".play .picture svg").boundingBox();

  for (let i = 0; i < 12; i++)
    await tab.mouse.click(box.x + box.width * Math.random(),
      box.y + Math.min(box.height, 400) * Math.random());
  await tab.locator(".spot").first().click({force: true});
  await tab.locator(".spot").first().dblclick({force: true});
  await tab.keyboard.press("Enter");
  await tab.keyboard.press("r");
  await shoot(tab, `play-ghost-${name}`);
  await tab.fill("#typed", "z9");
  check("an illegal move cannot be sent", !await canSend(tab));
  await tab.press("#typed", "Enter");
  await tab.keyboard.press("Escape");
  check("Escape clears", await tab.inputValue("#typed") === "");
  await tab.click("text=Resign");
  await tab.click("text=No, play on");
  await pause(300);
  check(`${name}: a misclick sends nothing`, tab.sent === 0);
  check("and the game goes on", !await isOver(tab));
  const other = await visitor();

  await other.goto(tab.url());
  await until("another browser has no seat", async () =>
    /another browser/.test(await other.textContent("#table")));
  check("and gets no board", await other.locator(".spot").count() === 0);
  await other.context().close();
  await tab.click("text=Resign");
  await tab.click("text=Yes, resign");
  await until("the end", () => isOver(tab));
  await tab.context().close();
}

/* What the built-in bot would play is put on the board, and not sent. */
async function hint() {
  const tab = await visitor();

  await sitDown(tab, "go", "random", "1");
  await until("a turn", () => isMine(tab));
  await tab.click("button:text-is('Hint')");
  await until("a hint", async () => /would play/.test(await tab.textContent(
    ".hinted")));
  const move = (await tab.textContent(".hinted")).match(/play (\S+)\.$/)[1];

  check(`the hint ${move} can be sent`, await canSend(tab) &&
    (await tab.textContent(".play .send")) === `Send ${move}`);
  check("a hint sends nothing", tab.sent === 0);
  await shoot(tab, "play-hint");
  await tab.context().close();
}

/* Pages that say what there is, on a screen and on a phone. */
async function pages() {
  for (const look of [{}, {phone: true, dark: true}]) {
    const tab = await visitor(look), kind = look.phone ? "phone" : "light";

    for (const [name, path, ready] of [["home", "/", "#live"],
      ["rules", "/rules/rondo", ".pictures svg >> nth=1"], ["join", "/join",
        ".command"], ["games", "/games", ".filter"], ["nothing", "/nothing",
        "h1"]]) {
      await tab.goto(site + path);
      await tab.waitForSelector(ready, {state: "attached"});
      check(`${name}, ${kind}: wider than the screen`, await tab.evaluate(() =>
        document.documentElement.scrollWidth <= window.innerWidth));
      await findsNothing(tab, `${name}, ${kind}`);
      await shoot(tab, `site-${name}-${kind}`);
    }
    await tab.goto(site + "/rules/rondo");
    await tab.click("text=Step through this game");
    await tab.keyboard.press("ArrowRight");
    check("the example is stepped", /^step 1 of/.test(await tab.textContent(
      ".where")));
    await tab.context().close();
  }
}

/* Two at once: who has answered is told, not what. */
async function together() {
  const tab = await visitor();

  await sitDown(tab, "second-chance", "random", "2");
  await until("the other has answered", async () => /has answered/.test(
    await tab.textContent(".seat.s1")));
  check("its piece is not shown", await tab.locator(".moves li").count() === 0);
  const other = await visitor();
  const clock = () => other.textContent(".seat.s2 .clock");

  await other.goto(site + "/game/" + tab.url().split("/").pop());
  await other.waitForSelector(".seat.s1");
  await until("a spectator sees that, too", async () => /has answered/.test(
    await other.textContent(".seat.s1")));
  const before = await clock();

  await until("the clock runs", async () => await clock() !== before);
  await other.context().close();
  await tab.context().close();
}

/* The switch holds on every page, and leaves no end in sight. */
async function spoilers() {
  const tab = await visitor();
  const cell = '[data-of="Games"] tbody tr:first-child td:last-child';

  await until("finished games", async () => {
    await tab.goto(site + "/games");
    return await tab.locator(cell).count() > 0;
  });
  check("results are shown", await tab.isVisible(cell));
  await tab.click("text=Hide results");
  check("results are hidden", !await tab.isVisible(cell));
  await tab.click('[data-of="Games"] tbody tr:first-child a');
  await tab.waitForSelector(".viewer .stepping");
  check("the length is hidden", await tab.textContent(".where") === "step 0" &&
    !await tab.isVisible(".track") &&
    await tab.locator(".moves li:visible").count() === 1);
  await shoot(tab, "no-spoilers");
  await tab.click("text=Hide results");
  check("and shown again", /of \d/.test(await tab.textContent(".where")));
  await tab.context().close();
}

(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"]});
  await start();
  await Promise.all([wholeGame("rondo", "random", mixed),
    wholeGame("axio-rota", "random", mixed, {dark: true}),
    wholeGame("second-chance", "random", mixed, {phone: true}),
    wholeGame("axiom", "strong", mixed)]);
  for (const way of process.env.PLAY_WHOLE ? [[byMouse], [byKeys]] : [])
    await Promise.all([wholeGame("rondo", "random", way),
      wholeGame("axio-rota", "random", way, {dark: true}),
      wholeGame("second-chance", "random", way, {phone: true}),
      wholeGame("axiom", "strong", way)]);
  await misclicks({}, "light");
  await misclicks({phone: true, dark: true}, "phone");
  await Promise.all([together(), spoilers(), hint(), pages()]);
  await browser.close();
  console.log(`${checked} checks, ${failed} faults`);
})().catch((error) => {
  console.log(error);
  failed++;
}).finally(() => {
  if (daemon)
    daemon.kill();
  process.exit(failed ? 1 : 0);
});
