"use strict";
/*
 * draw.js - what all drawings share.
 *
 * A drawing is a pure function from a game and a step number to SVG text; it
 * reads the steps that "referee replay --steps" wrote and knows no rules. A
 * board registers itself with Referee.board(NAME, {...}); all members but
 * `draw` are optional:
 *
 *     draw(game, n, who, look)   the position of step n as `who` sees it
 *     seat(game, n, who, seat)   what a seat holds, for its panel
 *     scores(view)               a number by seat, for the chart
 *     score                      what these numbers are called
 *     looks                      names of ways to look at the board
 *     narrows                    true if `look.narrow` changes it
 *     seatNames                  what the seats are called, such as black
 *     tokens                     the colour of each seat's pieces, and its ink
 *     turns                      true if `look.yaw` turns it
 *     setup(view)                the option that starts a game from here
 *     words(text)                an event in plain words, or null
 *     status(view)               a few words on the position for all to see
 *     legend                     sentences: how to read the drawing
 *
 * `who` is "all", "public" or the number of a seat. `look` has `mode`, one of
 * looks; `yaw` in degrees; `narrow` on a phone; and where a person plays
 * (play_input.js) `reach`, places that must be in the picture, and `over`, a
 * function that gets one which says where such a place is, {x, y, r}, and
 * returns SVG text to be drawn above everything.
 */
var Referee = (function () {
  var boards = {}, keptOf = new WeakMap();

  /* Distinct in lightness too; a seat's number is always written besides. */
  var seatColours = ["#2f6db5", "#c85a11", "#2c7d4f", "#7d46a8", "#b3274a",
    "#4c6470"];
  var mark = "#f0a500"; /* the last move */

  function board(name, it) {
    boards[name] = it;
  }

  function escape(text) {
    return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;")
      .replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  }

  /* A number with at most two decimals, the same in every engine. */
  function num(x) {
    var text = (Math.round(x * 100) / 100).toFixed(2).replace(/\.?0+$/, "");

    return text === "-0" ? "0" : text;
  }

  function attributes(values) {
    var text = "", key;

    for (key in values) {
      if (values[key] === null || values[key] === undefined)
        continue;
      text += " " + key + '="' +
        (typeof values[key] === "number" ? num(values[key])
          : escape(values[key])) + '"';
    }
    return text;
  }

  /* One element; `inside` is SVG text already. */
  function el(name, values, inside) {
    return "<" + name + attributes(values) +
      (inside === undefined || inside === "" ? "/>"
        : ">" + inside + "</" + name + ">");
  }

  function text(x, y, size, words, values) {
    var all = {x: x, y: y, "font-size": size, "text-anchor": "middle",
      "dominant-baseline": "central"}, key;

    for (key in values)
      all[key] = values[key];
    return el("text", all, escape(words));
  }

  function title(words) {
    return "<title>" + escape(words) + "</title>";
  }

  function svg(width, height, label, inside, values) {
    var all = {xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 " +
      num(width) + " " + num(height), role: "img", "aria-label": label,
      "font-family": "system-ui, sans-serif", fill: "currentColor"}, key;

    for (key in values)
      all[key] = values[key];
    return el("svg", all, inside);
  }

  /* Who sees what: the view of one audience at a step. */
  function view(step, who) {
    var seen = step.seen && step.seen[who], all = {}, key;

    for (key in step.view)
      all[key] = step.view[key];
    for (key in seen || {})
      if (seen[key] === null)
        delete all[key];
      else
        all[key] = seen[key];
    return all;
  }

  /* What was made of a game once, so that a step need not make it again. */
  function kept(game, name, make) {
    var all = keptOf.get(game);

    if (!all)
      keptOf.set(game, all = {});
    if (!(name in all))
      all[name] = make();
    return all[name];
  }

  /*
   * What the steps up to n add up to. `next(before, step, k)` makes it of what
   * was before; each step is read once, however often one steps to and fro.
   */
  function fold(game, name, n, next) {
    var list = kept(game, name, function () {
      return [];
    });

    while (list.length <= n)
      list.push(next(list[list.length - 1], game.steps[list.length],
        list.length));
    return list[n];
  }

  /* May this audience read the event? */
  function reads(event, who) {
    if (!event.to || who === "all")
      return true;
    return event.to.split(",").indexOf(who === "public" ? "w" : String(who))
      >= 0;
  }

  /*
   * The events of a step as an audience saw them. What several audiences were
   * told in different words is shown to "all" in the words that tell most.
   */
  function events(step, who) {
    var found = step.events.filter(function (event) {
      return reads(event, who);
    });

    if (who !== "all")
      return found;
    return found.filter(function (event, i) {
      var before = found[i - 1];

      return !(before && before.to && event.to && event.to.length >
        before.to.length && event.text.split(" ").slice(0, 2).join(" ") ===
        before.text.split(" ").slice(0, 2).join(" "));
    });
  }

  /* The moves of a step: [{seat, move, facts}]. */
  function plays(step, who) {
    return events(step, who).map(function (event) {
      var words = event.text.split(" ");

      return words[0] === "play" && words.length === 3 ?
        {seat: Number(words[1]), move: words[2], facts: event.facts} : null;
    }).filter(Boolean);
  }

  /* A gradient of [[part, colour]]; the same name means the same everywhere. */
  function shade(name, stops, values) {
    var all = {id: name}, key;

    for (key in values)
      all[key] = String(values[key]);
    return el("r" in values ? "radialGradient" : "linearGradient", all,
      stops.map(function (stop) {
        return el("stop", {offset: String(stop[0]), "stop-color": stop[1],
          "stop-opacity": stop.length > 2 ? String(stop[2]) : null});
      }).join(""));
  }

  /* A few words on top of a drawing, such as "black passes". */
  function pill(x, y, words) {
    var wide = words.length * 9.4 + 30;

    return el("rect", {x: x - wide / 2, y: y - 18, width: wide, height: 36,
      rx: 18, fill: "#23262b", "fill-opacity": 0.86, stroke: mark,
      "stroke-width": 2.5}) + text(x, y + 0.5, 17, words, {fill: "#fff",
      "font-weight": 600});
  }

  function seatColour(seat) {
    return seatColours[(seat - 1) % seatColours.length];
  }

  /* The number of a seat on its colour, or on that of its pieces. */
  function badge(x, y, seat, r, token) {
    return el("circle", {cx: x, cy: y, r: r, fill: token ? token[0] :
      seatColour(seat), stroke: token ? "#7d8794" : "#fff", "stroke-width":
      r / 6}) + text(x, y, r * 1.35, seat, {fill: token ? token[1] : "#fff",
      "font-weight": 700});
  }

  function list(value, separator) {
    return !value || value === "-" ? [] : value.split(separator || ",");
  }

  /* The name of a player, or the seat if nobody has one. */
  function playerName(game, seat) {
    var player = game.head.players[seat - 1];

    return player && player.name ? player.name : "seat " + seat;
  }

  /* An element; `on` has its listeners, `text` its text. */
  function make(doc, name, values, inside) {
    var node = doc.createElement(name), key;

    for (key in values || {})
      if (key === "text")
        node.textContent = values.text;
      else if (key === "on")
        Object.keys(values.on).forEach(function (event) {
          node.addEventListener(event, values.on[event]);
        });
      else if (values[key] !== null && values[key] !== undefined)
        node.setAttribute(key, values[key]);
    (inside || []).forEach(function (child) {
      if (child)
        node.appendChild(child);
    });
    return node;
  }

  function clockText(seconds) {
    var s = Math.max(0, seconds), m;

    if (s < 10)
      return s.toFixed(1) + " s";
    s = Math.floor(s);
    m = Math.floor(s / 60);
    return (m >= 60 ? Math.floor(m / 60) + ":" + ("0" + m % 60).slice(-2) : m) +
      ":" + ("0" + s % 60).slice(-2);
  }

  /* "fischer:1m+2s" for people; what is rare stays as it is. */
  function timeText(control) {
    var m = /^(none|move|fischer)(?::([^+,]+)(?:\+([^,]+))?)?$/.exec(control);

    if (!m)
      return control;
    return m[1] === "none" ? "no limit" : m[2] + (m[3] ? " + " + m[3] : "") +
      " a move";
  }

  return {boards: boards, board: board, escape: escape, num: num, el: el,
    text: text, title: title, svg: svg, view: view, kept: kept, fold: fold, events: events,
    plays: plays, shade: shade, pill: pill, seatColour: seatColour, badge: badge, list: list,
    playerName: playerName, make: make, clockText: clockText, timeText: timeText, mark: mark, seatColours: seatColours};
})();
