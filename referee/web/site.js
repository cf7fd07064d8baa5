"use strict";
/*
 * site.js - what moves on the pages of the daemon: the grid of running games,
 * and one game as it is played.
 *
 * One stream a page, closed while the page is hidden. The browser reconnects
 * by itself and says which step it had last.
 */
(function () {
  if (typeof document === "undefined")
    return;

  /* A stream that sleeps while nobody looks. `open` makes it. */
  function whileSeen(open) {
    var stream = null;

    function look() {
      if (document.hidden && stream) {
        stream.close();
        stream = null;
      } else if (!document.hidden && !stream) {
        stream = open(function () {
          stream.close();
        });
      }
    }
    document.addEventListener("visibilitychange", look);
    look();
  }

  function on(stream, name, act) {
    stream.addEventListener(name, function (event) {
      act(JSON.parse(event.data), event);
    });
  }

  function make(name, values, text) {
    var node = document.createElement(name), key;

    for (key in values || {})
      node.setAttribute(key, values[key]);
    if (text !== undefined)
      node.textContent = text;
    return node;
  }

  /* The grid. A card stays where it is while its game runs. */

  function card(id) {
    var node = make("a", {"class": "card tile", href: "/game/" +
      encodeURIComponent(id)});

    node.appendChild(make("div", {"class": "small board"}));
    node.appendChild(make("div", {"class": "names"}));
    node.appendChild(make("div", {"class": "soft"}));
    return node;
  }

  /* Steps that were seen are kept, so that the last moves can be told apart. */
  function drawCard(node, it) {
    var board = Referee.boards[it.head.game], game = node.game;
    var parts = node.children;
    var look = {yaw: 30, narrow: true,
      mode: board && board.looks ? board.looks[0] : null};

    if (!game)
      game = node.game = {head: it.head, steps: [], end: {}};
    game.steps.push(it.step);
    if (board && it.step) /* a drawing has no words of strangers in it */
      parts[0].innerHTML = board.draw(game, game.steps.length - 1, "public",
        look);
    parts[1].textContent = it.head.players.map(function (player, i) {
      return player.name || "seat " + (i + 1);
    }).join(" – ");
    parts[2].textContent = it.head.title + ", move " +
      (it.step ? it.step.moves : 0);
  }

  function grid(root) {
    var cards = {}, most = Number(root.getAttribute("data-most"));
    var empty = make("p", {"class": "soft"},
      "No game is running at the moment.");

    root.appendChild(empty);
    whileSeen(function () {
      var stream = new EventSource(root.getAttribute("data-stream"));

      on(stream, "games", function (ids) {
        Object.keys(cards).forEach(function (id) {
          if (ids.indexOf(id) < 0) {
            cards[id].remove();
            delete cards[id];
          }
        });
        empty.hidden = ids.length > 0;
      });
      on(stream, "latest", function (it) {
        if (!cards[it.id] && Object.keys(cards).length < most)
          root.appendChild(cards[it.id] = card(it.id));
        if (cards[it.id])
          drawCard(cards[it.id], it);
      });
      return stream;
    });
  }

  /* One game. */

  function complain(root, text) {
    root.textContent = text;
  }

  function finished(root, id) {
    var path = root.getAttribute("data-path") || "/api/games/" +
      encodeURIComponent(id);

    fetch(path + "/steps?seat=all").then(function (answer) {
      return answer.ok ? answer : fetch(path + "/steps");
    }).then(function (answer) {
      return answer.json().then(function (game) {
        if (!answer.ok)
          throw new Error(game.error);
        return fetch(path + "/record").then(function (text) {
          return text.text();
        }).then(function (record) {
          Referee.viewer(root, [game], {records: [record], files: [id]});
        });
      });
    }).catch(function (error) {
      complain(root, "This game cannot be shown: " + error.message);
    });
  }

  function running(root, id) {
    var viewer = null, game = {steps: []}, last = -1, soon = null, now = null;
    var path = "/api/games/" + encodeURIComponent(id) + "/stream";

    function begin() {
      viewer = Referee.viewer(root, [game], {});
      viewer.go(game.steps.length - 1);
      if (now)
        viewer.now(now);
    }
    whileSeen(function (close) {
      var stream = new EventSource(path + (last < 0 ? "" : "?after=" + last));

      on(stream, "head", function (head) {
        game.head = head;
      });
      on(stream, "step", function (step, event) {
        last = Number(event.lastEventId);
        if (viewer) {
          viewer.add(step);
          return;
        }
        game.steps.push(step);
        if (game.steps.length === 1) /* the rest of what there is comes now */
          soon = setTimeout(begin, 50);
      });
      on(stream, "now", function (it) {
        now = it;
        if (viewer)
          viewer.now(it);
      });
      on(stream, "end", function (end) {
        close();
        clearTimeout(soon);
        if (viewer)
          viewer.finish(end);
        else
          finished(root, id);
      });
      return stream;
    });
  }

  /* The rules of a game: what the board looks like, at some steps of a game
   * that can then be stepped through. */

  function caption(game, n) {
    var board = Referee.boards[game.head.game], words, plays;

    if (n === 0)
      return "The start.";
    plays = Referee.plays(game.steps[n], "public").map(function (play) {
      return "seat " + play.seat + " plays " + play.move;
    }).join(", ");
    words = board.status ? board.status(game.steps[n].view) : "";
    return "Move " + game.steps[n].moves + (plays ? ": " + plays : "") +
      (words ? " \u00b7 " + words : "");
  }

  /* Drawn as if the game went no further: boards make room for a whole game. */
  function picture(whole, n) {
    var board = Referee.boards[whole.head.game];
    var game = {head: whole.head, steps: whole.steps.slice(0, n + 1), end: {}};
    var figure = make("figure", {"class": "card board"});
    var drawing = make("div");

    drawing.innerHTML = board.draw(game, n, "public", {yaw: 30, narrow: false,
      mode: board.looks ? board.looks[0] : null});
    figure.appendChild(drawing);
    figure.appendChild(make("figcaption", {}, caption(game, n)));
    return figure;
  }

  function legend(board) {
    var card = make("section", {"class": "card prose"}), list = make("ul");

    card.appendChild(make("h2", {}, "How to read the board"));
    board.legend.forEach(function (words) {
      list.appendChild(make("li", {}, words));
    });
    card.appendChild(list);
    return card;
  }

  function example(root) {
    var name = root.getAttribute("data-game"), board = Referee.boards[name];
    var whole = document.getElementById("whole");

    if (!board)
      return;
    fetch("/api/examples/" + encodeURIComponent(name)).then(function (answer) {
      if (!answer.ok)
        throw new Error("status " + answer.status);
      return answer.json();
    }).then(function (game) {
      var last = game.steps.length - 1, line = make("p", {"class": "line"});
      var step = make("button", {type: "button"}, "Step through this game");

      [0, Math.round(0.6 * last)].forEach(function (n) {
        root.appendChild(picture(game, n));
      });
      if (board.legend)
        root.insertBefore(legend(board), root.children[1]);
      step.addEventListener("click", function () {
        line.remove();
        Referee.viewer(whole, [game], {});
        whole.scrollIntoView();
      });
      line.appendChild(step);
      root.appendChild(line);
    }).catch(function (error) {
      root.appendChild(make("p", {"class": "soft"},
        "The pictures cannot be shown: " + error.message));
    });
  }

  /* Where people choose a game they see what it looks like. */
  function looksOf(root) {
    var name = root.getAttribute("data-game"), board = Referee.boards[name];

    if (board)
      fetch("/api/examples/" + encodeURIComponent(name)).then(function (answer) {
        return answer.json();
      }).then(function (game) {
        game.steps.splice(Math.round(0.6 * game.steps.length));
        root.innerHTML = board.draw(game, game.steps.length - 1, "public",
          {yaw: 30, narrow: true, mode: board.looks ? board.looks[0] : null});
        root.firstChild.setAttribute("aria-hidden", "true");
      }).catch(function () {
        root.remove();
      });
  }

  /* The owner of a bot: the token goes into a header, never into an address. It
   * is kept in this tab, so that a reload need not ask again. */

  var TOKEN = "referee-token ";

  function owner(root) {
    var bot = root.getAttribute("data-bot");
    var form = root.querySelector("form"), list = root.querySelector(".games");
    var error = root.querySelector("[role=alert]");
    var path = "/api/owner/" + encodeURIComponent(bot);

    function ask(rest, token) {
      return fetch(path + rest, {cache: "no-store", headers:
        {"Referee-Token": token}}).then(function (answer) {
        return answer.json().then(function (json) {
          if (!answer.ok)
            throw new Error(json.error);
          return json;
        });
      });
    }

    function fault(problem) {
      error.textContent = problem.message;
    }

    function showLog(place, it) {
      var text = it.log === null ? "This server has no log of it: a bot that " +
        "connects over the network keeps its own." : it.log ||
        "The bot wrote nothing to its standard error.";

      if (it.cut)
        place.appendChild(make("p", {"class": "soft"}, "The last part of " +
          it.bytes + " bytes:"));
      place.appendChild(make("pre", {tabindex: "0"}, text));
    }

    function row(game, token) {
      var id = "/" + encodeURIComponent(game.id);
      var node = make("section", {"class": "card"});
      var place = make("div"), line = make("p", {"class": "line"});

      function button(label, act) {
        var it = make("button", {type: "button"}, label);

        it.addEventListener("click", function () {
          error.textContent = place.textContent = "";
          act().catch(fault);
        });
        line.appendChild(it);
      }

      line.appendChild(make("strong", {}, game.ladder));
      line.appendChild(make("span", {"class": "soft"}, game.start.slice(0, 16)
        .replace("T", " ") + ", seat " + game.seat + " of " +
        game.seats.length));
      button("Replay as seat " + game.seat, function () {
        return ask(id + "/steps", token).then(function (document) {
          Referee.viewer(place, [document], {});
        });
      });
      if (game.log !== null)
        button("Log, " + game.log + " bytes", function () {
          return ask(id + "/log", token).then(function (it) {
            showLog(place, it);
          });
        });
      node.appendChild(line);
      node.appendChild(place);
      return node;
    }

    function show(token) {
      error.textContent = "";
      return ask("", token).then(function (it) {
        window.sessionStorage.setItem(TOKEN + bot, token);
        list.textContent = "";
        it.games.forEach(function (game) {
          list.appendChild(row(game, token));
        });
        if (it.games.length === 0)
          list.appendChild(make("p", {"class": "soft"},
            "None of its games is over."));
        root.open = true;
      });
    }

    form.addEventListener("submit", function (event) {
      event.preventDefault();
      show(form.elements.token.value.trim()).then(function () {
        form.reset();
      }).catch(fault);
    });
    if (window.sessionStorage.getItem(TOKEN + bot))
      show(window.sessionStorage.getItem(TOKEN + bot)).catch(function () {
        window.sessionStorage.removeItem(TOKEN + bot);
      });
  }

  /* Results of games, and how long they were, can be hidden everywhere. */

  var SPOILERS = "referee-spoilers";

  function hidesSpoilers() {
    try {
      return window.localStorage.getItem(SPOILERS) === "off";
    } catch (e) {
      return false;
    }
  }

  function showSpoilers() {
    if (hidesSpoilers())
      document.documentElement.setAttribute("data-spoilers", "off");
    else
      document.documentElement.removeAttribute("data-spoilers");
  }

  function spoilerSwitch(tools) {
    var button = make("button", {type: "button", title:
      "hide results, scores and the length of games"}, "Hide results");

    function show() {
      showSpoilers();
      button.setAttribute("aria-pressed", String(hidesSpoilers()));
    }

    button.addEventListener("click", function () {
      window.localStorage.setItem(SPOILERS, hidesSpoilers() ? "on" : "off");
      show();
      window.dispatchEvent(new Event("hashchange")); /* a viewer shows anew */
    });
    show();
    tools.appendChild(button);
  }

  showSpoilers();
  document.addEventListener("DOMContentLoaded", function () {
    var live = document.getElementById("live");
    var viewer = document.getElementById("viewer");
    var id = viewer && viewer.getAttribute("data-game");

    if (document.getElementById("tools"))
      spoilerSwitch(document.getElementById("tools"));
    if (document.getElementById("owner"))
      owner(document.getElementById("owner"));
    document.querySelectorAll(".pick .small").forEach(looksOf);
    if (document.getElementById("again"))
      setTimeout(function () {
        window.location.reload();
      }, 3000);
    if (document.getElementById("example"))
      example(document.getElementById("example"));
    if (live)
      grid(live);
    if (id && viewer.getAttribute("data-live") === "1")
      running(viewer, id);
    else if (id)
      finished(viewer, id);
  });
})();
