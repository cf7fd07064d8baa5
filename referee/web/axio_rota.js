"use strict";
/* axio_rota.js - the tiles of AXIO rota, their circles, hands and markers. */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var TILE = 66, QUARTER = 27;
  var letters = "RGBOP";
  var colours = {R: "#e5484d", G: "#3fae5a", B: "#4a8fe7", O: "#f59e1b",
    P: "#b266d9"};
  var names = {R: "red", G: "green", B: "blue", O: "orange", P: "purple"};

  function polygon(x, y, r, points) {
    return points.map(function (p) {
      return R.num(x + r * p[0]) + "," + R.num(y + r * p[1]);
    }).join(" ");
  }

  function regular(corners, turn) {
    var points = [], i, a;

    for (i = 0; i < corners; i++) {
      a = (i / corners + turn) * 2 * Math.PI;
      points.push([Math.sin(a), -Math.cos(a)]);
    }
    return points;
  }

  /* Each colour has its own shape, and its letter inside. */
  var shapes = {R: [regular(3, 0), 1.42], B: [regular(4, 0.125), 1.24],
    O: [regular(4, 0), 1.32], P: [regular(6, 0), 1.14]};

  function form(x, y, r, letter, fill) {
    var shape = shapes[letter];

    return letter === "G" ? el("circle", {cx: x, cy: y, r: r, fill: fill}) :
      el("polygon", {points: polygon(x, y + (letter === "R" ? r * 0.16 : 0),
        r * shape[1], shape[0]), fill: fill, stroke: fill,
      "stroke-width": r * 0.2, "stroke-linejoin": "round"});
  }

  function letterAt(x, y, r, letter) {
    return text(x, y + r * (letter === "R" ? 0.26 : 0.06), r * 1.2, letter,
      {fill: "#14161a", "font-weight": 800});
  }

  function symbol(x, y, r, letter) {
    return form(x, y, r, letter, colours[letter]) + letterAt(x, y, r, letter);
  }

  /* Corners clockwise from the north-west: where, and the way inwards. */
  var corners = [[0, 0, 1, 1], [1, 0, -1, 1], [1, 1, -1, -1], [0, 1, 1, -1]];

  /* A quarter of a circle in its colour: four that meet make a whole one. */
  function quarter(x, y, size, i, letter) {
    var c = corners[i], px = x + c[0] * size, py = y + c[1] * size;
    var q = QUARTER * size / TILE, at = q * 0.47;
    var path = "M" + R.num(px) + " " + R.num(py) + "H" + R.num(px + c[2] * q) +
      "A" + R.num(q) + " " + R.num(q) + " 0 0 " + (c[2] === c[3] ? 1 : 0) +
      " " + R.num(px) + " " + R.num(py + c[3] * q) + "Z";
    var mx = px + c[2] * at, my = py + c[3] * at;

    if (letter === ".")
      return el("path", {d: path, fill: "#fbf7ec", stroke: "#8d836c",
        "stroke-width": 1.2, "stroke-dasharray": "3 2.4"});
    return el("path", {d: path, fill: colours[letter], stroke: "#1a1c20",
      "stroke-width": 1.1}) + form(mx, my, q * 0.27, letter, "#fffdf6") +
      letterAt(mx, my, q * 0.29, letter);
  }

  function tile(x, y, size, letters4, edge) {
    var round = size * 0.06, out = el("rect", {x: x, y: y, width: size,
      height: size, rx: round, fill: "#efe8d6"}), i;

    if (letters4 === "?")
      return el("rect", {x: x, y: y, width: size, height: size, rx: round,
        fill: "#5a6068"}) + text(x + size / 2, y + size / 2, size * 0.5, "?",
        {fill: "#e8eaed", "font-weight": 700}) +
        el("rect", {x: x + 0.7, y: y + 0.7, width: size - 1.4,
          height: size - 1.4, rx: round, fill: "none", stroke: "#2d3138",
          "stroke-width": 1.2});
    for (i = 0; i < 4; i++)
      out += quarter(x, y, size, i, letters4[i]);
    return out + el("rect", {x: x + 0.5, y: y + 0.5, width: size - 1,
      height: size - 1, rx: round, fill: "none", stroke: edge || "#a3977c",
      "stroke-width": edge ? 4.5 : 1.2});
  }

  function readTiles(view) {
    return R.list(view.tiles, ";").map(function (word) {
      var p = word.split(":"), cell = p[0].split(",");

      return {x: Number(cell[0]), y: Number(cell[1]), letters: p[1]};
    });
  }

  /* The circles in which the tile of a move scored, as the referee tells. */
  function scored(play) {
    return R.list(play && play.facts && play.facts.circles, ";").map(
      function (word) {
        var p = word.split(":"), point = p[0].split(",");

        return {x: Number(point[0]), y: Number(point[1]), letter: p[1],
          count: Number(p[2])};
      });
  }

  /* The table holds all tiles of the game, so that it does not jump. */
  function bounds(game, reach) {
    var tiles = readTiles(game.steps[game.steps.length - 1].view).concat(
      (reach || []).map(function (at) {
        return {x: Number(at.split(",")[0]), y: Number(at.split(",")[1])};
      }));
    var xs = tiles.map(function (t) { return t.x; });
    var ys = tiles.map(function (t) { return t.y; });

    return {left: Math.min.apply(null, xs), right: Math.max.apply(null, xs),
      low: Math.min.apply(null, ys), high: Math.max.apply(null, ys)};
  }

  /* The table, with the cells that the game will use. */
  function ground(b, px, py) {
    var wide = (b.right - b.left + 1) * TILE, high = (b.high - b.low + 1) *
      TILE, x = px(b.left), y = py(b.high), path = "", i;

    for (i = 1; i <= b.right - b.left; i++)
      path += "M" + R.num(x + i * TILE) + " " + R.num(y) + "v" + high;
    for (i = 1; i <= b.high - b.low; i++)
      path += "M" + R.num(x) + " " + R.num(y + i * TILE) + "h" + wide;
    return el("rect", {x: x - 9, y: y - 9, width: wide + 18, height: high + 18,
      rx: 12, fill: "#41604f", stroke: "#2c4437", "stroke-width": 2}) +
      (path && el("path", {d: path, fill: "none", stroke: "#fff",
        "stroke-opacity": 0.13}));
  }

  function axes(b, px, py) {
    var out = ground(b, px, py), i;

    for (i = b.left; i <= b.right; i++)
      out += text(px(i) + TILE / 2, py(b.low) + TILE + 21, 13, i,
        {"fill-opacity": 0.75});
    for (i = b.low; i <= b.high; i++)
      out += text(px(b.left) - 23, py(i) + TILE / 2, 13, i,
        {"fill-opacity": 0.75});
    return out;
  }

  function draw(game, n, who, look) {
    var step = game.steps[n], view = R.view(step, who);
    var tiles = readTiles(view), b = bounds(game, look.reach), plays = R.plays(step, who);
    var fresh = plays.length > 0;
    var pad = 36, top = 12, laid = laidIn(game, n);
    var wide = (b.right - b.left + 1) * TILE, high = (b.high - b.low + 1) *
      TILE;
    var px = function (x) { return pad + (x - b.left) * TILE; };
    var py = function (y) { return top + (b.high - y) * TILE; };
    var out = axes(b, px, py);

    tiles.forEach(function (t, i) {
      var last = fresh && i === tiles.length - 1;

      out += el("g", i > 3 ? {"data-step": laid[i]} : {},
        R.title("tile " + t.letters + " on " + t.x + "," + t.y) +
        tile(px(t.x), py(t.y), TILE, t.letters, last ? R.mark : null));
    });
    scored(plays[0]).forEach(function (c) {
      out += circle(px(c.x), py(c.y) + TILE, c);
    });
    if (look.over)
      out += look.over(function (at) {
        return {x: px(Number(at.split(",")[0])) + TILE / 2,
          y: py(Number(at.split(",")[1])) + TILE / 2, r: TILE / 2};
      });
    return R.svg(wide + 2 * pad, high + top + pad, "AXIO rota, " +
      tiles.length + " tiles", out);
  }

  function circle(x, y, c) {
    return el("circle", {cx: x, cy: y, r: QUARTER + 2, fill: "none",
      stroke: "#1a1c20", "stroke-width": 6.5}) + el("circle", {cx: x, cy: y,
      r: QUARTER + 2, fill: "none", stroke: R.mark, "stroke-width": 4}) +
      el("circle", {cx: x, cy: y, r: 10.5, fill: R.mark, stroke: "#1a1c20",
        "stroke-width": 1.6}) + text(x, y + 0.5, 12.5, "+" + c.count,
      {fill: "#14161a", "font-weight": 800}) +
      R.title("+" + c.count + " " + names[c.letter]);
  }

  /* The step in which each tile was laid. */
  function laidIn(game, n) {
    return R.fold(game, "laid", n, function (before, step, k) {
      var count = R.list(step.view.tiles, ";").length, laid = (before ||
        []).slice(0, count);

      while (laid.length < count)
        laid.push(k);
      return laid;
    });
  }

  function turned(letters4, r) {
    return letters4.slice(4 - r) + letters4.slice(0, 4 - r);
  }

  function track(letter, value, y) {
    var out = symbol(12, y, 6.2, letter), i;

    for (i = 0; i <= 12; i++)
      out += el("circle", {cx: 29 + 14.2 * i, cy: y, r: i === value ? 6.6 :
        i < value ? 4.2 : 2.6, fill: i <= value ? colours[letter] :
        "currentColor", "fill-opacity": i <= value ? 1 : 0.28});
    return out + text(29 + 14.2 * value, y + 0.4, value > 9 ? 7.6 : 8.6, value,
      {fill: "#14161a", "font-weight": 700});
  }

  function seat(game, n, who, k) {
    var view = R.view(game.steps[n], who);
    var marks = R.list(view.mark)[k - 1].split("/").map(Number);
    var hand = view.hand.split(",")[k - 1], out = "", i;

    for (i = 0; i < 5; i++)
      out += track(letters[i], marks[i], 10 + 16 * i);
    out += handOf(hand);
    return R.svg(216, 142, "markers " + letters.split("").map(
      function (letter, j) {
        return names[letter] + " " + marks[j];
      }).join(", ") + "; hand " + (hand === "?" ? "hidden" : hand), out);
  }

  function handOf(hand) {
    var out = "", r;

    if (hand === "-")
      return text(108, 112, 11, "no tile in hand", {"fill-opacity": 0.6});
    if (hand === "?")
      return tile(12, 92, 40, "?") + text(62, 112, 11, "hidden tile",
        {"fill-opacity": 0.7, "text-anchor": "start"});
    for (r = 0; r < 4; r++)
      out += tile(12 + 51 * r, 92, 40, turned(hand, r)) +
        text(32 + 51 * r, 138, 8.5, "turn " + r, {"fill-opacity": 0.7});
    return out;
  }

  function scores(view) {
    return R.list(view.mark).map(function (marks) {
      return Math.min.apply(null, marks.split("/").map(Number));
    });
  }

  function words(event) {
    var w = event.split(" ");

    if (w[0] === "hand")
      return "takes " + (w[2] === "?" ? "a hidden tile" : w[2]);
    if (w[0] === "bonus")
      return "bonus turn with " + w[2];
    if (w[0] === "lay") /* "play" says it */
      return "";
    if (w[0] === "marks")
      return "markers " + w[2];
    return null;
  }

  function status(view) {
    return "supply " + view.supply +
      (view.phase[0] === "b" ? " \u00b7 bonus turn" : "");
  }

  var legend = ["Each corner of a tile is a quarter of a circle, in a colour " +
    "that its letter names; a corner without one is empty.",
    "The tile that was laid last has a yellow edge. The circles that scored " +
    "with it are ringed, with the points in the middle.",
    "Beside each name: the five markers from 0 to 12, and the tile in hand " +
    "with its four turns. The lowest marker is the score."];

  R.board("axio-rota", {legend: legend, tile: tile, turned: turned, draw: draw, seat: seat, scores: scores,
    score: "lowest marker", words: words, status: status});
})();
