"use strict";
/* play_axio_rota.js - a cell, a turn, and a colour for an empty corner. */
(function () {
  var R = Referee, board = R.boards["axio-rota"];
  var names = {R: "red", G: "green", B: "blue", O: "orange", P: "purple",
    "-": "no colour"};

  function hand(choice) {
    var step = choice.game.steps[choice.game.steps.length - 1];

    return R.view(step, choice.seat).hand.split(",")[choice.seat - 1];
  }

  function turned(value, choice) {
    return board.turned(hand(choice), Number(value));
  }

  R.input("axio-rota", R.tuple({
    turns: 1,
    split: function (move) {
      var m = move.match(/^(-?\d+,-?\d+),(\d)(?:=(.))?$/);

      return [m[1], m[2], m[3] || "-"];
    },
    parts: [
      {name: "cell", board: true, square: true,
        reach: function (value) { return value; },
        at: function (value) { return value; },
        label: function (value) { return "cell " + value; },
        words: function () { return "Choose a cell for your tile."; }},
      {name: "Turn", auto: true,
        label: function (value, choice) {
          return "turn " + value + ": " + turned(value, choice);
        },
        svg: function (value, choice) {
          return R.svg(44, 44, "", board.tile(2, 2, 40, turned(value, choice)));
        }},
      {name: "Empty corner", auto: true, label: function (value) {
        return names[value];
      }}
    ],
    ghost: function (choice, view) {
      return {tiles: view.tiles + ";" + choice.chosen[0] + ":" +
        turned(choice.chosen[1], choice)};
    }
  }));
})();
