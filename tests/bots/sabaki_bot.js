// A bot made with a GTP library from elsewhere, @sabaki/gtp. It knows nothing
// of the referee: it is a GTP engine with three more commands.
'use strict';
const { Engine } = require('@sabaki/gtp');

const engine = new Engine('sabaki', '3');
let moves = [];

engine.command('new_game', (command, out) => {
    moves = [];
    out.end();
});
engine.command('legal_moves', (command, out) => {
    moves = command.args;
    out.send('');
});
engine.command('genmove', (command, out) => {
    if (moves.length === 0) return out.err('no move in my list');
    out.send(moves[Math.floor(Math.random() * moves.length)]);
});
engine.start();
