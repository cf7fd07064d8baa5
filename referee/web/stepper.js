"use strict";
/*
 * stepper.js - the viewer: step through a game and see who knew what.
 *
 *     var viewer = Referee.viewer(element, games, {record: [...]});
 *     viewer.add(step);      a running game: one step more
 *     viewer.now(it);        its clocks, and who has answered
 *     viewer.finish(end);    and its end
 *
 * `games` are documents as "referee replay --steps" writes them. Where the
 * reader is stands in the address: #game=ID&at=43&seat=2&view=layers&with=3. A
 * new step never moves a reader who has gone back.
 *
 * Names, notes and events come from strangers: they are only ever set as text.
 */
Referee.viewer = function (root, games, options) {
  var R = Referee, doc = root.ownerDocument, win = doc.defaultView;
  var at = {game: 0, n: 0, who: null, second: null, mode: null, yaw: 30};
  var parts = {}, playing = null, speed = 1, fresh = 0, narrow;
  var present = null, presentAt = 0, ticking = null;

  options = options || {};

  /* Elements. */

  function make(name, values, inside) {
    return R.make(doc, name, values, inside);
  }

  /* SVG text of a drawing; it has no words of strangers in it. */
  function picture(node, svg) {
    if (node.drawn !== svg) {
      node.innerHTML = svg;
      node.drawn = svg;
    }
  }

  function button(label, name, act, more) {
    var values = {type: "button", "aria-label": name, title: name, on:
      {click: act}}, key;

    for (key in more || {})
      values[key] = more[key];
    values.text = label;
    return make("button", values);
  }

  /* What is shown. */

  function game() {
    return games[at.game];
  }

  function board() {
    return R.boards[game().head.game];
  }

  function last() {
    return game().steps.length - 1;
  }

  function step() {
    return game().steps[at.n];
  }

  /* Where seats see the same, there is nothing to choose. */
  function audiences() {
    var list = [], k;

    if (game().head.audience !== "all")
      return [game().head.audience];
    list.push("all");
    if (game().head.traits.length === 0)
      return list;
    list.push("public");
    if (game().head.traits.indexOf("hidden") < 0)
      return list;
    for (k = 1; k <= game().head.seats; k++)
      list.push(k);
    list.push("mover");
    return list;
  }

  function audienceName(who) {
    if (who === "all")
      return "All";
    if (who === "public")
      return "Watcher";
    return who === "mover" ? "To move" : "Seat " + who;
  }

  /* The one who owes a move, or who moved last. */
  function resolved(who) {
    var n = at.n;

    if (who !== "mover")
      return who;
    while (n > 0 && game().steps[n].owe.length === 0)
      n--;
    return game().steps[n].owe[0] || 1;
  }

  function gameName(i) {
    var about = games[i].head.about;

    return about.id || about.match || String(i + 1);
  }

  /* The address. */

  function readHash() {
    var found = {};

    win.location.hash.replace(/^#/, "").split("&").forEach(function (pair) {
      var p = pair.split("=");

      if (p.length === 2)
        try {
          found[p[0]] = decodeURIComponent(p[1]);
        } catch (e) {
          found[p[0]] = "";
        }
    });
    return found;
  }

  function audienceOf(word) {
    var who = /^[1-6]$/.test(word) ? Number(word) : word;

    return audiences().indexOf(who) >= 0 ? who : null;
  }

  function fromHash() {
    var found = readHash(), i;

    for (i = 0; i < games.length; i++)
      if (found.game !== undefined && (gameName(i) === found.game ||
        options.files && options.files[i] === found.game))
        at.game = i;
    at.who = audienceOf(found.seat) || audiences()[0];
    at.second = audienceOf(found.with);
    at.n = /^\d+$/.test(found.at || "") ? Math.min(Number(found.at), last()) :
      options.live ? last() : 0;
    at.mode = board() && board().looks && board().looks.indexOf(found.view) >=
      0 ? found.view : null;
    if (/^-?\d+$/.test(found.yaw || ""))
      at.yaw = (Number(found.yaw) % 360 + 360) % 360;
  }

  function toHash() {
    var words = ["game=" + encodeURIComponent(gameName(at.game)),
      "at=" + at.n];

    if (at.who !== audiences()[0])
      words.push("seat=" + at.who);
    if (at.second)
      words.push("with=" + at.second);
    if (at.mode && board().looks && at.mode !== board().looks[0])
      words.push("view=" + at.mode);
    if (board() && board().turns && at.yaw !== 30)
      words.push("yaw=" + at.yaw);
    win.history.replaceState(null, "", "#" + words.join("&"));
  }

  /* Moving about. */

  function go(n) {
    n = Math.max(0, Math.min(last(), n));
    if (n === at.n)
      return;
    at.n = n;
    show();
  }

  function forth() {
    go(at.n + 1);
  }

  function back() {
    go(at.n - 1);
  }

  /* The next step in which the same seats owe a move. */
  function round(way) {
    var owes = String(step().owe), n = at.n + way;

    while (n > 0 && n < last() && String(game().steps[n].owe) !== owes)
      n += way;
    go(n);
  }

  function stop() {
    win.clearTimeout(playing);
    playing = null;
    showPlaying();
  }

  function tick() {
    if (at.n >= last()) {
      stop();
      return;
    }
    forth();
    playing = win.setTimeout(tick, 1000 / speed);
  }

  function toggle() {
    if (playing !== null) {
      stop();
      return;
    }
    if (at.n === last())
      go(0);
    playing = win.setTimeout(tick, 1000 / speed);
    showPlaying();
  }

  function showPlaying() {
    parts.play.textContent = playing === null ? "\u25b6" : "\u2016";
    parts.play.setAttribute("aria-label", playing === null ? "play" : "pause");
    parts.play.title = playing === null ? "play (space)" : "pause (space)";
  }

  function choose(who) {
    if (audiences().indexOf(who) < 0)
      return;
    at.who = who;
    show();
  }

  function turn(by) {
    at.yaw = ((at.yaw + by) % 360 + 360) % 360;
    show();
  }

  function otherGame(way) {
    if (at.game + way < 0 || at.game + way >= games.length)
      return;
    stop();
    at.game += way;
    at.n = 0;
    at.mode = at.second = null;
    at.who = audiences().indexOf(at.who) >= 0 ? at.who : audiences()[0];
    build();
    show();
  }

  /* Words. */

  function moveText(one, who) {
    var plays = R.plays(one, who);

    if (plays.length)
      return plays.map(function (play) {
        return (plays.length > 1 ? play.seat + ": " : "") + play.move;
      }).join(" \u00b7 ");
    plays = one.events.filter(function (event) {
      return /^leave /.test(event.text);
    });
    if (plays.length)
      return plays.map(function (event) {
        var w = event.text.split(" ");

        return "seat " + w[1] + " leaves (" + w[2] + ")";
      }).join(", ");
    return one.n === 0 ? "start" : "\u2013";
  }

  function seatOf(text) {
    var w = text.split(" ");

    return /^[1-6]$/.test(w[1]) && /^(play|leave|draw|score|hand|bonus|marks|start|second|out|one)$/
      .test(w[0]) ? Number(w[1]) : null;
  }

  function eventWords(text) {
    var w = text.split(" "), b = board(), words = b && b.words && b.words(text);

    if (w[0] === "play")
      return "plays " + w.slice(2).join(" ");
    if (w[0] === "leave")
      return "leaves: " + w[2];
    return words === null || words === undefined ? text : words;
  }

  /* Parts of the page. */

  function seatPanel(k) {
    var player = game().head.players[k - 1], b = board();
    var part = parts.seat[k] = {score: make("span", {class: "score"}),
      clock: make("span", {class: "clock"}), holds: make("div", {class:
      "holds"}), state: make("span")};
    var number = make("span", {class: "number"});
    var names = b && b.seatNames;

    picture(number, R.svg(24, 24, "seat " + k, R.badge(12, 12, k, 10,
      b && b.tokens && b.tokens[k - 1])));
    part.node = make("section", {class: "seat s" + k, "aria-label": "seat " +
      k + ", " + R.playerName(game(), k)}, [
      make("div", {class: "who"}, [number, make("span", {class: "name", text:
        R.playerName(game(), k) + (names ? " (" + names[k - 1] + ")" : "")}),
      part.score]),
      make("div", {class: "facts"}, [part.state, part.clock]), part.holds]);
    if (player && player.version)
      part.node.title = "version " + player.version;
    return part.node;
  }

  function showSeat(k) {
    var part = parts.seat[k], b = board(), one = step();
    var scores = b && b.scores ? b.scores(R.view(one, shownAs())) : null;
    var left = leftBefore(k), clocks = parts.clocks;
    var value = clocks ? clocks[k - 1][at.n] : null;
    var time = (game().head.players[k - 1] || {}).time || "";

    part.score.textContent = scores ? String(scores[k - 1]) : "";
    part.score.title = b && b.score || "";
    part.node.classList.toggle("owes", one.owe.indexOf(k) >= 0);
    part.node.classList.toggle("gone", Boolean(left));
    part.state.textContent = left ? "left: " + left : one.owe.indexOf(k) >= 0 ?
      nowOf(k) && nowOf(k).answered ? "has answered" : "to move" :
      rankOf(k) || "";
    if (nowOf(k) && nowOf(k).left !== null)
      value = leftNow(k);
    part.clock.textContent = value === null || value === undefined ?
      R.timeText(time) : R.clockText(value);
    part.clock.title = R.timeText(time);
    part.clock.classList.toggle("low", value !== null && value !== undefined &&
      value < 5 && !/^(none|move)/.test(time));
    if (b && b.seat)
      picture(part.holds, b.seat(game(), at.n, shownAs(), k));
  }

  /* What a seat does at this moment, if that is what is shown. */
  function nowOf(k) {
    return present && !game().end && at.n === last() && present.moves ===
      step().moves ? present.seats[k - 1] : null;
  }

  function leftNow(k) {
    return nowOf(k).left - (nowOf(k).asked ? (win.Date.now() - presentAt) /
      1000 : 0);
  }

  /* Clocks run only while somebody can see them. */
  function tickClocks() {
    var k, runs = false;

    win.clearTimeout(ticking);
    for (k = 1; k <= game().head.seats; k++)
      if (nowOf(k) && nowOf(k).asked && nowOf(k).left !== null) {
        runs = true;
        parts.seat[k].clock.textContent = R.clockText(leftNow(k));
      }
    if (runs && !doc.hidden)
      ticking = win.setTimeout(tickClocks, 250);
  }

  function rankOf(k) {
    var result = game().end && game().end.result;

    return result && at.n === last() ? "rank " + result.ranks[k - 1] : null;
  }

  /* Who has left, and why, by seat. */
  function leftBefore(k) {
    return R.fold(game(), "left", at.n, function (before, one) {
      var left = Object.assign({}, before);

      one.events.forEach(function (event) {
        var w = event.text.split(" ");

        if (w[0] === "leave")
          left[w[1]] = w[2];
      });
      return left;
    })[k] || null;
  }

  function shownAs() {
    return resolved(at.who);
  }

  function viewTable(who) {
    var view = R.view(step(), who);

    return make("table", {class: "view"}, [make("tbody", {},
      Object.keys(view).map(function (key) {
        return make("tr", {}, [make("th", {scope: "row", text: key}),
          make("td", {text: view[key]})]);
      }))]);
  }

  function boardFigure(who) {
    var b = board(), name = who === "mover" ? "Seat " + resolved(who) +
      " (to move)" : audienceName(who);
    var node = make("div", {class: "picture"});
    var caption = make("figcaption", {}, [make("span", {class: "whose", text:
      "Seen by: " + name}), make("span")]);

    return {who: who, node: node, caption: caption, figure: make("figure",
      {class: "board" + (b && b.turns && modeName() === b.looks[0] ?
        " turning" : "")}, [node, caption])};
  }

  function modeName() {
    var b = board();

    return at.mode || b && b.looks && b.looks[0] || null;
  }

  function showBoards() {
    var whos = at.second ? [at.who, at.second] : [at.who], b = board();
    var form = whos.join() + at.game + modeName();

    if (parts.form !== form) {
      parts.figures = whos.map(boardFigure);
      parts.boards.replaceChildren.apply(parts.boards, parts.figures.map(
        function (it) {
          return it.figure;
        }));
      parts.boards.classList.toggle("two", whos.length > 1);
      parts.form = form;
    }
    parts.figures.forEach(function (it) {
      var who = resolved(it.who);

      if (b)
        picture(it.node, b.draw(game(), at.n, who, {mode: modeName(),
          yaw: at.yaw, narrow: narrow.matches}));
      else
        it.node.replaceChildren(viewTable(who));
      it.caption.firstChild.textContent = it.who === "mover" ?
        "Seen by seat " + who + ", to move" : "Seen by: " +
        audienceName(it.who);
      it.caption.lastChild.textContent = b && b.status ? (at.second ?
        " \u00b7 " : "") + b.status(step().view) : "";
    });
  }

  function eventItem(event) {
    var seat = seatOf(event.text), words = eventWords(event.text);
    var secret = event.to && shownAs() === "all";

    if (words === "")
      return null;
    return make("li", {}, [seat ? make("span", {class: "by", text:
      R.playerName(game(), seat) + " "}) : null, make("span", {class:
      words.length < 30 ? "token" : null, text: words}),
    secret ? make("span", {class: "secret", text: " (only seat " + event.to +
      " was told)"}) : null]);
  }

  function asideItems(one) {
    var items = [];

    (one.refused || []).forEach(function (it) {
      items.push(make("li", {class: "bad", text: R.playerName(game(), it.seat) +
        ": " + it.move + " was refused: " + it.why}));
    });
    (one.faults || []).forEach(function (it) {
      items.push(make("li", {class: "bad", text: R.playerName(game(), it.seat) +
        ": " + it.why + ": " + it.text}));
    });
    (one.stopped || []).forEach(function (it) {
      items.push(make("li", {class: "bad", text: R.playerName(game(), it.seat) +
        ": the walls stopped this bot: it " + it.text}));
    });
    (one.walls || []).forEach(function (it) {
      items.push(make("li", {class: "secret", text: R.playerName(game(),
        it.seat) + " plays behind walls: " + it.wall}));
    });
    (one.clocks || []).forEach(function (it) {
      items.push(make("li", {class: "secret", text: R.playerName(game(),
        it.seat) + " took " + (it.used / 1e6).toFixed(3) + " s" +
        (it.lag > 1000 ? ", lag " + (it.lag / 1e6).toFixed(3) + " s" : "")}));
    });
    return items;
  }

  function showHappened() {
    var one = step(), who = shownAs();
    var items = R.events(one, who).map(eventItem).concat(asideItems(one));
    var notes = (one.notes || []).concat(at.n === last() && game().end ?
      game().end.notes || [] : []).filter(function (note) {
      return who === "all" || note.seat === who;
    });

    parts.happened.replaceChildren.apply(parts.happened, items.filter(Boolean));
    parts.notes.replaceChildren.apply(parts.notes, notes.map(function (note) {
      return make("p", {class: "note", text: R.playerName(game(), note.seat) +
        ": " + note.text});
    }));
    parts.noteCard.hidden = notes.length === 0;
    parts.live.textContent = "Step " + at.n + ". " + items.filter(Boolean).map(
      function (item) {
        return item.textContent;
      }).slice(0, 4).join(". ");
  }

  /* One stop for Tab; arrows, Home and End move within. */
  function showMoves() {
    var list = parts.moves.firstChild, item, i;

    for (i = list.children.length; i <= last(); i++)
      list.appendChild(moveItem(i));
    if (parts.current) {
      parts.current.removeAttribute("aria-current");
      parts.current.tabIndex = -1;
    }
    parts.current = list.children[at.n].firstChild;
    parts.current.setAttribute("aria-current", "step");
    parts.current.tabIndex = 0;
    item = parts.current.parentNode;
    if (item.offsetTop < parts.moves.scrollTop || item.offsetTop +
      item.offsetHeight > parts.moves.scrollTop + parts.moves.clientHeight)
      parts.moves.scrollTop = item.offsetTop - parts.moves.clientHeight / 2;
  }

  /* The number of a seat in its colour, before what it did. */
  function chip(seat) {
    return make("span", {class: "chip s" + seat, text: seat});
  }

  /* What was played, each move with its seat; else the words for the step. */
  function moveWords(one) {
    var who = game().head.audience === "all" ? "public" : game().head.audience;
    var plays = R.plays(one, who);

    if (!plays.length)
      return [make("span", {text: moveText(one, who)})];
    return plays.map(function (play) {
      return make("span", {class: "token"}, [chip(play.seat),
        make("span", {text: play.move})]);
    });
  }

  function moveItem(n) {
    var mark = parts.marks[n];
    var number = n === 0 ? "" : n + ".";

    return make("li", {}, [make("button", {type: "button", tabindex: -1, on:
      {click: function () {
        go(n);
      }}}, [make("span", {class: "n", text: number}),
    make("span", {class: "what"}, moveWords(game().steps[n])),
    mark ? make("span", {class: "mark", text: {fault: "!", refused: "?!",
      trouble: "\u29d7", score: "\u25c6"}[mark], title:
      R.charts.kinds[mark].words}) : null])]);
  }

  function showCharts() {
    var wide = plotWidth();

    parts.plots.forEach(function (plot) {
      var steps = plot.series[0].length, here = String(R.charts.xAt(at.n,
        steps, wide)), cursor;

      if (plot.wide !== wide) {
        picture(plot.node, R.charts.lines(plot.name, plot.series, at.n,
          plot.unit, wide));
        plot.wide = wide;
      }
      cursor = plot.node.querySelector("[data-cursor]");
      cursor.setAttribute("x1", here);
      cursor.setAttribute("x2", here);
    });
  }

  /* Who wants no spoilers is not told how long it was. */
  function whereText() {
    return "step " + at.n + (doc.documentElement.getAttribute(
      "data-spoilers") === "off" && at.n < last() ? "" : " of " + last());
  }

  function show() {
    var k;

    parts.slider.max = last();
    parts.slider.value = at.n;
    parts.slider.setAttribute("aria-valuetext", whereText() + ", " +
      moveText(step(), shownAs()));
    parts.where.textContent = whereText();
    parts.first.disabled = parts.back.disabled = at.n === 0;
    parts.next.disabled = parts.end.disabled = at.n === last();
    if (at.n === last())
      fresh = 0;
    parts.fresh.hidden = fresh === 0;
    parts.fresh.textContent = fresh + " new move" + (fresh === 1 ? "" : "s");
    showSwitches();
    showBoards();
    for (k = 1; k <= game().head.seats; k++)
      showSeat(k);
    tickClocks();
    showHappened();
    showMoves();
    showCharts();
    parts.result.hidden = !game().end || at.n !== last() && !options.spoil;
    toHash();
  }

  /* Switches: one stop for Tab each, arrows choose. */

  function radios(name, values, label, pick) {
    var group = make("span", {class: "group", role: "radiogroup",
      "aria-label": name}), buttons = {};

    group.appendChild(make("span", {class: "name", "aria-hidden": "true",
      text: name}));
    values.forEach(function (value) {
      buttons[value] = make("button", {type: "button", role: "radio",
        text: label(value), on: {click: function (event) {
          pick(value);
          /* After a mouse the arrows step again; after a key they choose. */
          if (event.detail)
            event.currentTarget.blur();
        }}});
      group.appendChild(buttons[value]);
    });
    group.addEventListener("keydown", function (event) {
      var way = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1,
        ArrowUp: -1}[event.key], i;

      if (!way)
        return;
      event.preventDefault();
      event.stopPropagation();
      i = values.findIndex(function (value) {
        return buttons[value].getAttribute("aria-checked") === "true";
      });
      i = (i + way + values.length) % values.length;
      pick(values[i]);
      buttons[values[i]].focus();
    });
    return {node: group, set: function (chosen) {
      values.forEach(function (value) {
        buttons[value].setAttribute("aria-checked", String(value === chosen));
        buttons[value].tabIndex = value === chosen ? 0 : -1;
      });
    }};
  }

  function showSwitches() {
    if (parts.who)
      parts.who.set(at.who);
    if (parts.second)
      parts.second.value = at.second || "";
    if (parts.mode)
      parts.mode.set(modeName());
  }

  function switches() {
    var node = make("div", {class: "switches"}), b = board();

    parts.who = parts.second = parts.mode = null;
    if (audiences().length > 1) {
      parts.who = radios("Seen by", audiences(), audienceName, choose);
      node.appendChild(parts.who.node);
      node.appendChild(secondSwitch());
    } else {
      node.appendChild(make("span", {class: "group name", text:
        audiences()[0] === "all" ? "Nothing is hidden in this game." :
          "Seen by: " + audienceName(audiences()[0])}));
    }
    if (b && b.looks) {
      parts.mode = radios("Board", b.looks, String, function (mode) {
        at.mode = mode;
        show();
      });
      node.appendChild(parts.mode.node);
    }
    if (b && b.turns)
      node.appendChild(make("span", {class: "group"}, [
        button("\u21ba", "turn left (q)", function () { turn(-15); }),
        button("\u21bb", "turn right (e)", function () { turn(15); })]));
    return node;
  }

  function secondSwitch() {
    parts.second = make("select", {"aria-label": "beside it, seen by", on:
      {change: function () {
        at.second = audienceOf(parts.second.value);
        show();
      }}}, [make("option", {value: "", text: "one board"})].concat(
      audiences().map(function (who) {
        return make("option", {value: who, text: "beside: " +
          audienceName(who)});
      })));
    return parts.second;
  }

  /* Results and proofs. */

  function resultCard() {
    var end = game().end, result = end && end.result, rows;
    var card = make("section", {class: "card result", "aria-label":
      "result"});

    if (!result) {
      card.appendChild(make("p", {text: end ? "The record is " + end.status +
        "." : ""}));
      return card;
    }
    rows = result.ranks.map(function (rank, i) {
      return {rank: rank, seat: i + 1, score: result.scores[i],
        left: result.left[i + 1]};
    }).sort(function (a, b) {
      return a.rank - b.rank || a.seat - b.seat;
    });
    card.appendChild(make("table", {}, [
      make("caption", {text: "Result: " + result.reason}),
      make("thead", {}, [make("tr", {}, ["Rank", "Player", "Score"].map(
        function (name) {
          return make("th", {scope: "col", class: name === "Player" ? null :
            "number", text: name});
        }))]),
      make("tbody", {}, rows.map(function (row) {
        return make("tr", {}, [make("td", {class: "number", text: row.rank}),
          make("td", {text: row.seat + ": " + R.playerName(game(), row.seat) +
            (row.left ? " (left: " + row.left + ")" : "")}),
          make("td", {class: "number", text: row.score})]);
      }))]));
    return card;
  }

  function proofLines() {
    var end = game().end, head = game().head, list = [];

    if (!end)
      return [["", "The game is under way."]];
    if (end.status === "void")
      list.push(["bad", "The game is void: it was stopped through no fault " +
        "of a bot."]);
    else
      list.push(["good", "\u2713 Every move and every event was replayed " +
        "through the rules when this was written."]);
    if (end.closed)
      list.push(["good", "\u2713 The record is closed and matches its hash" +
        (end.hash ? ": " : "."), end.hash]);
    else
      list.push(["", "The record is not closed with a hash."]);
    if (end.seed && head.commit && head.commit !== "none")
      list.push(["good", "\u2713 The deal follows from the seed, which was " +
        "promised before the game by its SHA-256: ", head.commit], ["",
        "Seed: ", end.seed]);
    else if (head.commit && head.commit !== "none")
      list.push(["", "The seed was promised before the game by its SHA-256: ",
        head.commit]);
    return list;
  }

  function proofTitle() {
    var end = game().end;

    if (!end)
      return "Not over yet";
    if (end.status === "void")
      return "Void";
    return "\u2713 Replayed" + (end.closed ? ", closed with its hash" : "") +
      (end.seed && game().head.commit && game().head.commit !== "none" ?
        ", dealt as promised" : "");
  }

  function proofCard() {
    var file = options.files && options.files[at.game] || "FILE";
    var about = game().head.about, id = about.id || about.match;

    return make("details", {class: "card"}, [
      make("summary", {}, [make("h2", {text: proofTitle()})]),
      make("ul", {class: "proof"}, proofLines().map(function (line) {
        return make("li", {class: line[0]}, [make("span", {text: line[1]}),
          line[2] ? make("code", {text: line[2]}) : null]);
      })),
      make("p", {class: "proof", text: "Check it yourself:"}),
      make("code", {class: "command", text: "referee replay " + (id ? "--id " +
        id + " " : "") + file})]);
  }

  /* Copies. */

  function copy(text, node) {
    var label = node.textContent;
    var done = function (words) {
      node.textContent = words;
      win.setTimeout(function () {
        node.textContent = label;
      }, 1500);
    };
    var area;

    if (win.navigator.clipboard && win.isSecureContext) {
      win.navigator.clipboard.writeText(text).then(function () {
        done("Copied");
      }, function () {
        done("Not copied");
      });
      return;
    }
    area = make("textarea", {class: "unseen", "aria-hidden": "true"});
    area.value = text;
    root.appendChild(area);
    area.select();
    done(doc.execCommand("copy") ? "Copied" : "Not copied");
    area.remove();
    node.focus();
  }

  /* A drawing that stands alone: with its colours and its ground. */
  function svgFile() {
    var svg = board().draw(game(), at.n, shownAs(), {mode: modeName(),
      yaw: at.yaw, narrow: false});

    return svg.replace("<svg ", '<svg color="#23262b" ').replace(/(<svg [^>]*>)/,
      '$1<rect width="100%" height="100%" fill="#ffffff"/>') + "\n";
  }

  function copies() {
    var node = make("div", {class: "copies"}), b = board();
    var add = function (label, text) {
      var it = button(label, label, function () {
        copy(text(), it);
      });

      it.removeAttribute("title");
      node.appendChild(it);
    };

    if (options.records && options.records[at.game])
      add("Copy record", function () {
        return options.records[at.game];
      });
    if (b)
      add("Copy step as SVG", svgFile);
    if (b && b.setup)
      add("Copy position as setup", function () {
        return "--set '" + b.setup(step().view) + "'";
      });
    add("Copy link", function () {
      return win.location.href;
    });
    return node;
  }

  /* Charts. */

  function seconds(value) {
    if (value >= 60)
      return R.clockText(value);
    return value < 1 && value > 0 ? R.num(value * 1000) + " ms" :
      R.num(value) + " s";
  }

  function plotWidth() {
    return parts.plots.length < 3 && !narrow.matches ? 480 : 360;
  }

  function plotCard(name, series, unit) {
    var node = make("div", {class: "plot"});

    node.addEventListener("click", function (event) {
      var box = node.getBoundingClientRect();

      go(R.charts.stepAt((event.clientX - box.left) / box.width, last() + 1,
        plotWidth()));
    });
    parts.plots.push({node: node, name: name, series: series, unit: unit});
    return make("section", {class: "card", "aria-label": name}, [
      make("h2", {text: name}), node]);
  }

  function charts() {
    var node = make("div", {class: "plots"}), b = board();
    var time = (game().head.players[0] || {}).time || "";

    parts.plots = [];
    parts.clocks = R.charts.clocks(game());
    if (b && b.scores && last() > 0)
      node.appendChild(plotCard(b.score[0].toUpperCase() + b.score.slice(1),
        R.charts.scores(game(), b, game().head.audience)));
    if (parts.clocks && !/^(none|move)/.test(time))
      node.appendChild(plotCard("Time left", parts.clocks, seconds));
    if (parts.clocks)
      node.appendChild(plotCard("Time per move", R.charts.used(game()),
        seconds));
    return node;
  }

  /* Building it. */

  function head() {
    var about = game().head.about, names = game().head.players.map(
      function (player, i) {
        return R.playerName(game(), i + 1);
      });
    var start = about.start && about.start.slice(0, 16).replace("T", " ");
    var sub = [about.event, about.id || about.match, start].filter(Boolean)
      .join(" \u00b7 ");
    var bar = make("header", {class: "bar"}, [make("h1", {}, [
      make("span", {text: game().head.title + ": " + names.join(" \u2013 ")}),
      make("span", {class: "sub", text: sub})])]);

    if (games.length > 1)
      bar.appendChild(make("span", {class: "group tools"}, [
        button("\u2039 Previous game", "previous game (p)", function () {
          otherGame(-1);
        }, at.game === 0 ? {disabled: ""} : {}),
        make("span", {text: at.game + 1 + " of " + games.length}),
        button("Next game \u203a", "next game (n)", function () {
          otherGame(1);
        }, at.game === games.length - 1 ? {disabled: ""} : {})]));
    bar.appendChild(make("span", {class: "group tools"}, [
      button("?", "keys (?)", function () {
        parts.help.showModal();
      }), button("\u25d0", "light or dark", theme)]));
    return bar;
  }

  function theme() {
    var dark = win.matchMedia("(prefers-color-scheme: dark)").matches;
    var now = doc.documentElement.getAttribute("data-theme") ||
      (dark ? "dark" : "light");

    doc.documentElement.setAttribute("data-theme", now === "dark" ? "light" :
      "dark");
  }

  var keyHelp = [["\u2190 \u2192  j k", "one step back, one on"],
    ["[  ]", "one round back, one on"], ["Home End", "first, last step"],
    ["space", "play, pause"], ["+ \u2212", "faster, slower"],
    ["1 \u2026 6", "seen by this seat"], ["a  w  m",
      "seen by all, a watcher, the seat to move"],
    ["v", "another look at the board"], ["q  e", "turn the table"],
    ["n  p", "next game, previous game"]];

  function help() {
    parts.help = make("dialog", {"aria-label": "keys"}, [
      make("h2", {text: "Keys"}),
      make("table", {}, [make("tbody", {}, keyHelp.map(function (row) {
        return make("tr", {}, [make("td", {}, [make("kbd", {text: row[0]})]),
          make("td", {text: row[1]})]);
      }))]),
      make("form", {method: "dialog"}, [make("button", {text: "Close"})])]);
    return parts.help;
  }

  var speeds = [0.5, 1, 2, 4, 10];

  function stepping() {
    parts.first = button("\u00ab", "first step (Home)", function () {
      go(0);
    }, {class: "move"});
    parts.back = button("\u2039", "one step back (left arrow)", back,
      {class: "move"});
    parts.play = button("\u25b6", "play", toggle, {class: "move"});
    parts.next = button("\u203a", "one step on (right arrow)", forth,
      {class: "move"});
    parts.end = button("\u00bb", "last step (End)", function () {
      go(last());
    }, {class: "move"});
    parts.where = make("span", {class: "where"});
    parts.fresh = make("button", {type: "button", class: "fresh", hidden: "",
      on: {click: function () {
        go(last());
      }}});
    parts.speed = make("select", {"aria-label": "steps per second", on:
      {change: function () {
        speed = Number(parts.speed.value);
      }}}, speeds.map(function (value) {
      return make("option", {value: value, text: value + "\u00d7"});
    }));
    parts.speed.value = speed;
    return make("div", {class: "stepping", role: "group", "aria-label":
      "stepping"}, [parts.first, parts.back, parts.play, parts.next, parts.end,
      parts.where, parts.speed, parts.fresh]);
  }

  function track() {
    parts.strip = make("div", {class: "marks", on: {click: follow}});
    showMarks();
    parts.slider = make("input", {type: "range", min: 0, max: last(), step: 1,
      "aria-label": "step", on: {input: function () {
        go(Number(parts.slider.value));
      }}});
    return make("div", {class: "track"}, [parts.strip, parts.slider]);
  }

  function showMarks() {
    var found = R.charts.marks(game(), board(), game().head.audience);

    parts.marks = {};
    found.forEach(function (mark) {
      parts.marks[mark.n] = mark.kind;
    });
    picture(parts.strip, R.charts.strip(found, last() + 1));
  }

  /* A click on a thing leads to the step in which it came there. */
  function follow(event) {
    var node = event.target.closest("[data-step]");

    if (node)
      go(Number(node.getAttribute("data-step")));
  }

  /* A drag turns the table; elsewhere a swipe is a step. */
  function pointers(node) {
    var from = null, moved = 0;

    node.addEventListener("pointerdown", function (event) {
      from = {x: event.clientX, y: event.clientY, yaw: at.yaw};
      moved = 0;
    });
    node.addEventListener("pointermove", function (event) {
      if (!from)
        return;
      moved = event.clientX - from.x;
      if (board() && board().turns && modeName() === board().looks[0] &&
        Math.abs(moved) > 4) {
        at.yaw = ((Math.round(from.yaw + moved * 0.5) % 360) + 360) % 360;
        showBoards();
      }
    });
    node.addEventListener("pointerup", function (event) {
      var turns = board() && board().turns && modeName() === board().looks[0];
      var far = from && Math.abs(moved) > 50 && Math.abs(event.clientY -
        from.y) < 40;

      if (from && far && !turns && event.pointerType === "touch")
        go(at.n + (moved < 0 ? 1 : -1));
      else if (from && turns && Math.abs(moved) > 4)
        toHash();
      from = null;
    });
    node.addEventListener("pointercancel", function () {
      from = null;
    });
    node.addEventListener("click", function (event) {
      if (Math.abs(moved) < 6)
        follow(event);
    });
  }

  var keys = {
    ArrowRight: forth, ArrowLeft: back, k: forth, j: back,
    "]": function () { round(1); }, "[": function () { round(-1); },
    Home: function () { go(0); }, End: function () { go(last()); },
    " ": toggle, a: function () { choose("all"); },
    w: function () { choose("public"); }, m: function () { choose("mover"); },
    q: function () { turn(-15); }, e: function () { turn(15); },
    n: function () { otherGame(1); }, p: function () { otherGame(-1); },
    "?": function () { parts.help.showModal(); },
    "+": function () { faster(1); }, "-": function () { faster(-1); },
    v: function () {
      var looks = board() && board().looks;

      if (!looks)
        return;
      at.mode = looks[(looks.indexOf(modeName()) + 1) % looks.length];
      show();
    }
  };

  function faster(way) {
    var i = speeds.indexOf(speed) + way;

    speed = speeds[Math.max(0, Math.min(speeds.length - 1, i))];
    parts.speed.value = speed;
  }

  function onKey(event) {
    var name = event.target.tagName, act = keys[event.key];

    if (event.ctrlKey || event.altKey || event.metaKey || parts.help.open)
      return;
    if (name === "SELECT" || name === "TEXTAREA")
      return;
    if (name === "INPUT" && /^(Arrow|Home|End)/.test(event.key))
      return;
    if (name === "BUTTON" && event.key === " ")
      return;
    if (/^[1-6]$/.test(event.key))
      act = function () { choose(Number(event.key)); };
    if (!act)
      return;
    event.preventDefault();
    act();
    /* Whoever walks through the list keeps the focus in it. */
    if (parts.moves.contains(doc.activeElement))
      parts.moves.firstChild.children[at.n].firstChild.focus();
  }

  function build() {
    var panels = make("div", {class: "seats"}), k;

    parts = {seat: {}};
    parts.boards = make("div", {class: "boards"});
    pointers(parts.boards);
    for (k = 1; k <= game().head.seats; k++)
      panels.appendChild(seatPanel(k));
    parts.happened = make("ul", {class: "happened"});
    parts.notes = make("div");
    parts.noteCard = make("section", {class: "card", "aria-label": "notes"},
      [make("h2", {text: "Notes of the bots"}), parts.notes]);
    parts.live = make("div", {class: "unseen", "aria-live": "polite"});
    parts.result = resultCard();
    root.replaceChildren(make("div", {class: "viewer"}, [head(),
      make("main", {class: "columns"}, [
        make("div", {class: "main"}, [
          make("section", {class: "card", "aria-label": "board"}, [switches(),
            parts.boards]),
          make("section", {class: "card steps", "aria-label": "steps"}, [stepping(),
            track()]),
          parts.plotsNode = charts()]),
        make("div", {class: "side"}, [panels, parts.result,
          make("section", {class: "card moves", "aria-label": "moves",
            tabindex: "-1"}, [make("ol")]),
          make("section", {class: "card", "aria-label": "what happened"}, [
            make("h2", {text: "In this step"}), parts.happened]),
          parts.noteCard, proofCard(), copies()])]), help(), parts.live]));
    parts.moves = root.querySelector(".moves");
    doc.title = game().head.title + ": " + game().head.players.map(
      function (player, i) {
        return R.playerName(game(), i + 1);
      }).join(" \u2013 ");
    showPlaying();
  }

  narrow = win.matchMedia("(max-width: 560px)");
  narrow.addEventListener("change", function () {
    show();
  });
  doc.addEventListener("keydown", onKey);
  win.addEventListener("hashchange", function () {
    fromHash();
    build();
    show();
  });
  doc.addEventListener("visibilitychange", function () {
    if (doc.hidden && playing !== null)
      stop();
    tickClocks();
  });
  fromHash();
  build();
  show();

  return {
    add: function (one) {
      var follows = at.n === last();

      games[0].steps.push(one);
      if (follows)
        at.n = last();
      else
        fresh++;
      extend();
    },
    now: function (it) {
      present = it;
      presentAt = win.Date.now();
      show();
    },
    finish: function (end) {
      games[0].end = end;
      build();
      show();
    },
    go: go
  };

  /* One step more: nothing that the reader holds is made anew. */
  function extend() {
    var charted = charts();

    parts.plotsNode.replaceWith(charted);
    parts.plotsNode = charted;
    showMarks();
    show();
  }
};

/* In a file of its own the games lie in the page, and begin at once. */
Referee.start = function (doc) {
  var games = [], records = [], files = [];

  doc.querySelectorAll("script[type='application/json']").forEach(
    function (node) {
      var it = JSON.parse(node.textContent);

      games.push(it.game);
      records.push(it.record || null);
      files.push(it.file || null);
    });
  if (!games.length)
    return null;
  doc.querySelectorAll(".log").forEach(function (node) {
    node.hidden = true;
  });
  return Referee.viewer(doc.getElementById("viewer"), games,
    {records: records, files: files});
};
