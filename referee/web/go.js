"use strict";
/* go.js - the board of Go: wood and lines, stones, captures, the last move. */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var CELL = 34, EDGE = 44, STONE = 16.2, LINE = "#4d3a1c";
  var columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

  function stars(size) {
    var near = size < 13 ? 2 : 3, list = [], middle = (size - 1) / 2;

    if (size < 7)
      return list;
    [near, size - 1 - near].forEach(function (x) {
      [near, size - 1 - near].forEach(function (y) {
        list.push([x, y]);
      });
    });
    if (size % 2)
      list.push([middle, middle]);
    if (size % 2 && size > 13)
      list.push([near, middle], [size - 1 - near, middle], [middle, near],
        [middle, size - 1 - near]);
    return list;
  }

  function at(k) {
    return EDGE + k * CELL;
  }

  /* Light falls from the upper left, on wood and on stones. */
  function defs() {
    return el("defs", {}, R.shade("go-wood", [[0, "#efcb8b"], [0.5, "#e6bb74"],
      [1, "#d9a95c"]], {x1: 0, y1: 0, x2: 1, y2: 1}) +
      R.shade("go-b", [[0, "#7b828d"], [0.35, "#33373e"], [1, "#101216"]],
        {cx: 0.36, cy: 0.3, r: 0.75}) +
      R.shade("go-w", [[0, "#ffffff"], [0.6, "#f3f0e9"], [1, "#c9c3b6"]],
        {cx: 0.36, cy: 0.3, r: 0.85}));
  }

  function wood(side) {
    var path = "", i, y;

    for (i = 0; i < 9; i++) {
      y = side * (i + 0.5) / 9;
      path += "M0 " + R.num(y) + "C" + R.num(side * 0.3) + " " + R.num(y - 9 +
        i * 2) + " " + R.num(side * 0.7) + " " + R.num(y + 11 - i * 2) + " " +
        R.num(side) + " " + R.num(y - 3);
    }
    return el("rect", {width: side, height: side, rx: 8, fill:
      "url(#go-wood)"}) + el("path", {d: path, fill: "none", stroke: "#7d5420",
      "stroke-opacity": 0.09, "stroke-width": 5});
  }

  function lines(size) {
    var path = "", i;

    for (i = 0; i < size; i++)
      path += "M" + at(i) + " " + at(0) + "V" + at(size - 1) + "M" + at(0) +
        " " + at(i) + "H" + at(size - 1);
    return el("path", {d: path, stroke: LINE, "stroke-width": 1.2,
      fill: "none", "stroke-linecap": "square"}) + el("rect", {x: at(0),
      y: at(0), width: at(size - 1) - at(0), height: at(size - 1) - at(0),
      fill: "none", stroke: LINE, "stroke-width": 2.2}) + stars(size).map(
      function (p) {
        return el("circle", {cx: at(p[0]), cy: at(p[1]), r: 4, fill: LINE});
      }).join("");
  }

  /* On all four sides, and as large on a large board as on a small one. */
  function names(size) {
    var out = "", far = at(size - 1) + 28, near = at(0) - 28, i;
    var high = size > 13 ? 15 : 12.5, ink = {fill: LINE};

    for (i = 0; i < size; i++)
      out += text(at(i), far, high, columns[i], ink) + text(at(i), near, high,
        columns[i], ink) + text(near, at(i), high, size - i, ink) + text(far,
        at(i), high, size - i, ink);
    return out;
  }

  /* White has a ring besides its colour, as black has none. */
  function stone(x, y, side, last) {
    var black = side === "x", cx = at(x), cy = at(y);

    return el("circle", {cx: cx + 1.2, cy: cy + 2.2, r: STONE, fill: "#000",
      "fill-opacity": 0.24}) + el("circle", {cx: cx, cy: cy, r: STONE,
      fill: black ? "url(#go-b)" : "url(#go-w)", stroke: black ? "#000" :
      "#8f897c", "stroke-width": 0.9}) + (last ? el("circle", {cx: cx, cy: cy,
      r: 8, fill: "none", stroke: black ? R.mark : "#b36b00",
      "stroke-width": 4}) : black ? "" : el("circle", {cx: cx, cy: cy, r: 11,
      fill: "none", stroke: "#9b9484", "stroke-opacity": 0.55,
      "stroke-width": 0.9}));
  }

  /* What was played and captured in a step: names of points. */
  function happened(step) {
    var found = {played: null, seat: 0, gone: []};

    step.events.forEach(function (event) {
      var w = event.text.split(" ");

      if (w[0] === "play") {
        found.played = w[2];
        found.seat = Number(w[1]);
      } else if (w[0] === "capture") {
        found.gone = w.slice(1).join(",").split(",");
      }
    });
    return found;
  }

  /* Where a stone was captured, and whose it was: a cross in a ring. */
  function captured(x, y) {
    var cx = at(x), cy = at(y);

    return el("circle", {cx: cx, cy: cy, r: 11, fill: "#e6bb74", stroke:
      "#b3222b", "stroke-width": 2.2, "stroke-dasharray": "4 3"}) +
      el("path", {d: "M" + (cx - 4) + " " + (cy - 4) + "l8 8m0 -8l-8 8",
        stroke: "#b3222b", "stroke-width": 2.2, fill: "none"});
  }

  function draw(game, n, who, look) {
    var view = R.view(game.steps[n], who), rows = view.board.split("/");
    var size = rows.length, side = 2 * EDGE + (size - 1) * CELL;
    var now = happened(game.steps[n]), laid = laidIn(game, n), out;

    out = defs() + wood(side) + lines(size) + names(size);
    rows.forEach(function (row, y) {
      row.split("").forEach(function (c, x) {
        var name = columns[x] + (size - y);

        if (c !== ".")
          out += el("g", {"data-step": laid[y * (size + 1) + x]},
            R.title((c === "x" ? "black" : "white") + " stone on " + name) +
            stone(x, y, c, now.played === name));
        else if (now.gone.indexOf(name) >= 0)
          out += captured(x, y);
      });
    });
    if (now.played && /^pass$/i.test(now.played))
      out += R.pill(side / 2, side - 19, (now.seat === 1 ? "black" : "white") +
        " passes");
    if (look.over)
      out += look.over(function (name) {
        return {x: at(columns.indexOf(name[0])), y: at(size -
          Number(name.slice(1))), r: CELL / 2};
      });
    return R.svg(side, side, "Go, " + size + " by " + size + ", move " +
      view.move + (now.played ? ", last " + now.played : ""), out);
  }

  /* For each place of the text, the step in which its stone was played. */
  function laidIn(game, n) {
    return R.fold(game, "laid", n, function (before, step, k) {
      return step.view.board.split("").map(function (c, i) {
        return c !== "." && before && before[i] || (c === "." ? 0 : k);
      });
    });
  }

  /* Stones on the board; what surrounds what is for the rules to say. */
  function scores(view) {
    return ["x", "o"].map(function (side) {
      return view.board.split(side).length - 1;
    });
  }

  function words(event) {
    var w = event.split(" ");

    return w[0] === "capture" ? "captured: " + w.slice(1).join(" ") : null;
  }

  function status(view) {
    return "move " + view.move + " \u00b7 captured by black " +
      view.captured.split(",")[0] + ", by white " +
      view.captured.split(",")[1] + " \u00b7 komi " + view.komi;
  }

  var legend = ["The stone that was played last has a ring. Crosses show " +
    "where stones have just been taken off.",
    "Columns have letters without I, rows have numbers from below."];

  R.board("go", {legend: legend, draw: draw, scores: scores, score: "stones on the board",
    words: words, status: status, seatNames: ["black", "white"],
    tokens: [["#24272c", "#ffffff"], ["#fbfaf6", "#24272c"]]});
})();
