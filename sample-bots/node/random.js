#!/usr/bin/env node
// A random player for every game of the referee; README.md says more.
'use strict';
const readline = require('node:readline');

let moves = [];

// Your strategy goes here.
function choose() {
    return moves[Math.floor(Math.random() * moves.length)] ?? 'resign';
}

// One function per command: it gets the arguments and returns the answer.
const commands = {
    protocol_version: () => '2',
    list_commands: () => Object.keys(commands).join('\n'),
    name: () => 'random-node',
    version: () => '1',
    new_game: () => '',
    legal_moves: (args) => { moves = args; return ''; },
    genmove: () => choose(),
    quit: () => '',
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const words = line.split(/\s+/).filter(Boolean);
    const id = /^\d+$/.test(words[0]) ? words.shift() : '';
    if (words.length === 0) return;
    const [command, ...args] = words;
    const answer = Object.hasOwn(commands, command)
        ? `=${id} ${commands[command](args)}`
        : `?${id} unknown command`;
    process.stdout.write(answer.trimEnd() + '\n\n');
    if (command === 'quit') process.exit();
});
