"use strict";
/*
 * charts.js - lines over the steps of a game, and the marks of the slider.
 *
 * Pure functions to SVG text. A line has the number of its seat at its end and
 * a pattern of its own; a table says the same to a screen reader.
 */
Referee.charts = (function () {
  var R = Referee, el = R.el, text = R.text;
  var HEIGHT = 150, LEFT = 46, RIGHT = 26, TOP = 12, BOTTOM = 20;
  var dashes = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 4"];

  /* A round number at or above the greatest value. */
  function ceiling(value) {
    var power = Math.pow(10, Math.floor(Math.log10(value || 1) +
      1e-9));
    var step = [1, 2, 3, 4, 5, 6, 8, 10].filter(function (k) {
      return k * power >= value;
    })[0];

    return step * power;
  }

  function place(steps, top, wide) {
    return {
      x: function (n) {
        return LEFT + (steps > 1 ? n / (steps - 1) : 0) * (wide - LEFT - RIGHT);
      },
      wide: wide,
      y: function (value) {
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
      }
    };
  }

  function grid(at, top, unit, steps) {
    var out = "", i, value;

    for (i = 0; i <= 2; i++) {
      value = top * i / 2;
      out += el("line", {x1: LEFT, x2: at.wide - RIGHT, y1: at.y(value),
        y2: at.y(value), stroke: "currentColor", "stroke-opacity": 0.16}) +
        text(LEFT - 6, at.y(value), 11, unit(value), {"text-anchor": "end",
          "fill-opacity": 0.75});
    }
    return out + text(at.x(0), HEIGHT - 8, 11, "0", {"fill-opacity": 0.75}) +
      text(at.x(steps - 1), HEIGHT - 8, 11, steps - 1,
        {"fill-opacity": 0.75});
  }

  /* Where a line ends; numbers that would lie on each other are moved apart. */
  function ends(at, series) {
    var list = series.map(function (values, i) {
      var last = values.length - 1;

      while (last >= 0 && (values[last] === null || values[last] ===
        undefined))
        last--;
      return last < 0 ? null : {seat: i + 1, y: at.y(values[last]), x:
        Math.min(at.x(last) + 9, at.wide - 9)};
    }).filter(Boolean).sort(function (a, b) {
      return a.y - b.y || a.seat - b.seat;
    });

    list.forEach(function (end, i) {
      if (i)
        end.y = Math.max(end.y, list[i - 1].y + 14);
    });
    for (var i = list.length - 1, low = HEIGHT - 7; i >= 0; i--, low -= 14)
      list[i].y = Math.min(list[i].y, low);
    return list.map(function (end) {
      return R.badge(end.x, end.y, end.seat, 7);
    }).join("");
  }

  function line(at, values, seat) {
    var path = "";

    values.forEach(function (value, n) {
      if (value === null || value === undefined)
        return;
      path += (path ? "L" : "M") + R.num(at.x(n)) + " " + R.num(at.y(value));
    });
    return path && el("path", {d: path, fill: "none", stroke: R.seatColour(seat),
      "stroke-width": 2.2, "stroke-linejoin": "round",
      "stroke-dasharray": dashes[seat - 1] || null});
  }

  /* `series` is a list of values by seat and step; n is where the reader is. */
  function lines(name, series, n, unit, wide) {
    var steps = 0, most = 0, at, top;

    series.forEach(function (values) {
      steps = Math.max(steps, values.length);
      values.forEach(function (value) {
        most = Math.max(most, value || 0);
      });
    });
    top = ceiling(most);
    at = place(steps, top, wide);
    return R.svg(wide, HEIGHT, name, grid(at, top, unit || String, steps) +
      el("line", {x1: at.x(n), x2: at.x(n), y1: TOP - 6,
        y2: HEIGHT - BOTTOM, stroke: R.mark, "stroke-width": 2,
        "data-cursor": ""}) + series.map(function (values, i) {
        return line(at, values, i + 1);
      }).join("") + ends(at, series), {"data-steps": steps});
  }

  function xAt(n, steps, wide) {
    return R.num(place(steps, 1, wide).x(n));
  }

  /* The step at a place of the chart, from 0 at its left to 1 at its right. */
  function stepAt(part, steps, wide) {
    var x = (part * wide - LEFT) / (wide - LEFT - RIGHT);

    return Math.max(0, Math.min(steps - 1, Math.round(x * (steps - 1))));
  }

  function scores(game, board, who) {
    var series = [], seat;

    for (seat = 0; seat < game.head.seats; seat++)
      series.push([]);
    game.steps.forEach(function (step, n) {
      board.scores(R.view(step, who)).forEach(function (score, i) {
        series[i][n] = score;
      });
    });
    return series;
  }

  /* Seconds left on each clock after each step; null before it is known. */
  function clocks(game) {
    var series = [], now = [], seat, any = false;

    for (seat = 0; seat < game.head.seats; seat++) {
      series.push([]);
      now.push(null);
    }
    game.steps.forEach(function (step, n) {
      (step.clocks || []).forEach(function (clock) {
        any = true;
        now[clock.seat - 1] = clock.left.length ? clock.left[0] / 1e6 : null;
      });
      now.forEach(function (left, i) {
        series[i][n] = left;
      });
    });
    return any ? series : null;
  }

  /* Seconds that each move took. */
  function used(game) {
    var series = [], seat;

    for (seat = 0; seat < game.head.seats; seat++)
      series.push([]);
    game.steps.forEach(function (step, n) {
      series.forEach(function (values) {
        values[n] = null;
      });
      (step.clocks || []).forEach(function (clock) {
        series[clock.seat - 1][n] = clock.used / 1e6;
      });
    });
    return series;
  }

  /* What happened in a step that is worth a mark: its kind and words. */
  var kinds = {
    fault: {colour: "#c9252d", shape: "M-4 4L0 -5L4 4Z", words: "fault"},
    refused: {colour: "#b85c00", shape: "M-4 -4L4 4M4 -4L-4 4",
      words: "refused move"},
    trouble: {colour: "#7d46a8", shape: "M-3.5 -4H3.5L-3.5 4H3.5Z",
      words: "time trouble"},
    score: {colour: "#1f7a4d", shape: "M0 -4L4 0L0 4L-4 0Z", words: "score"}
  };

  function isTrouble(step, game) {
    return (step.clocks || []).some(function (clock) {
      var time = (game.head.players[clock.seat - 1] || {}).time || "";

      return /^(bank|fischer|delay|bronstein|hourglass)/.test(time) &&
        clock.left.length === 1 && clock.left[0] < 5e6;
    });
  }

  /* A score is worth a mark if it is among the greatest of the game. */
  function bigScores(series) {
    var jumps = [], all = {}, limit;

    series.forEach(function (values) {
      values.forEach(function (value, n) {
        if (n && Math.abs(value - values[n - 1]) > 0)
          jumps.push({n: n, by: Math.abs(value - values[n - 1])});
      });
    });
    jumps.sort(function (a, b) {
      return b.by - a.by;
    });
    limit = Math.max(1, Math.ceil(series.length && series[0].length / 10));
    jumps.slice(0, limit).forEach(function (jump) {
      all[jump.n] = true;
    });
    return all;
  }

  function marks(game, board, who) {
    var big = board && board.scores ? bigScores(scores(game, board, who)) : {};
    var found = [];

    game.steps.forEach(function (step, n) {
      var left = step.events.some(function (event) {
        return /^leave /.test(event.text);
      });

      if (left || step.faults)
        found.push({n: n, kind: "fault"});
      else if (step.refused)
        found.push({n: n, kind: "refused"});
      else if (isTrouble(step, game))
        found.push({n: n, kind: "trouble"});
      else if (big[n])
        found.push({n: n, kind: "score"});
    });
    return found;
  }

  function strip(found, steps) {
    return R.svg(1000, 12, "marks: " + (found.length ? found.map(
      function (mark) {
        return kinds[mark.kind].words + " in step " + mark.n;
      }).join(", ") : "none"), found.map(function (mark) {
      var kind = kinds[mark.kind];

      return el("path", {d: kind.shape, transform: "translate(" + R.num(steps >
        1 ? mark.n / (steps - 1) * 988 + 6 : 6) + " 6)", fill: mark.kind ===
        "refused" ? "none" : kind.colour, stroke: kind.colour,
      "stroke-width": mark.kind === "refused" ? 2.4 : 0.5, "data-step":
        mark.n}, R.title(kind.words + ", step " + mark.n));
    }).join(""), {preserveAspectRatio: "none"});
  }

  return {lines: lines, scores: scores, clocks: clocks, used: used,
    marks: marks, strip: strip, stepAt: stepAt,
    xAt: xAt, kinds: kinds};
})();
