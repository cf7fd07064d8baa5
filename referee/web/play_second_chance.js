"use strict";
/* play_second_chance.js - a card, a turn of its piece, and a place. */
(function () {
  var R = Referee, board = R.boards["second-chance"], columns = "abcdefghi";

  /* TURN is 4 * M + Q: mirrored if M is 1, then Q quarters clockwise. */
  function turned(rows, turn) {
    var grid = rows.split("/"), q = turn % 4;

    function quarter(old) {
      return old[0].split("").map(function (unused, c) {
        return old.map(function (row) {
          return row[c];
        }).reverse().join("");
      });
    }

    if (turn >= 4)
      grid = grid.map(function (row) {
        return row.split("").reverse().join("");
      });
    for (; q > 0; q--)
      grid = quarter(grid);
    return grid;
  }

  function shape(choice) {
    return turned(board.pieces(choice.game)[choice.chosen[0]],
      Number(choice.chosen[1]));
  }

  /* The first square of the piece in its first row: that is where it is held. */
  function held(corner, choice) {
    return columns[columns.indexOf(corner[0]) + shape(choice)[0].indexOf("x")] +
      corner[1];
  }

  function distance(a, b) {
    return Math.abs(columns.indexOf(a[0]) - columns.indexOf(b[0])) +
      Math.abs(Number(a[1]) - Number(b[1]));
  }

  R.input("second-chance", R.tuple({
    turns: 1,
    split: function (move) {
      var p = move.split(":");

      return [p[0], p[2], p[1]];
    },
    parts: [
      {name: "Card", auto: true, shown: true,
        label: function (value) { return value; },
        svg: function (value, choice) {
          var rows = board.pieces(choice.game)[value];
          var wide = rows.split("/")[0].length, high = rows.split("/").length;

          return R.svg(60, 44, "", board.piece(rows, 30 - wide * 5,
            22 - high * 5, 10, "#7fb3e6"));
        }},
      {name: "Turn", auto: true,
        label: function (value) { return "turn " + value; },
        svg: function (value, choice) {
          var rows = turned(board.pieces(choice.game)[choice.chosen[0]],
            Number(value));

          return R.svg(48, 48, "", board.piece(rows.join("/"), 24 -
            rows[0].length * 4.5, 24 - rows.length * 4.5, 9, "#7fb3e6"));
        }},
      {name: "place", board: true, at: held,
        label: function (value, choice) {
          return "square " + held(value, choice);
        },
        near: function (old, values) {
          return values.slice().sort(function (a, b) {
            return distance(old, a) - distance(old, b);
          })[0];
        },
        words: function () {
          return "Choose a card, turn its piece, and choose a place.";
        }}
    ],
    ghost: function (choice, view) {
      var grids = view.grids.split(","), k = choice.seat - 1;
      var rows = grids[k].split("/"), corner = choice.chosen[2];

      shape(choice).forEach(function (row, r) {
        row.split("").forEach(function (c, i) {
          var y = Number(corner[1]) - 1 + r, x = columns.indexOf(corner[0]) + i;

          if (c === "x")
            rows[y] = rows[y].slice(0, x) + "x" + rows[y].slice(x + 1);
        });
      });
      grids[k] = rows.join("/");
      return {grids: grids.join(",")};
    }
  }));
})();
