"use strict";
/* second_chance.js - the grids of Second Chance side by side, and the cards. */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var CELL = 25, SIDE = 9, LEFT = 20, TOP = 46, WIDTH = 9 * 25 + 36;
  var HEIGHT = 9 * 25 + 62, MINI = 12.5, STRIP = 100;
  /* Of rounds that follow each other; the letter tells the round as well. */
  var colours = ["#f2c14e", "#7fb3e6", "#f29b6b", "#8fce8b", "#c9a3e6",
    "#7fd6cf", "#f08fa0", "#c8cf6b"];
  var roundLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

  function cellsOf(grid) {
    return grid.split("/").join("").split("");
  }

  /*
   * The step in which each square was filled, by seat; 0: it is free. A 1 that
   * came in the same step as a piece is half a step later, and so not of it;
   * what was there from the first step on is of 0.25.
   */
  function trace(game, n) {
    return R.fold(game, "filled", n, function (before, step, i) {
      return R.list(step.view.grids).map(function (grid, seat) {
        return cellsOf(grid).map(function (c, square) {
          if (c === ".")
            return 0;
          return before && before[seat][square] || (c === "1" ? i + 0.5 :
            i || 0.25);
        });
      });
    });
  }

  /* The round of a step: the one whose cards were chosen from before it. A
   * small board of a running game has the last step alone. */
  function roundOf(game, step) {
    return step < 1 ? 0 : R.fold(game, "round", Math.floor(step) - 1,
      function (before, one) {
        return Number(one.view.round);
      });
  }

  function letterOf(round) {
    return round ? roundLetters[(round - 1) % roundLetters.length] : "\u2217";
  }

  function colourOf(round) {
    return round ? colours[round % colours.length] : "#b9bec6";
  }

  function readPieces(game) {
    return R.kept(game, "pieces", function () {
      var pieces = {};

      R.list(game.head.facts.pieces).forEach(function (word) {
        var p = word.split(":");

        pieces[p[0]] = p[1];
      });
      return pieces;
    });
  }

  /* Lines where two different pieces meet, or one meets nothing. */
  function outline(filled, x, y, width, only) {
    var path = "", r, c, here, right, below;
    var at = function (row, column) {
      return row < 0 || column < 0 || row >= SIDE || column >= SIDE ? 0 :
        filled[row * SIDE + column];
    };
    var edge = function (a, b) {
      return a !== b && (only === undefined || a === only || b === only);
    };

    for (r = -1; r < SIDE; r++)
      for (c = -1; c < SIDE; c++) {
        here = at(r, c);
        right = at(r, c + 1);
        below = at(r + 1, c);
        if (edge(here, right))
          path += "M" + R.num(x + (c + 1) * CELL) + " " + R.num(y + r * CELL) +
            "v" + CELL;
        if (edge(here, below))
          path += "M" + R.num(x + c * CELL) + " " + R.num(y + (r + 1) * CELL) +
            "h" + CELL;
      }
    return path && el("path", {d: path, fill: "none",
      stroke: only === undefined ? "#23262b" : R.mark, "stroke-width": width,
      "stroke-linecap": "round"});
  }

  function square(game, seat, filled, marks, i, x, y) {
    var step = filled[i], round = roundOf(game, step);
    var first = filled.indexOf(step) === i;
    var name = "abcdefghi"[i % SIDE] + (Math.floor(i / SIDE) + 1);

    if (marks[i] === ".")
      return i === 40 ? el("circle", {cx: x + CELL / 2, cy: y + CELL / 2, r: 4,
        fill: "#a99f8a"}) : "";
    if (marks[i] === "1")
      return el("g", {"data-step": Math.floor(step)}, R.title(name + ": the 1 of seat " +
        seat) + el("rect", {x: x, y: y, width: CELL, height: CELL,
        fill: "#fff"}) + text(x + CELL / 2, y + CELL / 2, 17, "1",
        {fill: "#b3274a", "font-weight": 800}));
    return el("g", {"data-step": Math.floor(step)}, R.title(name + ": " +
      (round ? "round " + round : "start piece") + ", step " +
      Math.floor(step)) +
      el("rect", {x: x, y: y, width: CELL, height: CELL,
        fill: colourOf(round)}) + (first ? text(x + CELL / 2, y + CELL / 2 +
        0.5, 15, letterOf(round), {fill: "#1d2026", "font-weight": 700}) :
        ""));
  }

  function lines(x, y) {
    var path = "", i;

    for (i = 1; i < SIDE; i++)
      path += "M" + (x + i * CELL) + " " + y + "v" + SIDE * CELL + "M" + x +
        " " + (y + i * CELL) + "h" + SIDE * CELL;
    return el("path", {d: path, stroke: "#d9d1bf", "stroke-width": 1,
      fill: "none"});
  }

  function names(x, y) {
    var out = "", i;

    for (i = 0; i < SIDE; i++)
      out += text(x + (i + 0.5) * CELL, y - 8, 10, "abcdefghi"[i],
        {"fill-opacity": 0.65}) + text(x - 9, y + (i + 0.5) * CELL, 10, i + 1,
        {"fill-opacity": 0.65});
    return out;
  }

  /* A piece as it is printed on its card. */
  function piece(rows, x, y, size, fill) {
    var out = "";

    rows.split("/").forEach(function (row, r) {
      row.split("").forEach(function (c, k) {
        if (c === "x")
          out += el("rect", {x: x + k * size, y: y + r * size, width: size,
            height: size, fill: fill, stroke: "#2b2f36", "stroke-width": 1.2});
      });
    });
    return out;
  }

  function card(label, id, rows, x, y, fill) {
    var high = rows ? rows.split("/").length : 0;
    var wide = rows ? rows.split("/")[0].length : 0;

    return el("g", {}, R.title(label + " " + id) + el("rect", {x: x, y: y,
      width: 112, height: 86, rx: 8, fill: "#fffdf7", stroke: "#9d937c",
      "stroke-width": 1.5}) + text(x + 9, y + 15, 14, label, {fill: "#1d2026",
      "font-weight": 700, "text-anchor": "start"}) + text(x + 103, y + 15, 12,
      id, {fill: "#5b5f66", "text-anchor": "end"}) + (rows ? piece(rows,
      x + 56 - wide * MINI / 2, y + 54 - high * MINI / 2, MINI, fill) : ""));
  }

  function freeIn(marks) {
    return marks.filter(function (c) {
      return c === ".";
    }).length;
  }

  function heading(view, marks, seat, x, y) {
    var status = R.list(view.status)[seat - 1];
    var owes = R.list(view.owe).indexOf(String(seat)) >= 0 &&
      view.phase !== "over";

    return R.badge(x + 9, y + 14, seat, 9) + text(x + 24, y + 14, 14,
      freeIn(marks) + " free" + (R.list(view.ones)[seat - 1] === "1" ?
        ", has the 1" : "") + (status !== "in" ? " \u00b7 " + status : ""),
      {"text-anchor": "start", "font-weight": 600}) + (owes ? text(x + 225,
      y + 14, 11, "to choose", {"text-anchor": "end", "fill-opacity": 0.75}) :
      "");
  }

  function grid(game, n, view, filled, seat, x, y) {
    var marks = cellsOf(R.list(view.grids)[seat - 1]), out, i;
    var status = R.list(view.status)[seat - 1], gx = x + LEFT, gy = y + TOP;

    out = heading(view, marks, seat, gx, y) + names(gx, gy) +
      el("rect", {x: gx, y: gy, width: SIDE * CELL, height: SIDE * CELL,
        fill: "#fdfaf2"}) + lines(gx, gy);
    for (i = 0; i < SIDE * SIDE; i++)
      out += square(game, seat, filled, marks, i, gx + i % SIDE * CELL, gy +
        Math.floor(i / SIDE) * CELL);
    out += outline(filled, gx, gy, 2.6);
    [n, n + 0.5].forEach(function (step) {
      if (n > 0 && filled.indexOf(step) >= 0)
        out += outline(filled, gx, gy, 5, step);
    });
    out += el("rect", {x: gx, y: gy, width: SIDE * CELL, height: SIDE * CELL,
      fill: "none", stroke: "#2b2f36", "stroke-width": 2});
    return status === "in" || view.phase === "over" ? out :
      el("g", {opacity: 0.72}, out);
  }

  /* The cards that may be placed now: A and B, or one of each seat's own. */
  function offer(game, view) {
    var pieces = readPieces(game), round = Number(view.round), cards = [];

    if (view.phase === "main")
      cards = [["A", view.a], ["B", view.b]];
    else if (view.phase !== "over")
      R.list(view.cards).forEach(function (id, i) {
        if (id !== "-")
          cards.push([(view.phase === "second" ? "2nd chance, " : "start, ") +
            (i + 1), id]);
      });
    return cards.map(function (c) {
      return {label: c[0], id: c[1], rows: pieces[c[1]], fill:
        colourOf(view.phase === "start" ? 0 : round)};
    });
  }

  function columnsFor(seats, narrow) {
    if (seats === 1)
      return 1;
    if (narrow || seats === 4 || seats === 2)
      return 2;
    return 3;
  }

  function draw(game, n, who, look) {
    var view = R.view(game.steps[n], who), filled = trace(game, n);
    var seats = game.head.seats, alone = look.narrow && look.over;
    var columns = alone ? 1 : columnsFor(seats, look.narrow);
    var width = alone ? WIDTH : Math.max(columns * WIDTH, 2 * WIDTH), cards = offer(game, view);
    var left = (width - columns * WIDTH) / 2, out = "", i, gap, perRow, rows;

    /* On a phone the one who plays has the first grid, and a large one. */
    function rank(k) {
      if (!alone || k > who - 1)
        return k;
      return k === who - 1 ? 0 : k + 1;
    }

    perRow = Math.max(1, Math.floor(width / 122));
    rows = Math.ceil(Math.min(seats, 6) / perRow);
    gap = Math.min(cards.length, perRow) * 122 - 10;
    cards.forEach(function (c, k) {
      out += card(c.label, c.id, c.rows, (width - gap) / 2 + k % perRow * 122,
        4 + Math.floor(k / perRow) * STRIP, c.fill);
    });
    if (!cards.length)
      out += text(width / 2, 40, 14, "no more cards to place",
        {"fill-opacity": 0.6});
    rows = Math.max(1, rows);
    for (i = 0; i < seats; i++)
      out += grid(game, n, view, filled[i], i + 1, left + rank(i) % columns *
        WIDTH, rows * STRIP + Math.floor(rank(i) / columns) * HEIGHT);
    if (look.over)
      out += look.over(function (at) { /* a square of the seat that looks */
        var k = rank(who - 1), square = "abcdefghi".indexOf(at[0]);

        return {x: left + k % columns * WIDTH + LEFT + (square + 0.5) * CELL,
          y: rows * STRIP + Math.floor(k / columns) * HEIGHT + TOP +
            (Number(at[1]) - 0.5) * CELL, r: CELL / 2};
      });
    return R.svg(width, rows * STRIP + Math.ceil(seats / columns) * HEIGHT,
      "Second Chance, round " + view.round + ", " + view.left +
      " cards left", out);
  }

  function scores(view) {
    return R.list(view.grids).map(function (text9) {
      return freeIn(cellsOf(text9));
    });
  }

  function words(event) {
    var w = event.split(" ");

    if (w[0] === "round")
      return "round " + w[1] + ": " + w[2] + " or " + w[3] + ", " + w[4] +
        " cards left";
    if (w[0] === "start")
      return "start card " + w[2];
    if (w[0] === "second")
      return "second chance: " + w[2];
    if (w[0] === "out")
      return "drops out";
    if (w[0] === "one")
      return "gets the 1 on " + w[2];
    if (w[0] === "part")
      return "part " + w[1] + " is over (" + w[2] + "), " + w[3] + " free";
    return w[0] === "piece" ? "" : null;
  }

  function status(view) {
    return (view.round === "0" ? "the start" : "round " + view.round) +
      " \u00b7 " + view.left + " cards left";
  }

  var legend = ["Above: the two cards of the round. Everybody must place " +
    "one of the two shapes, turned or mirrored at will.",
    "Each piece has an outline, a colour and the letter of its round; " +
    "\u2217 is the start piece. Those placed last are marked yellow.",
    "The number beside a name counts the squares that are free: fewer is " +
    "better."];

  R.board("second-chance", {legend: legend, pieces: readPieces, piece: piece, draw: draw, scores: scores, score: "free squares",
    narrows: true, words: words, status: status});
})();
