"use strict";
/*
 * play_input.js - how a person puts a move together on the board.
 *
 * No rules: an input gets the legal moves as texts and lets the person narrow
 * them down. It is a set of pure functions over a choice, which is whatever
 * the input makes it; play.js draws it and sends the move. An input registers
 * itself with Referee.input(NAME, {...}):
 *
 *     start(game, seat, moves)   nothing is chosen yet
 *     spots(choice)              places to choose: [{id, at, label, chosen,
 *                                square, quiet, ring}]; `at` as the drawing
 *                                knows it; one that is `quiet` is seen when it
 *                                is pointed at; a `ring` leaves what is there
 *                                in sight
 *     pick(choice, id)           one of these was chosen, or chosen again
 *     rows(choice)               other things to choose: [{name, options:
 *                                [{value, label, svg, chosen}]}]
 *     set(choice, name, value)   one of those was chosen
 *     next(choice, way)          another turn of the same thing, or null
 *     text(choice)               the move so far; complete if it is legal
 *     read(choice, move)         the choice that is this legal move
 *     reach(choice)              all places that must be in the picture
 *     ghost(choice, view, move)  the view as it would look, roughly
 *     words(choice)              what to do next
 */
(function () {
  var R = Referee;

  R.inputs = {};

  R.input = function (name, it) {
    R.inputs[name] = it;
  };

  /*
   * Moves that are a row of parts, such as place, turn and colour. Each part
   * has a `name`; `board` if it is chosen there, with `at(value, choice)`;
   * `auto` if something may be chosen for the person, by `near(old, values)`
   * or the first; `label(value, choice)` and `svg(value, choice)`. Part number
   * `turns` is what next() changes. `split` takes a move apart. `reach(value)`
   * is the place that must be in the picture.
   */
  R.tuple = function (it) {
    var parts = it.parts, deepest = parts.reduce(function (found, part, i) {
      return part.board ? i : found;
    }, 0);

    function options(choice, i) {
      var seen = {};

      return choice.moves.filter(function (move) {
        return choice.chosen.slice(0, i).every(function (value, k) {
          return move.parts[k] === value;
        }) && choice.chosen.length >= i;
      }).map(function (move) {
        return move.parts[i];
      }).filter(function (value) {
        var is_new = value !== undefined && !seen[value];

        seen[value] = true;
        return is_new;
      });
    }

    /* Keep what is still possible of what was chosen after part i. */
    function settle(choice, i, old) {
      var values;

      for (; i < parts.length; i++) {
        values = options(choice, i);
        if (values.length === 0)
          break;
        if (values.indexOf(old[i]) >= 0)
          choice.chosen[i] = old[i];
        else if (parts[i].near && old[i] !== undefined)
          choice.chosen[i] = parts[i].near(old[i], values, choice);
        else if (values.length === 1 || parts[i].auto)
          choice.chosen[i] = values[0];
        else
          break;
      }
      return choice;
    }

    function copy(choice, count) {
      var made = {}, key;

      for (key in choice)
        made[key] = choice[key];
      made.chosen = choice.chosen.slice(0, count);
      return made;
    }

    function change(choice, i, value) {
      var made = copy(choice, i);

      made.chosen.push(value);
      return settle(made, i + 1, choice.chosen);
    }

    /* The deepest that can be chosen, and what led there. */
    function spots(choice) {
      var found = [];

      parts.forEach(function (part, i) {
        if (!part.board || i > choice.chosen.length)
          return;
        options(choice, i).forEach(function (value) {
          var chosen = choice.chosen[i] === value;

          if (i === Math.min(deepest, choice.chosen.length) || chosen ||
            i === deepest)
            found.push({id: i + ":" + value, at: part.at(value, choice),
              label: part.label(value, choice), chosen: chosen,
              square: part.square, quiet: part.quiet});
        });
      });
      return found;
    }

    function next(choice, way) {
      var values = options(choice, it.turns), i;

      if (choice.chosen.length <= it.turns || values.length < 2)
        return null;
      i = values.indexOf(choice.chosen[it.turns]) + way;
      return change(choice, it.turns, values[(i + values.length) %
        values.length]);
    }

    function pick(choice, id) {
      var i = Number(id.split(":")[0]), value = id.slice(id.indexOf(":") + 1);

      if (choice.chosen[i] !== value)
        return change(choice, i, value);
      if (i < deepest) /* let go of it */
        return copy(choice, i);
      return next(choice, 1) || choice;
    }

    function rows(choice) {
      return parts.map(function (part, i) {
        return {name: part.name, part: part, options: part.board ? [] :
          options(choice, i).map(function (value) {
            return {value: value, label: part.label(value, choice),
              svg: part.svg && part.svg(value, choice),
              chosen: choice.chosen[i] === value};
          })};
      }).filter(function (row) {
        return row.options.length > 1 || row.options.length && row.part.shown;
      });
    }

    function index(name) {
      return parts.findIndex(function (part) {
        return part.name === name;
      });
    }

    return {
      start: function (game, seat, moves) {
        var choice = {game: game, seat: seat, chosen: [],
          moves: moves.map(function (move) {
            return {move: move, parts: it.split(move)};
          })};

        return settle(choice, 0, []);
      },
      spots: spots, pick: pick, rows: rows, next: next,
      set: function (choice, name, value) {
        return change(choice, index(name), value);
      },
      text: function (choice) {
        var found = choice.moves.find(function (move) {
          return move.parts.length === choice.chosen.length &&
            move.parts.every(function (value, i) {
              return value === choice.chosen[i];
            });
        });

        return found ? found.move : "";
      },
      read: function (choice, move) {
        var made = copy(choice, 0);

        made.chosen = it.split(move);
        return made;
      },
      reach: function (choice) {
        var found = {};

        parts.forEach(function (part, i) {
          if (part.reach)
            choice.moves.forEach(function (move) {
              found[part.reach(move.parts[i])] = true;
            });
        });
        return Object.keys(found);
      },
      ghost: it.ghost,
      words: function (choice) {
        var i = choice.chosen.length;

        return i < parts.length && parts[i].words ? parts[i].words(choice) : "";
      }
    };
  };
})();
