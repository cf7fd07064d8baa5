"use strict";
/*
 * axiom.js - AXIOM on a turntable.
 *
 * An orthographic view from a fixed height; `look.yaw` turns the table. Things
 * are drawn from the back to the front, cell by cell: on a lattice that is the
 * painter's order. What the last move moved, and every sceptre, shows through
 * whatever hides it. Besides: the view from above, and a plan of each layer.
 */
(function () {
  var R = Referee, el = R.el, text = R.text;
  var RISE = 30 * Math.PI / 180, UNIT = 66, DOME = 0.29;
  var faces = {E: [1, 0, 0], W: [-1, 0, 0], N: [0, 1, 0], S: [0, -1, 0],
    U: [0, 0, 1], D: [0, 0, -1]};
  /* top, lighter side, darker side: from the upper to the lower edge */
  var skins = {b: {faces: [["#6b7583", "#566070"], ["#4d5663", "#3d444f"],
    ["#3a414b", "#2a2f37"]], hole: ["#0d0f12", "#2b3038"], rim: "#8a95a4",
  edge: "#14171b", dome: ["#b4bdca", "#5d6672", "#22262c"], ink: "#fff"},
  w: {faces: [["#fffdf6", "#f6efdd"], ["#efe7d4", "#ded3ba"], ["#d8ccb1",
    "#c3b596"]], hole: ["#857757", "#c4b795"], rim: "#fffdf8", edge: "#85795c",
  dome: ["#ffffff", "#efe7d3", "#b5a884"], ink: "#3a3324"}};
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

  function cells(word) {
    return word.split(",").map(Number);
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
        move.out = {cell: cells(m[1]), face: m[2]};
        move.sceptre = m[3] + m[4];
      } else if (w[0] === "remove") {
        move.removed = w[1];
      }
    });
    return move;
  }

  /* All cells that cubes, or sceptres at their sides, are ever in: so the
   * picture stands. */
  function usedCells(game, reach, onlyCubes) {
    var used = R.fold(game, "used", game.steps.length - 1,
      function (before, step) {
        var now = read(step.view), all = Object.assign({}, before);

        now.sceptres.forEach(function (s) {
          var cell = add(s.cell, faces[s.faces], 1);

          if (!faces[s.faces][2] && !all[key(cell)])
            all[key(cell)] = {cell: cell};
        });
        now.cubes.forEach(function (cube) {
          all[key(cube.cell)] = {cell: cube.cell, cube: true};
        });
        return all;
      });

    return Object.keys(used).filter(function (name) {
      return used[name].cube || !onlyCubes;
    }).map(function (name) {
      return used[name].cell;
    }).concat((reach || []).map(function (at) {
      return cells(at.replace(/[EWNSUD]$/, ""));
    }));
  }

  function bounds(used) {
    var box = {low: used[0].slice(), high: used[0].slice()};

    used.forEach(function (cell) {
      cell.forEach(function (value, a) {
        box.low[a] = Math.min(box.low[a], value);
        box.high[a] = Math.max(box.high[a], value);
      });
    });
    box.low[2] = 1;
    return box;
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
      (box.low[1] + box.high[1] + 1) / 2, 1];
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
      flat: flat, middle: middle
    };
  }

  function defs() {
    return el("defs", {}, ["b", "w"].map(function (name) {
      var skin = skins[name], down = {x1: 0, y1: 0, x2: 0, y2: 1};

      return skin.faces.map(function (tones, i) {
        return R.shade("axiom-" + name + i, [[0, tones[0]], [1, tones[1]]],
          down);
      }).join("") + R.shade("axiom-hole-" + name, [[0, skin.hole[0]],
        [1, skin.hole[1]]], down) + R.shade("axiom-ball-" + name, [[0,
        skin.dome[0]], [0.55, skin.dome[1]], [1, skin.dome[2]]], {cx: 0.36,
        cy: 0.28, r: 0.82});
    }).join("") + R.shade("axiom-table", [[0, "#dcc9a2"], [1, "#c3ab7d"]],
      {cx: 0.4, cy: 0.35, r: 0.8}));
  }

  /* A corner of each face, and two edges, to draw a unit square on it. */
  var frames = {E: [[1, 0, 1], [0, 1, 0], [0, 0, -1]],
    W: [[0, 1, 1], [0, -1, 0], [0, 0, -1]],
    N: [[1, 1, 1], [-1, 0, 0], [0, 0, -1]],
    S: [[0, 0, 1], [1, 0, 0], [0, 0, -1]],
    U: [[0, 1, 1], [1, 0, 0], [0, -1, 0]]};

  function onFace(cam, cell, face, inside) {
    var frame = frames[face], o = cam.point(add(cell, frame[0], 1));
    var a = cam.point(add(add(cell, frame[0], 1), frame[1], 1));
    var b = cam.point(add(add(cell, frame[0], 1), frame[2], 1));

    return el("g", {transform: "matrix(" + [a[0] - o[0], a[1] - o[1],
      b[0] - o[0], b[1] - o[1], o[0], o[1]].map(R.num).join(" ") + ")"},
    inside);
  }

  /* Dark where the light cannot reach, with a bright lower rim. */
  function recess(cube) {
    return '<circle cx=".5" cy=".5" r=".27" fill="url(#axiom-hole-' +
      cube.side + ')" stroke="' + skins[cube.side].rim + '" stroke-width=' +
      '".025" stroke-opacity=".75"/>';
  }

  function side(cam, cube, face, last) {
    var skin = skins[cube.side], light = cam.light(faces[face]);

    return onFace(cam, cube.cell, face,
      '<rect width="1" height="1" fill="url(#axiom-' + cube.side + light +
      ')" stroke="' + skin.edge + '" stroke-width=".022" ' +
      'stroke-linejoin="round"/><rect x=".03" y=".03" width=".94" height=' +
      '".94" fill="none" stroke="' + skin.rim + '" stroke-opacity=".4" ' +
      'stroke-width=".02"/>' + (cube.faces.indexOf(face) >= 0 ? "" :
      recess(cube)) + (last ? '<rect x=".035" y=".035" width=".93" height=' +
      '".93" fill="none" stroke="' + R.mark + '" stroke-width=".07"/>' : ""));
  }

  function centreOf(cell, face) {
    return add(add(cell, [0.5, 0.5, 0.5], 1), faces[face], 0.5);
  }

  /* A disc with this normal, as the eye sees it. */
  function discOn(cam, n, r) {
    var tip = cam.point(add(cam.middle, n, 1));
    var long = Math.min(1, Math.hypot(tip[0], tip[1]) / UNIT);

    return {rx: r, ry: r * Math.sqrt(1 - long * long),
      turn: Math.atan2(tip[1], tip[0]) * 180 / Math.PI + 90};
  }

  function ellipse(p, disc, values) {
    return el("ellipse", Object.assign({cx: p[0], cy: p[1], rx: disc.rx,
      ry: disc.ry, transform: "rotate(" + R.num(disc.turn) + " " +
      R.num(p[0]) + " " + R.num(p[1]) + ")"}, values));
  }

  /* Half a ball: a half circle on its far side, half of its foot on ours. */
  function dome(cam, cube, face) {
    var n = faces[face], p = cam.point(centreOf(cube.cell, face));
    var r = DOME * UNIT, foot = discOn(cam, n, r), a = foot.turn * Math.PI /
      180, x = Math.cos(a) * r, y = Math.sin(a) * r;
    var from = R.num(p[0] - x) + " " + R.num(p[1] - y);
    var to = R.num(p[0] + x) + " " + R.num(p[1] + y);

    return ellipse(p, discOn(cam, n, r + 2), {fill: skins[cube.side].hole[0],
      "fill-opacity": 0.55}) + el("path", {d: "M" + from + "A" + R.num(r) +
      " " + R.num(r) + " 0 0 1 " + to + "A" + R.num(foot.rx) + " " +
      R.num(foot.ry) + " " + R.num(foot.turn) + " 0 1 " + from + "Z",
    fill: "url(#axiom-ball-" + cube.side + ")", stroke: skins[cube.side].edge,
    "stroke-width": 1});
  }

  function knob(p, s, last) {
    var skin = skins[s.side];

    return (last ? el("circle", {cx: p[0], cy: p[1], r: 20, fill: R.mark}) :
      "") + el("circle", {cx: p[0], cy: p[1], r: 15, fill:
      "url(#axiom-ball-" + s.side + ")", stroke: skin.edge,
      "stroke-width": 1.8}) + el("circle", {cx: p[0], cy: p[1], r: 10.2,
      fill: s.side === "b" ? "#1d2127" : "#fffdf6", stroke: skin.edge,
      "stroke-width": 1}) + text(p[0], p[1] + 0.5, 15, s.side, {fill: skin.ink,
      "font-weight": 800});
  }

  /* A rod in a collar, with a knob that has a letter. */
  function sceptre(cam, s, last) {
    var n = faces[s.faces], at = centreOf(s.cell, s.faces), skin =
      skins[s.side], a = cam.point(add(at, n, -0.1)), b = cam.point(add(at, n,
      0.74)), out = "";
    var line = function (colour, width, dx) {
      return el("line", {x1: a[0] + (dx || 0), y1: a[1], x2: b[0] + (dx || 0),
        y2: b[1], stroke: colour, "stroke-width": width, "stroke-linecap":
        "round"});
    };

    if (cam.facing(n))
      out += ellipse(cam.point(add(at, n, 0.03)), discOn(cam, n, 13),
        {fill: skin.dome[1], stroke: skin.edge, "stroke-width": 1.5});
    if (last)
      out += line(R.mark, 19);
    return out + line(skin.edge, 12) + line(skin.dome[1], 9) +
      line(skin.dome[0], 2.5, -1.8) + knob(b, s, last);
  }

  /* The lines of a box where a cube was. */
  function ghost(cam, cell, colour, values) {
    var path = "", edges = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7],
      [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

    edges.forEach(function (e) {
      path += e.map(function (corner, i) {
        var p = cam.point(add(cell, [corner & 1, corner >> 1 & 1,
          corner >> 2], 1));

        return (i ? "L" : "M") + R.num(p[0]) + " " + R.num(p[1]);
      }).join("");
    });
    return el("path", Object.assign({d: path, fill: "none", stroke: colour,
      "stroke-width": 2, "stroke-linejoin": "round", "stroke-dasharray":
      "5 5"}, values));
  }

  /* Everything with the cell that it stands in. */
  function things(cam, now, move) {
    var cubes = byCell(now.cubes), list = [];
    var put = function (cell, rank, draw, more) {
      list.push(Object.assign({cell: cell, rank: rank, draw: draw}, more));
    };

    now.cubes.forEach(function (cube) {
      put(cube.cell, 1, function () {
        return cubeSvg(cam, cube, cubes, now, move);
      }, {cube: cube});
      cube.faces.split("").forEach(function (face) {
        var before = add(cube.cell, faces[face], 1);

        if (!cubes[key(before)] && cam.facing(faces[face]))
          put(before, 0, function () {
            return dome(cam, cube, face);
          });
      });
    });
    now.sceptres.forEach(function (s) {
      var last = move.sceptre === key(s.cell) + s.faces;

      put(add(s.cell, faces[s.faces], 1), 2, function () {
        return el("g", {}, R.title(sides[s.side] + " sceptre on " +
          key(s.cell) + " face " + s.faces) + sceptre(cam, s, last));
      }, {sceptre: s});
    });
    if (move.from)
      put(cells(move.from), 3, function () {
        return ghost(cam, cells(move.from), R.mark);
      });
    if (move.removed)
      put(cells(move.removed), 3, function () {
        return ghost(cam, cells(move.removed), "#e03131");
      });
    return inOrder(cam, list);
  }

  function cubeSvg(cam, cube, cubes, now, move) {
    var out = "", last = move.cube === key(cube.cell);

    Object.keys(frames).forEach(function (face) {
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

  /* Is a point of the picture behind a cube that is drawn after the i-th? */
  function isHidden(cam, list, i, p) {
    return list.slice(i + 1).some(function (thing) {
      return thing.cube && Object.keys(frames).some(function (face) {
        return cam.facing(faces[face]) && isOnFace(cam, thing.cell, face, p);
      });
    });
  }

  function isOnFace(cam, cell, face, p) {
    var frame = frames[face], corner = add(cell, frame[0], 1);
    var o = cam.point(corner), a = cam.point(add(corner, frame[1], 1));
    var b = cam.point(add(corner, frame[2], 1)), u, v, d;

    a = [a[0] - o[0], a[1] - o[1]];
    b = [b[0] - o[0], b[1] - o[1]];
    d = a[0] * b[1] - a[1] * b[0];
    u = ((p[0] - o[0]) * b[1] - (p[1] - o[1]) * b[0]) / d;
    v = (a[0] * (p[1] - o[1]) - a[1] * (p[0] - o[0])) / d;
    return u > 0.02 && u < 0.98 && v > 0.02 && v < 0.98;
  }

  /* Sceptres, and the cube that moved last, where cubes hide them. */
  function through(cam, list, move) {
    return list.map(function (thing, i) {
      var p, s = thing.sceptre;

      if (s) {
        p = cam.point(add(centreOf(s.cell, s.faces), faces[s.faces], 0.74));
        return isHidden(cam, list, i, p) ? el("g", {}, R.title(sides[s.side] +
          " sceptre behind, on " + key(s.cell) + " face " + s.faces) +
          hiddenKnob(p, s, move.sceptre === key(s.cell) + s.faces)) : "";
      }
      if (!thing.cube || move.cube !== key(thing.cell))
        return "";
      return ["E", "W", "N", "S", "U"].some(function (face) {
        return cam.facing(faces[face]) && isHidden(cam, list, i,
          cam.point(centreOf(thing.cell, face)));
      }) ? ghost(cam, thing.cell, R.mark, {"stroke-dasharray": null,
          "stroke-opacity": 0.85}) : "";
    }).join("");
  }

  function hiddenKnob(p, s, last) {
    return el("circle", {cx: p[0], cy: p[1], r: 13, fill: s.side === "b" ?
      "#23272d" : "#fffdf6", "fill-opacity": 0.5, stroke: last ? R.mark :
      s.side === "b" ? "#d5dae1" : "#5e5237", "stroke-width": 2,
    "stroke-dasharray": "3.5 3"}) + text(p[0], p[1] + 0.5, 14, s.side,
      {fill: skins[s.side].ink, "font-weight": 800});
  }

  /* The table: its lattice, its numbers, and the shadows on it. */

  function polygon(cam, points) {
    return points.map(function (p, i) {
      var q = cam.point(p);

      return (i ? "L" : "M") + R.num(q[0]) + " " + R.num(q[1]);
    }).join("") + "Z";
  }

  function shadows(cam, now) {
    return el("path", {transform: "translate(9 6)", fill: "#2f2412",
      "fill-opacity": 0.24, d: now.cubes.map(function (cube) {
        var x = cube.cell[0], y = cube.cell[1], b = 0.06;

        return polygon(cam, [[x - b, y - b, 1], [x + 1 + b, y - b, 1],
          [x + 1 + b, y + 1 + b, 1], [x - b, y + 1 + b, 1]]);
      }).join("")});
  }

  function lattice(cam, radius) {
    var path = "", axis, k, half, a, b, m = cam.middle;

    for (axis = 0; axis < 2; axis++)
      for (k = Math.ceil(m[axis] - radius); k < m[axis] + radius; k++) {
        half = Math.sqrt(radius * radius - (k - m[axis]) * (k - m[axis])) *
          0.985;
        a = cam.point(axis ? [m[0] - half, k, 1] : [k, m[1] - half, 1]);
        b = cam.point(axis ? [m[0] + half, k, 1] : [k, m[1] + half, 1]);
        path += "M" + R.num(a[0]) + " " + R.num(a[1]) + "L" + R.num(b[0]) +
          " " + R.num(b[1]);
      }
    return el("path", {d: path, stroke: "#a98f60", "stroke-opacity": 0.6,
      "stroke-width": 1.1, fill: "none"});
  }

  /* Of columns and rows, along those two edges that are in front. */
  function numbers(cam, box) {
    var out = "", x, y, p, ink = {fill: "#6b5730"};
    var south = cam.facing(faces.S) ? box.low[1] - 0.32 : box.high[1] + 1.32;
    var east = cam.facing(faces.E) ? box.high[0] + 1.32 : box.low[0] - 0.32;

    for (x = box.low[0]; x <= box.high[0]; x++) {
      p = cam.point([x + 0.5, south, 1]);
      out += text(p[0], p[1], 15, x, ink);
    }
    for (y = box.low[1]; y <= box.high[1]; y++) {
      p = cam.point([east, y + 0.5, 1]);
      out += text(p[0], p[1], 15, y, ink);
    }
    return out;
  }

  function ground(cam, box, radius) {
    var rx = radius * UNIT, ry = rx * cam.flat, m = cam.middle;

    return el("ellipse", {cx: 0, cy: 13, rx: rx, ry: ry, fill: "#6e5a3c"}) +
      el("ellipse", {cx: 0, cy: 0, rx: rx, ry: ry, fill: "url(#axiom-table)",
        stroke: "#94804f", "stroke-width": 1.5}) + lattice(cam, radius) +
      numbers(cam, box) + ["N", "E", "S", "W"].map(function (face) {
      var p = cam.point(add(m, faces[face], radius - 0.27));

      return text(p[0], p[1], 17, face, {fill: "#4d3d22", "font-weight": 700});
    }).join("");
  }

  /* How far the table reaches, and how high what stands on it, for any yaw. */
  function measure(cam, used) {
    var size = {radius: 1.5, top: 0};

    used.forEach(function (cell) {
      var far = Math.hypot(Math.abs(cell[0] + 0.5 - cam.middle[0]) + 0.5,
        Math.abs(cell[1] + 0.5 - cam.middle[1]) + 0.5);

      size.radius = Math.max(size.radius, far + 0.75);
      size.top = Math.max(size.top, (cell[2] + 0.95) * Math.cos(RISE) +
        (far - 0.7) * cam.flat);
    });
    size.top = Math.max(size.top, size.radius * cam.flat) * UNIT + 8;
    return size;
  }

  function turntable(game, n, who, look) {
    var used = usedCells(game, look.reach), box = bounds(used);
    var cam = camera(box, look.yaw === undefined ? 30 : look.yaw);
    var now = read(R.view(game.steps[n], who)), move = lastMove(game.steps[n]);
    var size = measure(cam, used), list = things(cam, now, move);
    var width = 2 * size.radius * UNIT + 8;
    var out = ground(cam, box, size.radius) + shadows(cam, now);

    out += list.map(function (thing) {
      return thing.draw();
    }).join("") + through(cam, list, move);
    if (move.out)
      out += ellipse(cam.point(centreOf(move.out.cell, move.out.face)),
        discOn(cam, faces[move.out.face], 0.3 * UNIT), {fill: "none",
          stroke: R.mark, "stroke-width": 3, "stroke-dasharray": "5 4"});
    if (look.over)
      out += look.over(function (at) {
        var p = cam.point(placeOf(at));

        return {x: p[0], y: p[1], r: UNIT / 4};
      });
    return R.svg(width, size.top + size.radius * cam.flat * UNIT + 18,
      label(now), defs() + el("g", {transform: "translate(" +
      R.num(width / 2) + " " + R.num(size.top) + ")"}, out));
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
    var skin = skins[cube.side], ink = {fill: skin.ink, "font-weight": 700};
    var domed = cube.faces.indexOf("U") >= 0, cx = x + PLAN / 2;
    var out = el("rect", {x: x + 1, y: y + 1, width: PLAN - 2, height: PLAN - 2,
      rx: 4, fill: "url(#axiom-" + cube.side + "0)", stroke: skin.edge,
      "stroke-width": 1.4}) + el("circle", {cx: cx, cy: y + PLAN / 2, r: domed ?
      15 : 13, fill: "url(#axiom-" + (domed ? "ball-" : "hole-") + cube.side +
      ")", stroke: domed ? skin.edge : skin.rim, "stroke-width": 1.2});

    if (last)
      out += el("rect", {x: x + 3, y: y + 3, width: PLAN - 6, height: PLAN - 6,
        rx: 3, fill: "none", stroke: R.mark, "stroke-width": 4.5});
    return out + text(x + 11, y + 12, 12, cube.side, ink) + (top ? text(x +
      PLAN - 11, y + PLAN - 11, 12, cube.cell[2], ink) :
      cube.faces.indexOf("D") >= 0 ? text(x + PLAN - 11, y + PLAN - 11, 10,
        "D", ink) : "");
  }

  function bump(cube, face, x, y) {
    var n = faces[face], cx = x + PLAN / 2 + n[0] * PLAN / 2;
    var cy = y + PLAN / 2 - n[1] * PLAN / 2, px = n[1] * 14, py = n[0] * 14;

    return el("path", {d: "M" + R.num(cx - px) + " " + R.num(cy - py) +
      "A14 14 0 0 1 " + R.num(cx + px) + " " + R.num(cy + py) + "Z",
    fill: "url(#axiom-ball-" + cube.side + ")", stroke: skins[cube.side].edge,
    "stroke-width": 1.3});
  }

  function planSceptre(s, x, y, last) {
    var n = faces[s.faces], cx = x + PLAN / 2, cy = y + PLAN / 2;
    var skin = skins[s.side], tx = cx + n[0] * PLAN * 0.84;
    var ty = cy - n[1] * PLAN * 0.84, out = "";
    var line = function (colour, width) {
      return el("line", {x1: cx + n[0] * PLAN / 2, y1: cy - n[1] * PLAN / 2,
        x2: tx, y2: ty, stroke: colour, "stroke-width": width});
    };

    if (n[0] || n[1])
      out += line(skin.edge, 10) + line(skin.dome[1], 7);
    return out + knob([tx, ty], s, last) + (n[2] < 0 ? text(tx + 17, ty + 12,
      11, "D", {fill: skin.ink, "font-weight": 700}) : "");
  }

  function planFrame(box, x0, y0) {
    var wide = box.high[0] - box.low[0] + 3, high = box.high[1] - box.low[1] +
      3, out = el("rect", {x: x0, y: y0, width: wide * PLAN, height: high *
      PLAN, rx: 6, fill: "url(#axiom-table)", stroke: "#94804f"}), path = "",
      x, y, dim = {"fill-opacity": 0.75};

    for (x = 1; x < wide; x++)
      path += "M" + (x0 + x * PLAN) + " " + y0 + "v" + high * PLAN;
    for (y = 1; y < high; y++)
      path += "M" + x0 + " " + (y0 + y * PLAN) + "h" + wide * PLAN;
    for (x = 0; x < wide; x++)
      out += text(x0 + (x + 0.5) * PLAN, y0 + high * PLAN + 12, 13,
        box.low[0] - 1 + x, dim);
    for (y = 0; y < high; y++)
      out += text(x0 - 13, y0 + (high - y - 0.5) * PLAN, 13, box.low[1] - 1 +
        y, dim);
    return out + el("path", {d: path, stroke: "#a98f60", "stroke-opacity":
      0.6, fill: "none"});
  }

  /* What `keep` keeps of the cells, from the lowest to the highest. */
  function plan(now, move, box, x0, y0, keep, top) {
    var out = planFrame(box, x0, y0), spot = function (cell) {
      return [x0 + (cell[0] - box.low[0] + 1) * PLAN,
        y0 + (box.high[1] + 1 - cell[1]) * PLAN];
    };
    var kept = function (list) {
      return list.filter(function (thing) {
        return keep(thing.cell);
      });
    };
    var cubes = kept(now.cubes).sort(function (a, b) {
      return a.cell[2] - b.cell[2];
    });

    if (move.from && keep(cells(move.from)))
      out += planGhost(spot(cells(move.from)), R.mark);
    if (move.removed && keep(cells(move.removed)))
      out += planGhost(spot(cells(move.removed)), "#d23b3b");
    cubes.forEach(function (cube) {
      var p = spot(cube.cell);

      out += el("g", {}, R.title(sides[cube.side] + " cube on " +
        key(cube.cell) + ", domes " + cube.faces) + planCube(cube, p[0], p[1],
        move.cube === key(cube.cell), top));
    });
    cubes.forEach(function (cube) {
      var p = spot(cube.cell);

      cube.faces.split("").forEach(function (face) {
        if (!faces[face][2])
          out += bump(cube, face, p[0], p[1]);
      });
    });
    kept(now.sceptres).forEach(function (s) {
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
    var box = bounds(usedCells(game, look.reach, true)), size = planSize(box);
    var now = read(R.view(game.steps[n], who)), high = {};

    now.cubes.forEach(function (cube) {
      var k = cube.cell[0] + "," + cube.cell[1];

      high[k] = Math.max(high[k] || 0, cube.cell[2]);
    });
    return R.svg(size.width, size.height, label(now) + ", from above",
      defs() + plan(now, lastMove(game.steps[n]), box, 24, 12, function (cell) {
        return (high[cell[0] + "," + cell[1]] || 0) <= cell[2];
      }, true) + (look.over ? look.over(planPlace(box, 24, 12)) : ""));
  }

  /* How many plans beside each other make the picture largest. */
  function columnsFor(count, size, narrow) {
    var shape = narrow ? 0.75 : 1.5, best = 1, most = 0, k, scale;

    for (k = 1; k <= count; k++) {
      scale = Math.min(shape / (k * size.width), 1 / (Math.ceil(count / k) *
        (size.height + 24)));
      if (scale > most * 1.01) {
        most = scale;
        best = k;
      }
    }
    return best;
  }

  function layers(game, n, who, look) {
    var box = bounds(usedCells(game, look.reach, true)), size = planSize(box), out = defs(), z, x, y;
    var now = read(R.view(game.steps[n], who)), move = lastMove(game.steps[n]);
    var count = box.high[2], columns = columnsFor(count, size, look.narrow);
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

  var legend = ["A bulge on a face of a cube is a dome, a hollow is a recess.",
    "A sceptre stands in a recess and bears the letter of its side: b or w.",
    "Yellow marks the last move: where the piece was, and where it is.",
    "Drag the table or press q and e to turn it. \"top\" looks straight " +
    "down, \"layers\" has a plan of each level."];

  R.board("axiom", {legend: legend, draw: draw, scores: scores, score: "cubes",
    narrows: true, words: words, status: status, looks: ["turntable", "top", "layers"],
    turns: true, setup: function (view) { return "setup=" + view.position; },
    seatNames: ["black", "white"],
    tokens: [["#3a414b", "#ffffff"], ["#fffdf6", "#3a3324"]]});
})();
