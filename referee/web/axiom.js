"use strict";
/*
 * axiom.js - AXIOM on a turntable.
 *
 * An orthographic view from a fixed height; `look.yaw` turns the table. Things
 * are drawn from the back to the front, cell by cell: on a lattice that is the
 * painter's order. Besides: the view from above, and a plan of each layer.
 */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var RISE = 30 * Math.PI / 180, UNIT = 66;
  var faces = {E: [1, 0, 0], W: [-1, 0, 0], N: [0, 1, 0], S: [0, -1, 0],
    U: [0, 0, 1], D: [0, 0, -1]};
  /* top, lighter side, darker side, recess, edge */
  var skins = {b: {faces: ["#5d6672", "#474f5a", "#363c45"], hole: "#23272d",
    rim: "#717b88", edge: "#1b1e23", dome: [58, 64, 74, 148, 158, 172]},
  w: {faces: ["#fbf6ea", "#ebe3d0", "#d6ccb4"], hole: "#b3a78b",
    rim: "#fffdf8", edge: "#8d8268", dome: [205, 194, 168, 255, 252, 243]}};
  var sides = {b: "black", w: "white"};

  function add(a, b, k) {
    return [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
  }

  function readThing(word) {
    var m = word.match(/^([bw])(-?\d+),(-?\d+),(\d+)([EWNSUD]+)$/);

    return {side: m[1], cell: [Number(m[2]), Number(m[3]), Number(m[4])],
      faces: m[5]};
  }

  function read(view) {
    var parts = view.position.split("|");

    return {cubes: R.list(parts[0], ";").map(readThing),
      sceptres: R.list(parts[1], ";").map(readThing), turn: parts[2]};
  }

  function key(cell) {
    return cell.join(",");
  }

  function byCell(cubes) {
    var map = {};

    cubes.forEach(function (cube) {
      map[key(cube.cell)] = cube;
    });
    return map;
  }

  /* What the step did: cells and recesses, before and after. */
  function lastMove(step) {
    var move = {}, m;

    step.events.forEach(function (event) {
      var w = event.text.split(" ");

      if (w[0] === "play" && w[2][0] === "C") {
        m = w[2].match(/^C([-\d,]+)\/([-\d,]+)([EWNSUD]+)$/);
        move.from = m[1];
        move.cube = m[2];
      } else if (w[0] === "play") {
        m = w[2].match(/^S([-\d,]+)([EWNSUD])\/([-\d,]+)([EWNSUD])$/);
        move.out = {cell: m[1].split(",").map(Number), face: m[2]};
        move.sceptre = m[3] + m[4];
      } else if (w[0] === "remove") {
        move.removed = w[1];
      }
    });
    return move;
  }

  /* The box of all cells that are ever used, so that the picture stands. */
  function bounds(game, reach) {
    var box = {low: [0, 0, 1], high: [0, 0, 1]};

    boundsOfSteps(game, box);
    (reach || []).forEach(function (at) {
      cells(at).forEach(function (value, a) {
        box.low[a] = Math.min(box.low[a], value);
        box.high[a] = Math.max(box.high[a], value);
      });
    });
    return box;
  }

  function boundsOfSteps(game, box) {
    game.steps.forEach(function (step, i) {
      var now = read(step.view);

      now.cubes.concat(now.sceptres).forEach(function (thing, k) {
        var a;

        for (a = 0; a < 3; a++) {
          box.low[a] = i + k ? Math.min(box.low[a], thing.cell[a]) :
            thing.cell[a];
          box.high[a] = i + k ? Math.max(box.high[a], thing.cell[a]) :
            thing.cell[a];
        }
      });
    });
  }

  /* "1,0,2" is the middle of a cell, "1,0,2U" that of a face. */
  function placeOf(at) {
    var m = at.match(/^([-\d,]+)([EWNSUD]?)$/), cell = cells(m[1]);

    return m[2] ? centreOf(cell, m[2]) : add(cell, [0.5, 0.5, 0.5], 1);
  }

  /* The turntable. */

  function camera(box, yaw) {
    var turn = yaw * Math.PI / 180, c = Math.cos(turn), s = Math.sin(turn);
    var middle = [(box.low[0] + box.high[0] + 1) / 2,
      (box.low[1] + box.high[1] + 1) / 2];
    var up = Math.cos(RISE), flat = Math.sin(RISE);

    return {
      /* The table is seen from the south when yaw is 0. */
      point: function (p) {
        var x = p[0] - middle[0], y = p[1] - middle[1];

        return [(x * c - y * s) * UNIT,
          -((x * s + y * c) * flat + (p[2] - 1) * up) * UNIT];
      },
      /* How far a cell is from the eye, along the ground. */
      depth: function (cell) {
        return cell[0] * s + cell[1] * c;
      },
      facing: function (n) {
        return n[2] ? n[2] > 0 : -(n[0] * s + n[1] * c) > 0.001;
      },
      light: function (n) {
        return n[2] ? 0 : n[0] * c - n[1] * s < 0.35 ? 1 : 2;
      },
      flat: flat, up: up
    };
  }

  /* Two edges of a face, so that a unit square can be drawn on it. */
  function frameOf(face) {
    return {E: [[1, 0, 1], [0, 1, 0], [0, 0, -1]],
      W: [[0, 1, 1], [0, -1, 0], [0, 0, -1]],
      N: [[1, 1, 1], [-1, 0, 0], [0, 0, -1]],
      S: [[0, 0, 1], [1, 0, 0], [0, 0, -1]],
      U: [[0, 1, 1], [1, 0, 0], [0, -1, 0]]}[face];
  }

  function onFace(cam, cell, face, inside) {
    var frame = frameOf(face), o = cam.point(add(cell, frame[0], 1));
    var a = cam.point(add(add(cell, frame[0], 1), frame[1], 1));
    var b = cam.point(add(add(cell, frame[0], 1), frame[2], 1));

    return el("g", {transform: "matrix(" + [a[0] - o[0], a[1] - o[1],
      b[0] - o[0], b[1] - o[1], o[0], o[1]].map(R.num).join(" ") + ")"},
    inside);
  }

  function recess(skin, sceptre) {
    return '<circle cx=".5" cy=".5" r=".27" fill="' + skin.rim + '"/>' +
      '<circle cx=".5" cy=".5" r=".24" fill="' + skin.hole + '"/>' +
      (sceptre ? "" : '<path d="M.3 .58A.22 .22 0 0 0 .7 .58" fill="none" ' +
      'stroke="' + skin.rim + '" stroke-width=".025" stroke-opacity=".6"/>');
  }

  function side(cam, cube, face, last) {
    var skin = skins[cube.side], fill = skin.faces[cam.light(faces[face])];
    var isDome = cube.faces.indexOf(face) >= 0;

    return onFace(cam, cube.cell, face,
      '<rect width="1" height="1" fill="' + fill + '" stroke="' +
      (last ? R.mark : skin.edge) + '" stroke-width="' + (last ? ".07" :
      ".022") + '" stroke-linejoin="round"/>' + (isDome ?
      '<circle cx=".5" cy=".5" r=".3" fill="' + skin.hole + '"/>' :
      recess(skin)));
  }

  function centreOf(cell, face) {
    return add(add(cell, [0.5, 0.5, 0.5], 1), faces[face], 0.5);
  }

  /* Slices of a half ball, the widest first. */
  function dome(cam, cube, face) {
    var n = faces[face], out = "", i, t, p, ellipse, tone, shade;
    var c = skins[cube.side].dome, at = centreOf(cube.cell, face), r;

    for (i = 0; i <= 9; i++) {
      t = i / 9 * Math.PI / 2;
      r = 0.29 * Math.cos(t) * UNIT;
      p = cam.point(add(at, n, 0.27 * Math.sin(t)));
      shade = i / 9;
      tone = "rgb(" + [0, 1, 2].map(function (k) {
        return Math.round(c[k] + (c[k + 3] - c[k]) * shade);
      }).join(",") + ")";
      ellipse = discOn(cam, n, r);
      out += el("ellipse", {cx: p[0], cy: p[1], rx: Math.max(ellipse.rx, 0.8),
        ry: Math.max(ellipse.ry, 0.8), fill: tone,
        transform: ellipse.turn ? "rotate(" + R.num(ellipse.turn) + " " +
          R.num(p[0]) + " " + R.num(p[1]) + ")" : null});
    }
    return out;
  }

  /* A disc with this normal, as the eye sees it. */
  function discOn(cam, n, r) {
    var tip = [cam.point(n), cam.point([0, 0, 0])];
    var dx = tip[0][0] - tip[1][0], dy = tip[0][1] - tip[1][1];
    var short = Math.sqrt(Math.max(0, 1 - (dx * dx + dy * dy) / UNIT / UNIT));

    return {rx: r, ry: r * short, turn: Math.atan2(dy, dx) * 180 / Math.PI +
      90};
  }

  function sceptre(cam, s, from, to, tip, last) {
    var n = faces[s.faces], at = centreOf(s.cell, s.faces);
    var a = cam.point(add(at, n, from)), b = cam.point(add(at, n, to));
    var fill = s.side === "b" ? "#3f4650" : "#f7f1e1";
    var edge = s.side === "b" ? "#0f1114" : "#7a6f55", out = "";
    var line = function (colour, width) {
      return el("line", {x1: a[0], y1: a[1], x2: b[0], y2: b[1],
        stroke: colour, "stroke-width": width, "stroke-linecap": "round"});
    };

    if (last)
      out += line(R.mark, 19) + (tip ? el("circle", {cx: b[0], cy: b[1], r: 16,
        fill: R.mark}) : "");
    out += line(edge, 13) + line(fill, 10);
    if (tip)
      out += el("circle", {cx: b[0], cy: b[1], r: 11.5, fill: fill,
        stroke: edge, "stroke-width": 1.6}) +
        text(b[0], b[1] + 0.5, 12, s.side, {fill: s.side === "b" ? "#fff" :
          "#3a3324", "font-weight": 700});
    return out;
  }

  /* A box of lines where a cube was. */
  function ghost(cam, cell, colour, solid) {
    var path = "", edges = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7],
      [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

    edges.forEach(function (e) {
      path += e.map(function (corner, i) {
        var p = cam.point(add(cell, [corner & 1, corner >> 1 & 1,
          corner >> 2], 1));

        return (i ? "L" : "M") + R.num(p[0]) + " " + R.num(p[1]);
      }).join("");
    });
    return el("path", {d: path, fill: "none", stroke: colour,
      "stroke-width": 2, "stroke-linejoin": "round", "stroke-dasharray":
        solid ? null : "5 5"});
  }

  function cells(word) {
    return word.split(",").map(Number);
  }

  /* Everything with the cell that it stands in. */
  function things(cam, now, move) {
    var cubes = byCell(now.cubes), list = [];
    var put = function (cell, draw, rank) {
      list.push({cell: cell, draw: draw, rank: rank});
    };

    now.cubes.forEach(function (cube) {
      put(cube.cell, function () {
        return cubeSvg(cam, cube, cubes, now, move);
      }, 1);
      cube.faces.split("").forEach(function (face) {
        var before = add(cube.cell, faces[face], 1);

        if (!cubes[key(before)] && cam.facing(faces[face]))
          put(before, function () {
            return dome(cam, cube, face);
          }, 0);
      });
    });
    now.sceptres.forEach(function (s) {
      var last = move.sceptre === key(s.cell) + s.faces;
      var n = faces[s.faces];

      put(add(s.cell, n, 1), function () {
        return el("g", {}, R.title(sides[s.side] + " sceptre on " +
          key(s.cell) + " face " + s.faces) + sceptre(cam, s, -0.12, 0.75,
          true, last));
      }, 2);
    });
    return list;
  }

  function cubeSvg(cam, cube, cubes, now, move) {
    var out = "", last = move.cube === key(cube.cell);

    ["E", "W", "N", "S", "U"].forEach(function (face) {
      if (cam.facing(faces[face]) && !cubes[key(add(cube.cell, faces[face],
        1))])
        out += side(cam, cube, face, last);
    });
    return el("g", {}, R.title(sides[cube.side] + " cube on " +
      key(cube.cell) + ", domes " + cube.faces.split("").join(" ")) + out);
  }

  function inOrder(cam, list) {
    return list.sort(function (a, b) {
      var d = cam.depth(b.cell) - cam.depth(a.cell);

      if (Math.abs(d) > 1e-9)
        return d;
      return a.cell[2] - b.cell[2] || a.rank - b.rank ||
        a.cell[0] - b.cell[0];
    });
  }

  function ground(cam, box, radius) {
    var out = el("ellipse", {cx: 0, cy: 9, rx: radius * UNIT, ry: radius *
      UNIT * cam.flat, fill: "#7d6a4d"}) + el("ellipse", {cx: 0, cy: 0,
      rx: radius * UNIT, ry: radius * UNIT * cam.flat, fill: "#c9b48d",
      stroke: "#a48f66", "stroke-width": 1.5});
    var middle = [(box.low[0] + box.high[0] + 1) / 2,
      (box.low[1] + box.high[1] + 1) / 2], path = "", axis, k, half, a, b;

    /* Lines of the lattice as far as the table goes. */
    for (axis = 0; axis < 2; axis++)
      for (k = Math.ceil(middle[axis] - radius); k < middle[axis] + radius;
        k++) {
        half = Math.sqrt(radius * radius - (k - middle[axis]) * (k -
          middle[axis])) * 0.985;
        a = axis ? [middle[0] - half, k, 1] : [k, middle[1] - half, 1];
        b = axis ? [middle[0] + half, k, 1] : [k, middle[1] + half, 1];
        a = cam.point(a);
        b = cam.point(b);
        path += "M" + R.num(a[0]) + " " + R.num(a[1]) + "L" + R.num(b[0]) +
          " " + R.num(b[1]);
      }
    return out + el("path", {d: path, stroke: "#b39d72", "stroke-width": 1.2,
      fill: "none"});
  }

  function compass(cam, box, radius) {
    var out = "", middle = [(box.low[0] + box.high[0] + 1) / 2,
      (box.low[1] + box.high[1] + 1) / 2, 1];

    ["N", "E", "S", "W"].forEach(function (face) {
      var p = cam.point(add(middle, faces[face], radius - 0.28));

      out += text(p[0], p[1], 15, face, {fill: "#5e4d2f",
        "font-weight": 700});
    });
    return out;
  }

  function turntable(game, n, who, look) {
    var yaw = look.yaw === undefined ? 30 : look.yaw;
    var box = bounds(game, look.reach), cam = camera(box, yaw);
    var now = read(R.view(game.steps[n], who)), move = lastMove(game.steps[n]);
    var w = box.high[0] - box.low[0], d = box.high[1] - box.low[1];
    var wide = Math.hypot(w + 1, d + 1) / 2 + 0.85;
    var width = 2 * wide * UNIT + 16, height;
    var top = Math.max(wide * cam.flat * UNIT + 8, ((box.high[2] + 0.95) *
      cam.up + Math.hypot(w, d) / 2 * cam.flat) * UNIT);
    var out = ground(cam, box, wide) + compass(cam, box, wide);

    height = top + wide * cam.flat * UNIT + 24;
    out += inOrder(cam, things(cam, now, move)).map(function (thing) {
      return thing.draw();
    }).join("");
    if (move.from)
      out += ghost(cam, cells(move.from), R.mark);
    /* Also where other cubes hide it. */
    if (move.cube)
      out += ghost(cam, cells(move.cube), R.mark, true);
    if (move.removed)
      out += ghost(cam, cells(move.removed), "#e03131");
    if (move.out)
      out += origin(cam, move.out);
    if (look.over)
      out += look.over(function (at) {
        var p = cam.point(placeOf(at));

        return {x: p[0], y: p[1], r: UNIT / 4};
      });
    return R.svg(width, height, label(now), el("g", {transform: "translate(" +
      R.num(width / 2) + " " + R.num(top) + ")"}, out));
  }

  /* Where a sceptre came from. */
  function origin(cam, from) {
    var p = cam.point(centreOf(from.cell, from.face));
    var disc = discOn(cam, faces[from.face], 0.3 * UNIT);

    return el("ellipse", {cx: p[0], cy: p[1], rx: disc.rx, ry:
      Math.max(disc.ry, 2), fill: "none", stroke: R.mark, "stroke-width": 3,
    "stroke-dasharray": "5 4", transform: "rotate(" + R.num(disc.turn) + " " +
      R.num(p[0]) + " " + R.num(p[1]) + ")"});
  }

  function label(now) {
    var count = function (side) {
      return now.cubes.filter(function (cube) {
        return cube.side === side;
      }).length;
    };

    return "AXIOM, " + count("b") + " black and " + count("w") +
      " white cubes";
  }

  /* Plans: one cell is a square; what sticks out of its sides is drawn there. */

  var PLAN = 58;

  function planCube(cube, x, y, last, top) {
    var skin = skins[cube.side], ink = cube.side === "b" ? "#fff" : "#3a3324";
    var out = el("rect", {x: x + 1, y: y + 1, width: PLAN - 2, height: PLAN - 2,
      rx: 4, fill: skin.faces[1], stroke: last ? R.mark : skin.edge,
      "stroke-width": last ? 4 : 1.4});

    out += cube.faces.indexOf("U") >= 0 ?
      el("circle", {cx: x + PLAN / 2, cy: y + PLAN / 2, r: 14,
        fill: "rgb(" + skin.dome.slice(3).join(",") + ")", stroke: skin.edge,
        "stroke-width": 1.5}) :
      el("circle", {cx: x + PLAN / 2, cy: y + PLAN / 2, r: 12,
        fill: skin.hole});
    return out + text(x + 10, y + 11, 11, cube.side, {fill: ink,
      "font-weight": 700}) + (top ? text(x + PLAN - 10, y + PLAN - 10, 11,
      cube.cell[2], {fill: ink}) : cube.faces.indexOf("D") >= 0 ?
      text(x + PLAN - 10, y + PLAN - 10, 10, "D", {fill: ink}) : "");
  }

  function bump(cube, face, x, y) {
    var n = faces[face], cx = x + PLAN / 2 + n[0] * PLAN / 2;
    var cy = y + PLAN / 2 - n[1] * PLAN / 2, px = n[1] * 12, py = n[0] * 12;

    return el("path", {d: "M" + R.num(cx - px) + " " + R.num(cy - py) + "A12 12 0 0 " +
      "1 " + R.num(cx + px) + " " + R.num(cy + py) + "Z",
    fill: "rgb(" + skins[cube.side].dome.slice(3).join(",") + ")",
    stroke: skins[cube.side].edge, "stroke-width": 1.3});
  }

  function planSceptre(s, x, y, last) {
    var n = faces[s.faces], cx = x + PLAN / 2, cy = y + PLAN / 2;
    var fill = s.side === "b" ? "#3f4650" : "#f7f1e1";
    var edge = s.side === "b" ? "#0f1114" : "#7a6f55", tx, ty, out = "";

    tx = cx + n[0] * PLAN * 0.82;
    ty = cy - n[1] * PLAN * 0.82;
    if (n[0] || n[1])
      out += el("line", {x1: cx + n[0] * PLAN / 2, y1: cy - n[1] * PLAN / 2,
        x2: tx, y2: ty, stroke: edge, "stroke-width": 9}) + el("line", {
        x1: cx + n[0] * PLAN / 2, y1: cy - n[1] * PLAN / 2, x2: tx, y2: ty,
        stroke: fill, "stroke-width": 6});
    return out + el("circle", {cx: tx, cy: ty, r: 11, fill: fill,
      stroke: last ? R.mark : edge, "stroke-width": last ? 4 : 1.8}) +
      text(tx, ty + 0.5, 12, s.side, {fill: s.side === "b" ? "#fff" :
        "#3a3324", "font-weight": 700});
  }

  function planFrame(box, x0, y0) {
    var out = "", x, y, px, py;

    for (x = box.low[0] - 1; x <= box.high[0] + 1; x++)
      for (y = box.low[1] - 1; y <= box.high[1] + 1; y++) {
        px = x0 + (x - box.low[0] + 1) * PLAN;
        py = y0 + (box.high[1] + 1 - y) * PLAN;
        out += el("rect", {x: px, y: py, width: PLAN, height: PLAN,
          fill: "#d9c8a4", stroke: "#b39d72", "stroke-width": 1});
      }
    for (x = box.low[0] - 1; x <= box.high[0] + 1; x++)
      out += text(x0 + (x - box.low[0] + 1.5) * PLAN, y0 + (box.high[1] -
        box.low[1] + 3) * PLAN + 10, 11, x, {"fill-opacity": 0.7});
    for (y = box.low[1] - 1; y <= box.high[1] + 1; y++)
      out += text(x0 - 10, y0 + (box.high[1] + 1.5 - y) * PLAN, 11, y,
        {"fill-opacity": 0.7});
    return out;
  }

  function plan(now, move, box, x0, y0, keep, top) {
    var out = planFrame(box, x0, y0), spot = function (cell) {
      return [x0 + (cell[0] - box.low[0] + 1) * PLAN,
        y0 + (box.high[1] + 1 - cell[1]) * PLAN];
    };

    if (move.from && keep(cells(move.from)))
      out += planGhost(spot(cells(move.from)), R.mark);
    if (move.removed && keep(cells(move.removed)))
      out += planGhost(spot(cells(move.removed)), "#d23b3b");
    now.cubes.filter(function (cube) {
      return keep(cube.cell);
    }).sort(function (a, b) {
      return a.cell[2] - b.cell[2];
    }).forEach(function (cube) {
      var p = spot(cube.cell);

      out += el("g", {}, R.title(sides[cube.side] + " cube on " +
        key(cube.cell) + ", domes " + cube.faces) + planCube(cube, p[0], p[1],
        move.cube === key(cube.cell), top));
    });
    now.cubes.filter(function (cube) {
      return keep(cube.cell);
    }).forEach(function (cube) {
      var p = spot(cube.cell);

      cube.faces.split("").forEach(function (face) {
        if (!faces[face][2])
          out += bump(cube, face, p[0], p[1]);
      });
    });
    now.sceptres.filter(function (s) {
      return keep(s.cell);
    }).forEach(function (s) {
      var p = spot(s.cell);

      out += el("g", {}, R.title(sides[s.side] + " sceptre on " +
        key(s.cell) + " face " + s.faces) + planSceptre(s, p[0], p[1],
        move.sceptre === key(s.cell) + s.faces));
    });
    return out;
  }

  function planGhost(p, colour) {
    return el("rect", {x: p[0] + 3, y: p[1] + 3, width: PLAN - 6,
      height: PLAN - 6, rx: 4, fill: "none", stroke: colour,
      "stroke-width": 2.5, "stroke-dasharray": "5 4"});
  }

  function planSize(box) {
    return {width: (box.high[0] - box.low[0] + 3) * PLAN + 36,
      height: (box.high[1] - box.low[1] + 3) * PLAN + 44};
  }

  /* Where a place is in a plan whose corner is x0, y0. */
  function planPlace(box, x0, y0) {
    return function (at) {
      var p = placeOf(at);

      return {x: x0 + (p[0] - box.low[0] + 1) * PLAN,
        y: y0 + (box.high[1] + 2 - p[1]) * PLAN, r: PLAN / 4};
    };
  }

  /* From above: of each column the highest cube. */
  function above(game, n, who, look) {
    var box = bounds(game, look.reach), size = planSize(box);
    var now = read(R.view(game.steps[n], who)), high = {};

    now.cubes.forEach(function (cube) {
      var k = cube.cell[0] + "," + cube.cell[1];

      high[k] = Math.max(high[k] || 0, cube.cell[2]);
    });
    return R.svg(size.width, size.height, label(now) + ", from above",
      plan(now, lastMove(game.steps[n]), box, 24, 12, function (cell) {
        return (high[cell[0] + "," + cell[1]] || 0) <= cell[2];
      }, true) + (look.over ? look.over(planPlace(box, 24, 12)) : ""));
  }

  function layers(game, n, who, look) {
    var box = bounds(game, look.reach), size = planSize(box), out = "", z, x, y;
    var now = read(R.view(game.steps[n], who)), move = lastMove(game.steps[n]);
    var count = box.high[2], columns = Math.min(count, look.narrow ? 1 :
      size.width > 420 ? 2 : 3);
    var at = function (level) {
      return function (cell) {
        return cell[2] === level;
      };
    };

    for (z = 1; z <= count; z++) {
      x = (z - 1) % columns * size.width;
      y = Math.floor((z - 1) / columns) * (size.height + 24);
      out += text(x + size.width / 2, y + 12, 14, "layer " + z,
        {"font-weight": 600}) + plan(now, move, box, x + 24, y + 24, at(z));
    }
    if (look.over)
      out += look.over(function (place) {
        var level = cells(place.replace(/[EWNSUD]$/, ""))[2] - 1;

        return planPlace(box, level % columns * size.width + 24,
          Math.floor(level / columns) * (size.height + 24) + 24)(place);
      });
    return R.svg(columns * size.width, Math.ceil(count / columns) *
      (size.height + 24), label(now) + ", layer by layer", out);
  }

  function draw(game, n, who, look) {
    if (look.mode === "top")
      return above(game, n, who, look);
    if (look.mode === "layers")
      return layers(game, n, who, look);
    return turntable(game, n, who, look);
  }

  function scores(view) {
    var now = read(view);

    return ["b", "w"].map(function (side) {
      return now.cubes.filter(function (cube) {
        return cube.side === side;
      }).length;
    });
  }

  function words(event) {
    var w = event.split(" ");

    return w[0] === "remove" ? "the cube on " + w[1] + " is removed" : null;
  }

  function status(view) {
    return (view.position.slice(-1) === "b" ? "black" : "white") +
      " to move \u00b7 ply " + view.ply + (view.repeats === "1" ? "" :
      " \u00b7 occurred " + view.repeats + " times");
  }

  R.board("axiom", {draw: draw, scores: scores, score: "cubes",
    narrows: true, words: words, status: status, looks: ["turntable", "top", "layers"],
    turns: true, seatNames: ["black", "white"]});
})();
