"use strict";
/* go.js - the board of Go: lines, stones with their letters, the last move. */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var CELL = 34, EDGE = 42;
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

  function lines(size) {
    var path = "", i;

    for (i = 0; i < size; i++)
      path += "M" + at(i) + " " + at(0) + "V" + at(size - 1) + "M" + at(0) +
        " " + at(i) + "H" + at(size - 1);
    return el("path", {d: path, stroke: "#5a4522", "stroke-width": 1.3,
      fill: "none", "stroke-linecap": "square"}) + stars(size).map(
      function (p) {
        return el("circle", {cx: at(p[0]), cy: at(p[1]), r: 3.6,
          fill: "#5a4522"});
      }).join("");
  }

  function names(size) {
    var out = "", i;

    for (i = 0; i < size; i++)
      out += text(at(i), at(size - 1) + 29, 12, columns[i], {fill: "#5a4522"}) +
        text(at(0) - 29, at(i), 12, size - i, {fill: "#5a4522"});
    return out;
  }

  function stone(x, y, side, last) {
    var black = side === "x", ink = black ? "#fff" : "#222";

    return el("circle", {cx: at(x), cy: at(y) + 1.5, r: 15.4, fill: "#000",
      "fill-opacity": 0.25}) + el("circle", {cx: at(x), cy: at(y), r: 15.4,
      fill: black ? "#24272c" : "#fbfaf6", stroke: black ? "#000" : "#9a948a",
      "stroke-width": 1}) + (last ? el("circle", {cx: at(x), cy: at(y), r: 9,
      fill: "none", stroke: R.mark, "stroke-width": 4}) : text(at(x), at(y) +
      0.5, 11, black ? "b" : "w", {fill: ink, "fill-opacity": 0.45}));
  }

  /* What was played and captured in a step: names of points. */
  function happened(step) {
    var found = {played: null, gone: []};

    step.events.forEach(function (event) {
      var w = event.text.split(" ");

      if (w[0] === "play")
        found.played = w[2];
      else if (w[0] === "capture")
        found.gone = w.slice(1).join(",").split(",");
    });
    return found;
  }

  function draw(game, n, who, look) {
    var view = R.view(game.steps[n], who), rows = view.board.split("/");
    var size = rows.length, side = 2 * EDGE + (size - 1) * CELL;
    var now = happened(game.steps[n]), out;

    out = el("rect", {width: side, height: side, rx: 8, fill: "#e2b96f"}) +
      lines(size) + names(size);
    rows.forEach(function (row, y) {
      row.split("").forEach(function (c, x) {
        var name = columns[x] + (size - y);

        if (c !== ".")
          out += el("g", {"data-step": laidIn(game, n, y * (size + 1) + x)},
            R.title((c === "x" ? "black" : "white") + " stone on " + name) +
            stone(x, y, c, now.played === name));
        else if (now.gone.indexOf(name) >= 0)
          out += el("circle", {cx: at(x), cy: at(y), r: 11, fill: "none",
            stroke: "#c9252d", "stroke-width": 2.5,
            "stroke-dasharray": "4 3"});
      });
    });
    if (look.over)
      out += look.over(function (name) {
        return {x: at(columns.indexOf(name[0])), y: at(size -
          Number(name.slice(1))), r: CELL / 2};
      });
    return R.svg(side, side, "Go, " + size + " by " + size + ", move " +
      view.move + (now.played ? ", last " + now.played : ""), out);
  }

  /* The step in which the stone at this place of the text was played. */
  function laidIn(game, n, place) {
    var c = game.steps[n].view.board[place];

    while (n > 0 && game.steps[n - 1].view.board[place] === c)
      n--;
    return n;
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

  R.board("go", {draw: draw, scores: scores, score: "stones on the board",
    words: words, status: status, seatNames: ["black", "white"]});
})();
