"use strict";
/*
 * play_rondo.js - a chain of fields, each with open stones or one face down.
 *
 * A choice is the chain so far. A field that continues it is added; the last
 * one, chosen again, changes what lies there; an earlier one cuts the chain.
 */
(function () {
  var R = Referee;
  var names = {R: "red", P: "purple", G: "green", B: "blue", Y: "yellow"};

  function fieldOf(step) {
    return step.split(":")[0];
  }

  /* "b2, blue 4" */
  function describe(choice, field) {
    var p = choice.game.head.facts.fields.split(",").map(function (word) {
      return word.split(":");
    }).find(function (it) {
      return it[0] === field;
    });

    return field + ", " + names[p[1]] + " " + p[2];
  }

  /* The steps that may follow a chain. */
  function following(choice, chain) {
    var seen = {}, n = chain.length;

    choice.moves.forEach(function (move) {
      if (move.length > n && chain.every(function (step, i) {
        return move[i] === step;
      }))
        seen[move[n]] = true;
    });
    delete seen.pass;
    return Object.keys(seen);
  }

  function made(choice, chain) {
    return {game: choice.game, seat: choice.seat, moves: choice.moves,
      chain: chain};
  }

  /* What else may lie on the last field. */
  function others(choice) {
    var last = choice.chain[choice.chain.length - 1];

    return following(choice, choice.chain.slice(0, -1)).filter(
      function (step) {
        return fieldOf(step) === fieldOf(last);
      });
  }

  function isChain(choice) {
    return choice.chain.length > 0 && choice.chain[0] !== "pass";
  }

  function spots(choice) {
    var chain = isChain(choice) ? choice.chain : [], seen = {}, found;

    found = chain.map(fieldOf).map(function (field) {
      seen[field] = true;
      return {id: field, at: field, label: describe(choice, field),
        chosen: true};
    });
    following(choice, chain).map(fieldOf).forEach(function (field) {
      if (!seen[field])
        found.push({id: field, at: field, label: describe(choice, field),
          chosen: false, ring: true});
      seen[field] = true;
    });
    return found;
  }

  function next(choice, way) {
    var all = isChain(choice) ? others(choice) : [], last, i;

    if (all.length < 2)
      return null;
    last = choice.chain.length - 1;
    i = (all.indexOf(choice.chain[last]) + way + all.length) % all.length;
    return made(choice, choice.chain.slice(0, -1).concat(all[i]));
  }

  function pick(choice, field) {
    var chain = isChain(choice) ? choice.chain : [];
    var i = chain.map(fieldOf).indexOf(field);

    if (i >= 0 && i === chain.length - 1)
      return next(choice, 1) || choice;
    if (i >= 0)
      return made(choice, chain.slice(0, i + 1));
    return made(choice, chain.concat(following(choice, chain).find(
      function (step) {
        return fieldOf(step) === field;
      })));
  }

  function words(step) {
    var how = step.split(":")[1];

    return how[0] === "x" ? names[how[1]] + ", face down" : how + " open";
  }

  function rows(choice) {
    var found = [], last = choice.chain[choice.chain.length - 1];

    if (isChain(choice))
      found.push({name: "On " + fieldOf(last), options: others(choice).map(
        function (step) {
          return {value: step, label: words(step), chosen: step === last};
        })});
    if (choice.moves.some(function (move) {
      return move[0] === "pass";
    }))
      found.push({name: "Or", options: [{value: "pass",
        label: "pass and draw two", chosen: last === "pass"}]});
    return found;
  }

  R.input("rondo", {
    start: function (game, seat, moves) {
      return {game: game, seat: seat, chain: [], moves: moves.map(
        function (move) {
          return move.split(",");
        })};
    },
    spots: spots, pick: pick, rows: rows, next: next,
    set: function (choice, name, value) {
      return made(choice, value === "pass" ? ["pass"] :
        choice.chain.slice(0, -1).concat(value));
    },
    text: function (choice) {
      return choice.chain.join(",");
    },
    read: function (choice, move) {
      return made(choice, move.split(","));
    },
    ghost: function (choice, view) {
      var old = view.stones === "-" ? [] : [view.stones];

      return {stones: isChain(choice) ? old.concat(choice.chain).join(",") :
        view.stones};
    },
    words: function (choice) {
      if (!isChain(choice))
        return "Choose a field to begin your chain, or pass.";
      return following(choice, choice.chain).length ?
        "Continue the chain, or send it." : "The chain is complete.";
    }
  });
})();
