"use strict";
/* play_go.js - a point, or a pass. */
(function () {
  var R = Referee, columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

  var points = R.tuple({
    turns: 1, /* there is none */
    split: function (move) {
      return [move.toUpperCase()];
    },
    parts: [{name: "point", board: true, quiet: true,
      at: function (value) { return value; },
      label: function (value) { return value; },
      words: function () { return "Choose a point, or pass."; }}],
    ghost: function (choice, view) {
      var rows = view.board.split("/"), point = choice.chosen[0];
      var y = rows.length - Number(point.slice(1));
      var x = columns.indexOf(point[0]);

      if (point === "PASS")
        return {};
      rows[y] = rows[y].slice(0, x) + (choice.seat === 1 ? "x" : "o") +
        rows[y].slice(x + 1);
      return {board: rows.join("/")};
    }
  });
  var spots = points.spots;

  points.spots = function (choice) {
    return spots(choice).filter(function (spot) {
      return spot.at !== "PASS";
    });
  };
  points.rows = function (choice) {
    return [{name: "Or", options: [{value: "PASS", label: "pass",
      chosen: choice.chosen[0] === "PASS"}]}];
  };
  points.set = function (choice, row, value) {
    return points.pick(choice, "0:" + value);
  };
  R.input("go", points);
})();
