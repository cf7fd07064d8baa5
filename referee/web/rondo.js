"use strict";
/* rondo.js - the net of Rondo: rings, spokes, stones, and who laid them. */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var UNIT = 46, MIDDLE = 330, SIZE = 660, FIELD = 19;
  var colours = {R: "#d2352f", P: "#8a3fa3", G: "#2f9048", B: "#2b66c4",
    Y: "#edb90c"};
  var tints = {R: "#fbe0de", P: "#f0e0f5", G: "#ddf1e2", B: "#dde8fa",
    Y: "#fdf3cc"};
  var inks = {R: "#9c1f1a", P: "#6b2a82", G: "#1d6631", B: "#1b489a",
    Y: "#6e5400"};
  var names = {R: "red", P: "purple", G: "green", B: "blue", Y: "yellow"};

  function spotOf(radius, angle) {
    var turn = angle / 1000 * 2 * Math.PI;

    return {x: MIDDLE + radius / 100 * UNIT * Math.sin(turn),
      y: MIDDLE - radius / 100 * UNIT * Math.cos(turn)};
  }

  /* The fields and links, as the head of the game tells them. */
  function readNet(game) {
    var facts = game.head.facts, net = {field: {}, order: [], scale: 1,
      links: []}, far = 640;

    R.list(facts.fields).forEach(function (word) {
      far = Math.max(far, Number(word.split(":")[4]));
    });
    net.scale = 640 / far;
    R.list(facts.fields).forEach(function (word) {
      var p = word.split(":"), spot = spotOf(p[4] * net.scale, Number(p[5]));

      net.order.push(p[0]);
      net.field[p[0]] = {name: p[0], colour: p[1], value: p[2],
        grey: p[3] === "grey", radius: Number(p[4]), angle: Number(p[5]),
        x: spot.x, y: spot.y};
    });
    net.field[facts.centre] = {name: facts.centre, x: MIDDLE, y: MIDDLE,
      radius: 0, angle: 0};
    net.centre = facts.centre;
    net.links = R.list(facts.links).map(function (word) {
      return word.split("-");
    });
    return net;
  }

  /* "a1:2,b3:xR1" by field. */
  function readStones(view) {
    var stones = {};

    R.list(view.stones).forEach(function (word) {
      var p = word.split(":");

      stones[p[0]] = p[1][0] === "x" ?
        {down: true, colour: (p[1].match(/[RPGBY]/) || [null])[0]} :
        {count: Number(p[1])};
    });
    return stones;
  }

  /* Which seat laid the stones of a field, and in which step. */
  function trace(game, n) {
    return R.fold(game, "laid", n, function (before, step, i) {
      var laid = Object.assign({}, before);

      R.plays(step, "public").concat(R.plays(step,
        game.head.audience)).forEach(function (play) {
        if (play.move === "pass")
          return;
        play.move.split(",").forEach(function (one, k) {
          laid[one.split(":")[0]] = {seat: play.seat, step: i, place: k};
        });
      });
      return laid;
    });
  }

  /* Along a ring a link is an arc. */
  function link(net, a, b) {
    var from = net.field[a], to = net.field[b], r;

    if (from.radius && from.radius === to.radius) {
      r = from.radius / 100 * UNIT * net.scale;
      return "M" + R.num(from.x) + " " + R.num(from.y) + "A" + R.num(r) + " " +
        R.num(r) + " 0 0 " + ((to.angle - from.angle + 1000) % 1000 < 500 ?
        1 : 0) + " " + R.num(to.x) + " " + R.num(to.y);
    }
    return "M" + R.num(from.x) + " " + R.num(from.y) + "L" + R.num(to.x) +
      " " + R.num(to.y);
  }

  function tracks(net) {
    var path = net.links.map(function (pair) {
      return link(net, pair[0], pair[1]);
    }).join("");

    return el("path", {d: path, fill: "none", stroke: "#b9ae97",
      "stroke-width": 13, "stroke-linecap": "round"}) +
      el("path", {d: path, fill: "none", stroke: "#e9e1cf",
        "stroke-width": 9, "stroke-linecap": "round"});
  }

  function chain(net, fields) {
    var path = "";

    fields.forEach(function (name, i) {
      if (i)
        path += link(net, fields[i - 1], name);
    });
    return path && el("path", {d: path, fill: "none", stroke: R.mark,
      "stroke-width": 7, "stroke-linecap": "round"});
  }

  function emptyField(f, s) {
    var r = FIELD * s;

    return (f.grey ? greyRing(f, s) : "") +
      el("circle", {cx: f.x, cy: f.y, r: r, fill: tints[f.colour],
        stroke: colours[f.colour], "stroke-width": 3.6 * s}) +
      text(f.x - 3.6 * s, f.y + 0.5, 20 * s, f.value,
        {fill: inks[f.colour], "font-weight": 800}) +
      text(f.x + 9 * s, f.y + 4.2 * s, 11 * s, f.colour,
        {fill: inks[f.colour], "font-weight": 700});
  }

  /* The game ends when all grey fields are covered: they stand out. */
  function greyRing(f, s) {
    return el("circle", {cx: f.x, cy: f.y, r: (FIELD + 5.2) * s,
      fill: "#6f7276", stroke: "#3f4246", "stroke-width": 1.2});
  }

  function disc(x, y, r, colour, edge) {
    return el("circle", {cx: x, cy: y, r: r, fill: colour, stroke: edge,
      "stroke-width": 1.3});
  }

  /* Light falls on the upper left of a stone. */
  function shine(x, y, r) {
    return el("circle", {cx: x, cy: y, r: r, fill: "url(#rondo-shine)"});
  }

  function defs() {
    return el("defs", {}, R.shade("rondo-shine", [[0, "#fff", 0.5], [0.45,
      "#fff", 0.06], [1, "#000", 0.22]], {cx: 0.35, cy: 0.28, r: 0.8}) +
      R.shade("rondo-table", [[0, "#fbf7ec"], [1, "#e9dfc8"]], {cx: 0.45,
        cy: 0.4, r: 0.7}));
  }

  /* Open stones lie on top of each other, and a number says how many. */
  function stack(f, count, s) {
    var out = "", r = FIELD * s - 0.5, y = f.y, i;
    var white = f.colour === "Y" ? "#3d2f00" : "#fff";

    for (i = 0; i < count; i++) {
      y = f.y + (count - 1) * 1.6 * s - i * 3.4 * s;
      out += disc(f.x, y, r, colours[f.colour], inks[f.colour]);
    }
    return out + shine(f.x, y, r) + el("circle", {cx: f.x, cy: y, r: r - 4 * s,
      fill: "none", stroke: white, "stroke-opacity": 0.45,
      "stroke-width": 1.2}) + text(f.x, y + 0.5, 17 * s, f.colour, {fill: white,
      "font-weight": 800}) + (count > 1 ? el("rect", {x: f.x - 19 * s, y: y -
      22 * s, width: 22 * s, height: 14.5 * s, rx: 7 * s, fill: "#23262b",
    stroke: "#fff", "stroke-width": 1}) + text(f.x - 8 * s, y - 14.4 * s,
      11.5 * s, "\u00d7" + count, {fill: "#fff", "font-weight": 700}) : "");
  }

  function faceDown(f, stone, s) {
    var r = FIELD * s - 0.5;

    return disc(f.x, f.y, r, "#4a4f57", "#24272c") +
      el("circle", {cx: f.x, cy: f.y, r: r - 3.5 * s, fill: "none",
        stroke: "#9aa1ab", "stroke-width": 1.2,
        "stroke-dasharray": "2.5 2.5"}) +
      (stone.colour ? el("circle", {cx: f.x, cy: f.y, r: 9.5 * s,
        fill: colours[stone.colour]}) + text(f.x, f.y + 0.5, 13 * s,
        stone.colour, {fill: stone.colour === "Y" ? "#3d2f00" : "#fff",
          "font-weight": 700}) :
        text(f.x, f.y + 0.5, 16 * s, "?", {fill: "#e8eaed",
          "font-weight": 700}));
  }

  function describe(f, stone, laid) {
    var words = f.name + ": " + names[f.colour] + " " + f.value +
      (f.grey ? ", grey" : "");

    if (!stone)
      return words + ", empty";
    words += stone.down ? ", one stone face down" + (stone.colour ? " (" +
      names[stone.colour] + ")" : "") : ", " + stone.count + " open stone" +
      (stone.count > 1 ? "s" : "");
    return laid ? words + ", laid by seat " + laid.seat + " in step " +
      laid.step : words;
  }

  function field(f, stone, laid, last, s) {
    var out = stone ? stone.down ? faceDown(f, stone, s) :
      stack(f, stone.count, s) : emptyField(f, s);

    if (stone && f.grey)
      out = greyRing(f, s) + out;
    if (last)
      out = el("circle", {cx: f.x, cy: f.y, r: (FIELD + (f.grey ? 8 : 4.6)) * s,
        fill: R.mark, stroke: "#8a5c00", "stroke-width": 1}) +
        out;
    if (laid && stone)
      out += R.badge(f.x + 14.5 * s, f.y + 14 * s, laid.seat, 8 * s);
    return el("g", laid && stone ? {"data-step": laid.step} : {},
      R.title(describe(f, stone, laid)) + out);
  }

  function lastChain(game, n, laid) {
    return Object.keys(laid).filter(function (name) {
      return n > 0 && laid[name].step === n;
    }).sort(function (a, b) {
      return laid[a].place - laid[b].place;
    });
  }

  function draw(game, n, who, look) {
    var step = game.steps[n], view = R.view(step, who);
    var net = R.kept(game, "net", function () { return readNet(game); });
    var stones = readStones(view), laid = trace(game, n);
    var last = lastChain(game, n, laid), s = Math.min(1, net.scale * 1.05);
    var out = defs() + el("circle", {cx: MIDDLE, cy: MIDDLE, r: 327,
      fill: "url(#rondo-table)", stroke: "#c9bc9d", "stroke-width": 2.5}) +
      tracks(net) + chain(net, last);

    out += el("circle", {cx: MIDDLE, cy: MIDDLE, r: 24, fill: "#5b5347",
      stroke: "#3b352c", "stroke-width": 2}) +
      el("circle", {cx: MIDDLE, cy: MIDDLE, r: 16, fill: "none",
        stroke: "#b9ae97", "stroke-width": 2});
    net.order.forEach(function (name) {
      out += field(net.field[name], stones[name], laid[name],
        last.indexOf(name) >= 0, s);
    });
    R.plays(step, "public").forEach(function (play) {
      if (play.move === "pass")
        out += R.pill(78, 22, "seat " + play.seat + " passes");
    });
    if (look.over)
      out += look.over(function (name) {
        return {x: net.field[name].x, y: net.field[name].y, r: FIELD * s};
      });
    return R.svg(SIZE, SIZE, "Rondo, " + Object.keys(stones).length + " of " +
      net.order.length + " fields covered", out);
  }

  function stone(x, y, letter) {
    if (letter === "?")
      return disc(x, y, 12, "#4a4f57", "#24272c") +
        text(x, y + 0.5, 13, "?", {fill: "#e8eaed", "font-weight": 700});
    return disc(x, y, 12, colours[letter], inks[letter]) + text(x, y + 0.5, 13,
      letter, {fill: letter === "Y" ? "#3d2f00" : "#fff", "font-weight": 700});
  }

  function rackOf(view, seat) {
    var rack = R.list(view.rack)[seat - 1] || "0";

    if (rack === "-")
      return [];
    return /^[0-9]/.test(rack) ? new Array(Number(rack)).fill("?") :
      rack.split("");
  }

  function seat(game, n, who, k) {
    var rack = rackOf(R.view(game.steps[n], who), k), out = "", i;

    for (i = 0; i < 5; i++)
      out += rack[i] ? stone(15 + 28 * i, 15, rack[i]) :
        el("circle", {cx: 15 + 28 * i, cy: 15, r: 11.5, fill: "none",
          stroke: "currentColor", "stroke-opacity": 0.3,
          "stroke-dasharray": "2 3"});
    return R.svg(142, 30, "rack: " + (rack.join(" ") || "empty"), out);
  }

  function scores(view) {
    return R.list(view.score).map(Number);
  }

  function words(event) {
    var w = event.split(" ");

    if (w[0] === "score")
      return "+" + w[2] + " points, " + w[3] + " in all";
    if (w[0] === "draw")
      return w[2] === "-" ? "draws nothing" : "draws " +
        (/^\?+$/.test(w[2]) ? w[2].length + " hidden" : w[2]);
    if (w[0] === "last_round")
      return "last round: " + (w[1] === "grey" ? "all grey fields are covered" :
        "the bag is nearly empty");
    return null;
  }

  function status(view) {
    return "bag " + view.bag + (view.end === "-" ? "" :
      " \u00b7 last round (" + view.end + ")");
  }

  var legend = ["A field shows its value and the letter of its colour. The " +
    "game ends when all fields with a grey rim are covered.",
    "A stone covers a field; \u00d72 says that two lie there. The small " +
    "number is the seat that laid it.",
    "A dark stone lies face down: only the seat that laid it knows its colour.",
    "The chain that was laid last is yellow."];

  R.board("rondo", {legend: legend, draw: draw, seat: seat, scores: scores, score: "points",
    words: words, status: status});
})();
