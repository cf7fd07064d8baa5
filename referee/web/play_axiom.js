"use strict";
/* play_axiom.js - a cube or a sceptre, where it goes, and its domes. */
(function () {
  var R = Referee;
  var faces = {E: "east", W: "west", N: "north", S: "south", U: "up",
    D: "down"};

  function name(value) {
    return (value[0] === "S" ? "sceptre on " : "cube on ") + value.slice(1);
  }

  R.input("axiom", R.tuple({
    turns: 2,
    split: function (move) {
      var m = move.match(/^C([-\d,]+)\/([-\d,]+)([EWNSUD]+)$/);

      if (m)
        return ["C" + m[1], m[2], m[3]];
      m = move.split("/");
      return [m[0], m[1], "-"];
    },
    parts: [
      {name: "piece", board: true,
        at: function (value) { return value.slice(1); }, label: name,
        words: function () {
          return "Choose one of your cubes or sceptres.";
        }},
      {name: "to", board: true,
        reach: function (value) { return value.replace(/[EWNSUD]$/, ""); },
        at: function (value) { return value; },
        label: function (value) { return "to " + value; },
        words: function (choice) {
          return "Choose where the " + name(choice.chosen[0]) + " goes.";
        }},
      {name: "Domes", auto: true, label: function (value) {
        return value === "-" ? "" : value.split("").map(function (face) {
          return faces[face];
        }).join(" and ");
      }}
    ],
    ghost: function (choice, view) {
      var p = view.position.split("|"), from = choice.chosen[0].slice(1);
      var k = choice.chosen[0][0] === "S" ? 1 : 0;

      p[k] = p[k].split(";").map(function (word) {
        var cell = k ? word.slice(1) : word.slice(1).replace(/[EWNSUD]+$/, "");

        return cell !== from ? word : word[0] + choice.chosen[1] +
          (k ? "" : choice.chosen[2]);
      }).join(";");
      return {position: p.join("|")};
    }
  }));
})();
