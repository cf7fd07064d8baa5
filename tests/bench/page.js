"use strict";
/*
 * How fast the page is, in a real browser: the time from the request of a
 * finished game's page to its first board, and the time of a step with its
 * layout, for each game. Figures only; nothing fails.
 */

const fs = require("fs");
const path = require("path");
const {execFileSync, spawn} = require("child_process");
const {chromium} = require("playwright-core");

const {BUILD, WORK, CHROMIUM} = process.env;
const referee = path.join(BUILD, "referee", "referee");
const ROUNDS = 7;

const sorted = (list) => list.slice().sort((a, b) => a - b);
const part = (list, p) => sorted(list)[Math.min(list.length - 1,
  Math.floor(p * list.length))];

/* A ladder of each game that plays one game; then the machine is quiet. */
async function serve() {
  const names = JSON.parse(execFileSync(referee, ["games", "--json"])).map(
    (game) => game.name);
  const log = path.join(WORK, "log");

  fs.writeFileSync(path.join(WORK, "referee.ini"), `[server]
data = ${WORK}/data
http = 127.0.0.1:0
stop-limit = 0
[bot one]
command = ${BUILD}/sample-bots/c/random
[bot two]
command = ${BUILD}/sample-bots/c/random
` + names.map((name) => `[ladder ${name}]
game = ${name}
seats = 2
bots = one, two
join = none
max-games-per-pair = 1
${name === "go" ? "set = maxmoves=200\n" : ""}`).join(""));
  const daemon = spawn(referee, ["serve", path.join(WORK, "referee.ini")],
    {stdio: ["ignore", "ignore", fs.openSync(log, "w")]});
  let site;

  for (;;) {
    const found = fs.readFileSync(log, "utf8").match(/http on .* port (\d+)/);

    if (found) {
      site = "http://127.0.0.1:" + found[1];
      break;
    }
    if (daemon.exitCode !== null)
      throw new Error(fs.readFileSync(log, "utf8"));
    await new Promise((done) => setTimeout(done, 50));
  }
  return {daemon, site, names};
}

async function finishedGame(site, ladder) {
  for (;;) {
    const answer = await fetch(`${site}/api/ladders/${ladder}/games?limit=1`);
    const list = answer.ok ? await answer.json() : [];

    if (list.length)
      return list[0].id;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/* When the first board is there to be painted, since the navigation began. */
function watchForBoard() {
  new MutationObserver((all, me) => {
    if (!document.querySelector(".board svg"))
      return;
    me.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.firstBoard = performance.now();
    }));
  }).observe(document, {subtree: true, childList: true});
}

async function firstBoard(browser, url, warm) {
  const times = [];
  let context = null;

  for (let i = 0; i < ROUNDS; i++) {
    if (!warm || !context)
      context = await browser.newContext({viewport: {width: 1440,
        height: 900}});
    const tab = await context.newPage();

    await tab.addInitScript(watchForBoard);
    await tab.goto(url);
    await tab.waitForFunction(() => window.firstBoard);
    if (!warm || i > 0)
      times.push(await tab.evaluate(() => window.firstBoard));
    await tab.close();
    if (!warm)
      await context.close();
  }
  return times;
}

/* Every step, forwards and then backwards, each with its style and layout. */
async function steps(browser, url) {
  const tab = await browser.newPage();

  await tab.goto(url);
  await tab.waitForSelector(".board svg");
  const times = await tab.evaluate(() => {
    const last = Number(document.querySelector("input[type=range]").max);
    const times = [];

    for (const key of ["Home", "ArrowRight", "ArrowLeft"])
      for (let n = 0; n < (key === "Home" ? 1 : last); n++) {
        const start = performance.now();

        document.dispatchEvent(new KeyboardEvent("keydown", {key}));
        document.querySelector(".board").getBoundingClientRect();
        if (key !== "Home")
          times.push(performance.now() - start);
      }
    return times;
  });

  await tab.close();
  return times;
}

async function bytes(browser, url) {
  const tab = await browser.newPage();
  let all = 0, record = 0;

  tab.on("response", async (it) => {
    const size = (await it.body().catch(() => "")).length;

    all += size;
    if (/\/api\//.test(it.url()))
      record += size;
  });
  await tab.goto(url);
  await tab.waitForSelector(".board svg");
  await tab.waitForLoadState("networkidle");
  await tab.close();
  return [all - record, record];
}

(async () => {
  const {daemon, site, names} = await serve();
  const browser = await chromium.launch({executablePath: CHROMIUM, args: [
    "--headless", "--no-sandbox", "--disable-gpu"]});

  console.log("game            page KB  record KB  first board, ms: cold  " +
    "warm   step, ms: median  99 %   steps");
  for (const name of names) {
    const url = `${site}/game/${await finishedGame(site, name)}`;
    const [page, record] = await bytes(browser, url);
    const cold = await firstBoard(browser, url, false);
    const warm = await firstBoard(browser, url, true);
    const times = await steps(browser, url);

    console.log(name.padEnd(15), (page / 1000).toFixed(0).padStart(7),
      (record / 1000).toFixed(0).padStart(10), part(cold, 0.5).toFixed(0)
        .padStart(23), part(warm, 0.5).toFixed(0).padStart(5),
      part(times, 0.5).toFixed(1).padStart(17), part(times, 0.99).toFixed(1)
        .padStart(6), String(times.length).padStart(7));
  }
  await browser.close();
  daemon.kill();
})().catch((error) => {
  console.log(error);
  process.exit(1);
});
