"use strict";
/*
 * play.js - a person at a table of the daemon.
 *
 * The page of a table follows the game as its seat may see it, and sends moves.
 * What is legal comes from the daemon; a move is put together on the board, by
 * keys or by typing, is shown as it would look, and goes off with the button
 * alone. The key of the seat stays in this browser, so a page that is loaded
 * again continues the game. Keys never stand in an address.
 */
(function () {
  var R = Referee, SEATS = "referee-seats", KEPT = 20;

  if (typeof document === "undefined")
    return;

  function make(name, values, inside) {
    return R.make(document, name, values, inside);
  }

  /* Keys of seats, by game, the newest last. */

  function seats() {
    try {
      return JSON.parse(window.localStorage.getItem(SEATS)) || [];
    } catch (e) {
      return [];
    }
  }

  function keep(list) {
    window.localStorage.setItem(SEATS, JSON.stringify(list.slice(-KEPT)));
  }

  function seatOf(id) {
    return seats().find(function (seat) {
      return seat.id === id;
    });
  }

  /* Requests. An answer that is an error becomes one; a daemon that is busy is
   * asked again. */
  function ask(path, key, body, tries) {
    var options = {headers: {}, cache: "no-store"};

    if (key)
      options.headers["Referee-Key"] = key;
    if (body) {
      options.method = "POST";
      options.body = JSON.stringify(body);
    }
    return fetch(path, options).then(function (answer) {
      return answer.text().then(function (text) {
        var json;

        try {
          json = JSON.parse(text);
        } catch (e) {
          json = {error: text.trim()};
        }
        if (answer.status === 503 && /^(busy|starting)/.test(json.error) &&
          (tries || 0) < 8)
          return new Promise(function (done) {
            setTimeout(done, 700);
          }).then(function () {
            return ask(path, key, body, (tries || 0) + 1);
          });
        if (!answer.ok)
          throw new Error(json.error || "status " + answer.status);
        return json;
      });
    });
  }

  /*
   * A stream of events with a header, which EventSource cannot send. It comes
   * back by itself, with `path()` for what is missing, until `stop` is set.
   */
  function follow(path, key, on) {
    var me = {stop: false}, wait = 500;

    function take(text) {
      var event = {data: ""};

      text.split("\n").forEach(function (line) {
        var at = line.indexOf(": ");

        if (at > 0)
          event[line.slice(0, at)] = line.slice(at + 2);
      });
      if (event.event && on[event.event])
        on[event.event](JSON.parse(event.data));
    }

    function read(reader) {
      var decoder = new TextDecoder(), rest = "";

      return reader.read().then(function more(part) {
        var pieces;

        if (part.done)
          return null;
        wait = 500;
        rest += decoder.decode(part.value, {stream: true});
        pieces = rest.split("\n\n");
        rest = pieces.pop();
        pieces.forEach(take);
        return me.stop ? reader.cancel() : reader.read().then(more);
      });
    }

    function open() {
      fetch(path(), {headers: {"Referee-Key": key}, cache: "no-store"}).then(
        function (answer) {
          if (answer.status === 403 || answer.status === 404) {
            me.stop = true;
            on.refused(answer.status);
            return null;
          }
          if (!answer.ok)
            throw new Error("status " + answer.status);
          on.open();
          return read(answer.body.getReader());
        }).catch(function () {
        return null;
      }).then(function () {
        if (me.stop)
          return;
        on.lost();
        setTimeout(open, wait);
        wait = Math.min(8000, 2 * wait);
      });
    }

    open();
    return me;
  }

  /* Sitting down. */

  function lobby(form) {
    var error = form.querySelector("[role=alert]");
    var list = document.getElementById("seats");

    form.addEventListener("submit", function (event) {
      var data = new FormData(form), game = data.get("game");

      event.preventDefault();
      error.textContent = "";
      form.querySelector("button").disabled = true;
      ask("/api/play", null, {game: game, bot: data.get("bot"),
        seat: Number(data.get("seat"))}).then(function (seat) {
        keep(seats().concat({id: seat.id, key: seat.key, seat: seat.seat,
          game: game, bot: data.get("bot")}));
        window.location.assign("/play/" + encodeURIComponent(seat.id));
      }).catch(function (problem) {
        error.textContent = problem.message;
        form.querySelector("button").disabled = false;
      });
    });
    seats().reverse().forEach(function (seat) {
      ask("/api/play/" + encodeURIComponent(seat.id) + "/moves", seat.key).then(
        function () {
          list.hidden = false;
          list.appendChild(make("p", {}, [make("a", {class: "go", href:
            "/play/" + encodeURIComponent(seat.id), text: "Continue your game of " +
            seat.game + " against " + seat.bot})]));
        }, function () {
          keep(seats().filter(function (other) { /* it is over */
            return other.id !== seat.id;
          }));
        });
    });
  }

  /* The table. */

  function table(root, id, mine) {
    var path = "/api/play/" + encodeURIComponent(id);
    var game = {head: null, steps: [], end: null}, now = null, nowAt = 0;
    var legal = null, choice = null, reach = [], busy = false, error = "";
    var look = {mode: null, yaw: 30}, focus = null, places = {}, parts = {};
    var narrow = window.matchMedia("(max-width: 560px)"), ticking = null;
    var stream, link = "", sent = -1, jumps = false, hint = "", hints = false;

    function board() {
      return R.boards[game.head.game];
    }

    function input() {
      return R.inputs[game.head.game];
    }

    function last() {
      return game.steps[game.steps.length - 1];
    }

    /* Whose turn it is. */

    function isAsked(seat) {
      return Boolean(now && !game.end && now.moves === last().moves &&
        now.seats[seat - 1].asked);
    }

    function myTurn() {
      return isAsked(mine.seat) && now.moves !== sent;
    }

    function text() {
      return choice && input() ? input().text(choice) : parts.typed.value.trim();
    }

    function isLegal(move) {
      return Boolean(legal) && legal.moves.indexOf(move) >= 0;
    }

    /* Legal moves. A list that was cut is asked for again with what is known. */

    function fetchMoves(begins) {
      return ask(path + "/moves" + (begins ? "?begins=" +
        encodeURIComponent(begins) : ""), mine.key);
    }

    function learn() {
      var at = last().moves;

      if (!myTurn() || legal && legal.at === at || busy)
        return;
      fetchMoves("").then(function (answer) {
        if (!answer.asked || legal && legal.at === answer.at)
          return;
        legal = answer;
        error = "";
        if (input())
          choice = input().start(game, mine.seat, legal.moves);
        if (input() && input().reach)
          reach = input().reach(choice);
        parts.typed.value = "";
        show();
        say("Your turn.");
      }).catch(complain);
    }

    function more() {
      var begins = text();

      if (!legal.cut || !begins || legal.known && legal.known[begins])
        return;
      (legal.known = legal.known || {})[begins] = true;
      fetchMoves(begins).then(function (answer) {
        if (!legal || answer.at !== legal.at)
          return;
        answer.moves.forEach(function (move) {
          if (legal.moves.indexOf(move) < 0)
            legal.moves.push(move);
        });
        if (input())
          choice = input().read(input().start(game, mine.seat, legal.moves),
            text());
        show();
      }).catch(complain);
    }

    /* Choosing. */

    function choose(made, at) {
      if (!made)
        return;
      choice = made;
      if (at)
        focus = at;
      jumps = Boolean(at) && !isLegal(input().text(choice));
      parts.typed.value = input().text(choice);
      error = "";
      show();
      if (legal)
        more();
    }

    function clear() {
      if (!legal)
        return;
      if (input())
        choice = input().start(game, mine.seat, legal.moves);
      parts.typed.value = "";
      error = "";
      show();
    }

    function onTyped() {
      var move = parts.typed.value.trim();

      error = "";
      if (choice && isLegal(move))
        choice = input().read(choice, move);
      else if (choice)
        choice = input().start(game, mine.seat, legal.moves);
      show();
      if (legal && legal.cut)
        more();
    }

    /* The only thing that sends a move. */
    function send(event) {
      var move = isLegal(parts.typed.value.trim()) ? parts.typed.value.trim() :
        text(), at;

      event.preventDefault();
      if (!myTurn() || busy || !isLegal(move))
        return;
      at = legal.at;
      busy = true;
      hint = "";
      show();
      ask(path + "/move", mine.key, {at: at, move: move}).then(
        function () {
          busy = false;
          sent = at;
          legal = choice = null;
          parts.typed.value = "";
          show();
          learn();
        }, function (problem) {
          busy = false;
          complain(problem);
        });
    }

    /* A search takes seconds: ask until it has found something. */
    function askHint() {
      var at = legal && legal.at;

      if (!myTurn() || !legal)
        return;
      hint = "Looking for a good move\u2026";
      error = "";
      show();
      ask(path + "/hint", mine.key, {}).then(function (answer) {
        if (!myTurn() || answer.at !== at)
          return;
        if (answer.move === null) {
          setTimeout(askHint, 300);
          return;
        }
        hint = "The built-in bot would play " + answer.move + ".";
        say(hint);
        if (input() && !isLegal(text())) {
          if (!isLegal(answer.move)) /* the list of moves was cut */
            legal.moves.push(answer.move);
          choice = input().read(input().start(game, mine.seat, legal.moves),
            answer.move);
          parts.typed.value = answer.move;
        }
        show();
      }).catch(function (problem) {
        hint = "";
        complain(problem);
      });
    }

    function complain(problem) {
      error = problem.message;
      show();
    }

    function say(words) {
      parts.live.textContent = words;
      document.title = (myTurn() && document.hidden ? "\u25cf " : "") + title();
    }

    /* Drawing. */

    function title() {
      return game.head.title + ": you and " + game.head.players.filter(
        function (player, i) {
          return i !== mine.seat - 1;
        }).map(function (player) {
        return player.name;
      }).join(", ");
    }

    /* The game with what was chosen, as if it were played. */
    function imagined() {
      var move = choice && input().text(choice), old = last(), view, key, made;

      if (!move || !isLegal(move))
        return game;
      view = {};
      made = input().ghost(choice, R.view(old, mine.seat), move);
      for (key in old.view)
        view[key] = old.view[key];
      for (key in made)
        view[key] = made[key];
      return {head: game.head, end: null, steps: game.steps.concat({n: old.n + 1,
        moves: old.moves, owe: old.owe, view: view, events: [{text: "play " +
        mine.seat + " " + move}]})};
    }

    function spotSvg(spot) {
      var values = {class: "spot" + (spot.chosen ? " chosen" : spot.quiet ?
        " quiet" : spot.ring ? " ring" : ""),
        "data-spot": spot.id, role: "button", tabindex: spot.id === focus ? 0 :
        -1, "aria-label": spot.label, "aria-pressed": String(spot.chosen)};
      var place = places[spot.id], r = place.r;

      return R.el("g", values, R.title(spot.label) + (spot.square ?
        R.el("rect", {x: place.x - r + 3, y: place.y - r + 3, width: 2 * r - 6,
          height: 2 * r - 6, rx: 5}) :
        R.el("circle", {cx: place.x, cy: place.y, r: spot.chosen ? r :
          spot.ring ? r + 3 : Math.max(6, r * 0.55)})));
    }

    function over(place) {
      var spots = choice ? input().spots(choice) : [];

      places = {};
      if (spots.length && !spots.some(function (spot) {
        return spot.id === focus;
      }))
        focus = spots[0].id;
      spots.forEach(function (spot) {
        places[spot.id] = place(spot.at);
      });
      if (jumps)
        jump(spots);
      return spots.map(spotSvg).join("");
    }

    /* More is to be chosen: go to the nearest place for that. */
    function jump(spots) {
      var here = places[focus], best = null, least = Infinity;

      jumps = false;
      spots.forEach(function (spot) {
        var p = places[spot.id], d = Math.hypot(p.x - here.x, p.y - here.y);

        if (!spot.chosen && d < least) {
          least = d;
          best = spot.id;
        }
      });
      focus = best || focus;
    }

    function modeName() {
      return look.mode || board().looks && board().looks[0] || null;
    }

    function showBoard() {
      var held = parts.board.contains(document.activeElement);
      var shown = imagined(), focused;

      if (!board()) {
        parts.board.textContent = Object.keys(last().view).map(function (key) {
          return key + "=" + last().view[key];
        }).join("\n");
        return;
      }
      parts.board.innerHTML = board().draw(shown, shown.steps.length - 1,
        mine.seat, {mode: modeName(), yaw: look.yaw, narrow: narrow.matches,
          reach: reach, over: over});
      /* An image has nothing in it that can be chosen. */
      parts.board.firstChild.setAttribute("role", "group");
      parts.status.textContent = board().status ? board().status(last().view) :
        "";
      focused = held && parts.board.querySelector('[tabindex="0"]');
      if (focused)
        focused.focus({preventScroll: true});
    }

    function optionButton(row, option) {
      var node = make("button", {type: "button", role: "radio", title:
        option.label, "aria-label": option.label, "aria-checked":
        String(option.chosen), class: option.svg ? "drawn" : null, text:
        option.svg ? "" : option.label, on: {click: function () {
        choose(input().set(choice, row.name, option.value));
      }}});

      if (option.svg)
        node.innerHTML = option.svg;
      return node;
    }

    function showRows() {
      var rows = choice ? input().rows(choice) : [];

      parts.rows.replaceChildren.apply(parts.rows, rows.map(function (row) {
        return make("div", {class: "group row", role: "radiogroup",
          "aria-label": row.name}, [make("span", {class: "name", text:
          row.name})].concat(row.options.map(function (option) {
          return optionButton(row, option);
        })));
      }));
    }

    /* What begins as typed; without a drawing of the input, that is all. */
    function showMatches() {
      var typed = parts.typed.value.trim(), found = [];

      if (legal && (typed || !choice) && !isLegal(typed))
        found = legal.moves.filter(function (move) {
          return move.indexOf(typed) === 0;
        });
      parts.matches.replaceChildren.apply(parts.matches, found.slice(0, 24).map(
        function (move) {
          return make("button", {type: "button", text: move, on: {click:
            function () {
              parts.typed.value = move;
              onTyped();
              parts.send.focus();
            }}});
        }).concat(found.length > 24 ? [make("span", {class: "soft", text:
        found.length - 24 + " more"})] : []));
      parts.matches.hidden = found.length === 0;
      if (legal && typed && !found.length && !isLegal(typed) && !error)
        error = "No legal move begins with \"" + typed + "\".";
    }

    function words() {
      var others;

      if (game.end)
        return outcome();
      if (link)
        return link;
      if (busy)
        return "Sending\u2026";
      if (!myTurn()) {
        others = game.head.players.map(function (player, i) {
          return isAsked(i + 1) ? player.name : null;
        }).filter(Boolean);
        return others.length ? others.join(", ") + " is thinking\u2026" :
          "Waiting\u2026";
      }
      if (choice && isLegal(input().text(choice)))
        return "Send it, or change it.";
      return "Your turn. " + (choice ? input().words(choice) : "");
    }

    function outcome() {
      var result = game.end.result, ranks = result && result.ranks, mineIs;

      if (!ranks)
        return "The game is void.";
      mineIs = ranks[mine.seat - 1];
      if (result.left[mine.seat])
        return result.left[mine.seat] === "resign" ? "You resigned." :
          "You are out of the game (" + result.left[mine.seat] + ").";
      if (mineIs > 1)
        return "You lost (" + result.reason + ").";
      return (ranks.filter(function (rank) {
        return rank === 1;
      }).length > 1 ? "A draw (" : "You won (") + result.reason + ").";
    }

    function showInput() {
      var move;

      showMatches();
      move = isLegal(parts.typed.value.trim()) ? parts.typed.value.trim() :
        text();
      parts.words.textContent = words();
      parts.words.classList.toggle("turn", game.end || myTurn() && !busy);
      parts.error.textContent = error;
      parts.send.disabled = !myTurn() || busy || !isLegal(move);
      parts.send.textContent = isLegal(move) && myTurn() ? "Send " + move :
        "Send";
      parts.clear.disabled = !myTurn() || !move;
      parts.typed.disabled = !myTurn() || busy;
      parts.hint.hidden = !hints;
      parts.hint.disabled = !myTurn() || busy || !legal;
      parts.hinted.textContent = myTurn() ? hint : "";
      parts.turn.hidden = !(choice && input().next(choice, 1));
      parts.form.hidden = Boolean(game.end);
      parts.over.hidden = !game.end;
      parts.resign.hidden = Boolean(game.end);
    }

    function seatText(k) {
      var asked = isAsked(k);

      if (game.end && game.end.result)
        return "rank " + game.end.result.ranks[k - 1];
      if (now && now.seats[k - 1].answered && !asked)
        return "has answered";
      return asked ? k === mine.seat ? "your turn" : "thinking\u2026" : "";
    }

    function showSeat(k) {
      var part = parts.seat[k], b = board();
      var scores = b && b.scores ? b.scores(R.view(last(), mine.seat)) : null;

      part.score.textContent = scores ? String(scores[k - 1]) : "";
      part.score.title = b && b.score || "";
      part.state.textContent = seatText(k);
      part.node.classList.toggle("owes", isAsked(k));
      if (b && b.seat)
        part.holds.innerHTML = b.seat(game, game.steps.length - 1, mine.seat,
          k);
    }

    /* Clocks run between what the daemon says. */
    function showClocks() {
      var runs = false;

      game.head.players.forEach(function (player, i) {
        var part = parts.seat[i + 1], seat = now && now.seats[i], left;

        if (!seat || seat.left === null) {
          part.clock.textContent = seat ? "no limit" : part.clock.textContent;
          return;
        }
        left = seat.left - (seat.asked ? (Date.now() - nowAt) / 1000 : 0);
        runs = runs || seat.asked && !game.end;
        part.clock.textContent = R.clockText(left);
        part.clock.classList.toggle("low", left < 20);
      });
      clearTimeout(ticking);
      if (runs && !document.hidden)
        ticking = setTimeout(showClocks, 250);
    }

    function showMoves() {
      var list = parts.moves.firstChild, i;

      for (i = Math.max(1, list.children.length + 1); i < game.steps.length;
        i++)
        list.appendChild(make("li", {}, [make("span", {class: "n", text: i +
          "."}), make("span", {class: "what"}, R.plays(game.steps[i],
          mine.seat).map(function (play) {
          return make("span", {class: "token"}, [make("span", {class: "chip s" +
            play.seat, text: play.seat}), make("span", {text: play.move})]);
        }))]));
      parts.moves.hidden = list.children.length === 0;
      parts.moves.scrollTop = parts.moves.scrollHeight;
    }

    function show() {
      var k;

      if (!parts.board || !game.steps.length)
        return;
      showInput();
      showBoard();
      showRows();
      for (k = 1; k <= game.head.seats; k++)
        showSeat(k);
      showMoves();
      showClocks();
      if (parts.mode)
        Array.prototype.forEach.call(parts.mode.querySelectorAll("button"),
          function (node) {
            node.setAttribute("aria-checked", String(node.textContent ===
              modeName()));
          });
    }

    /* Pointers and keys. A drag turns the table, and chooses nothing. */

    function svgPoint(event) {
      var svg = parts.board.querySelector("svg"), inner, point;

      if (!svg)
        return null;
      inner = svg.querySelector(".spot");
      point = svg.createSVGPoint();
      point.x = event.clientX;
      point.y = event.clientY;
      return inner && point.matrixTransform(inner.getScreenCTM().inverse());
    }

    /* The nearest spot, if the finger was near enough. */
    function spotAt(event) {
      var node = event.target.closest && event.target.closest("[data-spot]");
      var point = svgPoint(event), best = null, least = Infinity;

      if (!point)
        return node ? node.getAttribute("data-spot") : null;
      Object.keys(places).forEach(function (spot) {
        var p = places[spot], d = Math.hypot(p.x - point.x, p.y - point.y);

        if (d < least && d < p.r * 1.3) {
          least = d;
          best = spot;
        }
      });
      return best;
    }

    function pointers() {
      var from = null, moved = 0;

      parts.board.addEventListener("pointerdown", function (event) {
        from = {x: event.clientX, y: event.clientY, yaw: look.yaw};
        moved = 0;
      });
      parts.board.addEventListener("pointermove", function (event) {
        if (!from)
          return;
        moved = Math.max(moved, Math.hypot(event.clientX - from.x,
          event.clientY - from.y));
        if (board() && board().turns && modeName() === board().looks[0] &&
          moved > 6) {
          look.yaw = ((Math.round(from.yaw + (event.clientX - from.x) * 0.5) %
            360) + 360) % 360;
          showBoard();
        }
      });
      window.addEventListener("pointerup", function () {
        from = null;
      });
      window.addEventListener("pointercancel", function () {
        from = null;
      });
      parts.board.addEventListener("click", function (event) {
        var spot = choice && myTurn() && !busy && moved <= 6 && spotAt(event);

        if (spot)
          choose(input().pick(choice, spot), spot);
      });
    }

    var ways = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1],
      ArrowDown: [0, 1]};

    /* The next spot that way: near, and not far to the side. */
    function step(way) {
      var here = places[focus], best = null, least = Infinity;

      if (!here)
        return;
      Object.keys(places).forEach(function (spot) {
        var dx = places[spot].x - here.x, dy = places[spot].y - here.y;
        var along = dx * way[0] + dy * way[1];
        var aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);

        if (along > 1 && along + 2 * aside < least) {
          least = along + 2 * aside;
          best = spot;
        }
      });
      focusOn(best);
    }

    function focusOn(spot) {
      var node;

      if (!spot)
        return;
      focus = spot;
      parts.board.querySelectorAll("[data-spot]").forEach(function (one) {
        one.setAttribute("tabindex", one.getAttribute("data-spot") === spot ?
          "0" : "-1");
        if (one.getAttribute("data-spot") === spot)
          node = one;
      });
      node.focus();
    }

    /* The one after this in the list, wherever it is on the board. */
    function cycle(way) {
      var all = Object.keys(places), i = all.indexOf(focus);

      focusOn(all[(i + way + all.length) % all.length]);
    }

    function onKey(event) {
      var on = parts.board.contains(event.target), name = event.target.tagName;

      if (event.ctrlKey || event.altKey || event.metaKey || !choice)
        return;
      if (on && ways[event.key])
        step(ways[event.key]);
      else if (on && (event.key === "[" || event.key === "]"))
        cycle(event.key === "]" ? 1 : -1);
      else if (on && (event.key === "Enter" || event.key === " "))
        choose(input().pick(choice, focus), focus);
      else if (event.key === "Escape" && !parts.sure.open)
        clear();
      else if (name === "INPUT")
        return;
      else if (event.key === "r" || event.key === "R")
        choose(input().next(choice, event.key === "r" ? 1 : -1));
      else if (board().turns && (event.key === "q" || event.key === "e"))
        turnTable(event.key === "q" ? -15 : 15);
      else
        return;
      event.preventDefault();
    }

    function turnTable(by) {
      look.yaw = (look.yaw + by + 360) % 360;
      showBoard();
    }

    /* Building the page. */

    function seatPanel(k) {
      var player = game.head.players[k - 1], b = board();
      var part = parts.seat[k] = {score: make("span", {class: "score"}),
        clock: make("span", {class: "clock"}), state: make("span"),
        holds: make("div", {class: "holds"})};
      var number = make("span", {class: "number"});

      number.innerHTML = R.svg(24, 24, "seat " + k, R.badge(12, 12, k, 10));
      part.node = make("section", {class: "seat s" + k, "aria-label": "seat " +
        k}, [make("div", {class: "who"}, [number, make("span", {class: "name",
        text: (k === mine.seat ? "You" : player.name) + (b && b.seatNames ?
          " (" + b.seatNames[k - 1] + ")" : "")}), part.score]),
      make("div", {class: "facts"}, [part.state, part.clock]), part.holds]);
      return part.node;
    }

    function modes() {
      if (!board() || !board().looks)
        return null;
      parts.mode = make("div", {class: "group", role: "radiogroup",
        "aria-label": "Board"}, [make("span", {class: "name", text:
        "Board"})].concat(board().looks.map(function (mode) {
        return make("button", {type: "button", role: "radio", text: mode, on:
          {click: function () {
            look.mode = mode;
            show();
          }}});
      })));
      return make("div", {class: "switches"}, [parts.mode, board().turns ?
        make("span", {class: "group"}, [make("button", {type: "button", text:
          "\u21ba", "aria-label": "turn left (q)", title: "turn left (q)", on:
          {click: function () { turnTable(-15); }}}), make("button", {type:
          "button", text: "\u21bb", "aria-label": "turn right (e)", title:
          "turn right (e)", on: {click: function () { turnTable(15); }}})]) :
        null]);
    }

    function form() {
      parts.words = make("p", {class: "words"});
      parts.rows = make("div", {class: "rows"});
      parts.typed = make("input", {type: "text", id: "typed", autocomplete:
        "off", autocapitalize: "off", spellcheck: "false", placeholder:
        "or type a move", "aria-label": "move", on: {input: onTyped}});
      parts.matches = make("div", {class: "matches", hidden: ""});
      parts.error = make("p", {class: "bad", role: "alert"});
      parts.send = make("button", {type: "submit", class: "send", text:
        "Send"});
      parts.clear = make("button", {type: "button", text: "Clear", title:
        "choose anew (Escape)", on: {click: clear}});
      parts.turn = make("button", {type: "button", text: "\u21bb",
        title: "turn or change it (r)", "aria-label": "turn or change it", on: {click: function () {
          choose(input().next(choice, 1));
        }}});
      parts.hint = make("button", {type: "button", text: "Hint", title:
        "what the built-in bot would play", on: {click: askHint}});
      parts.hinted = make("p", {class: "hinted"});
      parts.form = make("form", {class: "acts", on: {submit: send}}, [
        parts.rows, parts.hinted, make("div", {class: "line"}, [parts.typed,
          parts.turn, make("span", {class: "line acting"}, [parts.clear,
            parts.hint, parts.send])]), parts.matches]);
      parts.over = make("p", {class: "line", hidden: ""}, [
        make("a", {class: "go", href: "/game/" + encodeURIComponent(id), text:
          "Replay this game"}),
        make("a", {class: "go quiet", href: "/play?game=" + game.head.game,
          text: "Play again"})]);
      return make("section", {class: "card input", "aria-label": "your move"},
        [parts.words, parts.error, parts.form, parts.over]);
    }

    function sure() {
      parts.sure = make("dialog", {"aria-label": "resign"}, [
        make("p", {text: "Give up this game?"}),
        make("form", {method: "dialog", class: "line"}, [
          make("button", {value: "no", text: "No, play on"}),
          make("button", {value: "yes", class: "danger", text:
            "Yes, resign"})])]);
      parts.sure.addEventListener("close", function () {
        if (parts.sure.returnValue === "yes")
          ask(path + "/leave", mine.key, {}).catch(complain);
      });
      return parts.sure;
    }

    function build() {
      var panels = make("div", {class: "seats"}), k;

      parts = {seat: {}};
      for (k = 1; k <= game.head.seats; k++)
        panels.appendChild(seatPanel(k));
      parts.board = make("div", {class: "picture"});
      parts.status = make("figcaption");
      parts.live = make("div", {class: "unseen", "aria-live": "polite"});
      parts.moves = make("section", {class: "card moves", "aria-label":
        "moves", tabindex: "0"}, [make("ol")]);
      parts.resign = make("button", {type: "button", text: "Resign\u2026", on:
        {click: function () {
          parts.sure.returnValue = "";
          parts.sure.showModal();
        }}});
      root.replaceChildren(make("div", {class: "viewer play"}, [
        make("header", {class: "bar"}, [make("h1", {text: title()}),
          make("span", {class: "group tools"}, [make("a", {href: "/rules/" +
            game.head.game, target: "_blank", text: "Rules"}),
          parts.resign])]),
        make("div", {class: "columns"}, [
          make("div", {class: "main"}, [
            make("section", {class: "card", "aria-label": "board"}, [modes(),
              make("figure", {class: "board" + (board() && board().turns ?
                " turning" : "")}, [parts.board, parts.status])]), form()]),
          make("div", {class: "side"}, [panels, parts.moves])]), sure(),
        parts.live]));
      if (document.getElementById("tools")) /* nothing to hide here */
        document.getElementById("tools").hidden = true;
      pointers();
      document.title = title();
    }

    function refused(status) {
      root.replaceChildren(make("p", {class: "card", text: status === 404 ?
        "There is no such game." : "This seat belongs to another browser."}),
      make("p", {}, [make("a", {class: "go", href: "/game/" +
        encodeURIComponent(id), text: "Watch the game"})]));
    }

    hints = root.getAttribute("data-hints") === "1";
    document.addEventListener("keydown", onKey);
    narrow.addEventListener("change", show);
    document.addEventListener("visibilitychange", function () {
      if (!document.hidden && game.head) {
        document.title = title();
        show();
      }
    });
    stream = follow(function () {
      return path + "/stream" + (game.steps.length ? "?after=" + last().n : "");
    }, mine.key, {
      refused: refused,
      open: function () {
        link = "";
      },
      lost: function () {
        link = "The connection is lost; trying again\u2026";
        if (game.steps.length)
          show();
      },
      head: function (head) {
        if (!game.head) {
          game.head = head;
          build();
        }
      },
      step: function (one) {
        if (one.n === game.steps.length)
          game.steps.push(one);
        if (legal && legal.at !== one.moves) /* of a position that is past */
          legal = choice = null;
        show();
        say(R.events(one, mine.seat).map(function (event) {
          return event.text;
        }).join(". "));
        learn();
      },
      now: function (it) {
        now = it;
        nowAt = Date.now();
        show();
        learn();
      },
      end: function (end) {
        game.end = end;
        error = "";
        legal = choice = null;
        stream.stop = true;
        show();
        say("The game is over. " + outcome());
      }
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    var form = document.getElementById("sit");
    var root = document.getElementById("table");
    var id = root && root.getAttribute("data-game");

    if (form)
      lobby(form);
    if (root && seatOf(id))
      table(root, id, seatOf(id));
    else if (root)
      root.replaceChildren(make("p", {class: "card", text:
        "This seat belongs to another browser."}), make("p", {}, [make("a",
        {class: "go", href: "/game/" + encodeURIComponent(id), text:
        "Watch the game"})]));
  });
})();
