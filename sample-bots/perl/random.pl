#!/usr/bin/env perl
# A random player for every game of the referee; README.md says more.
use strict;
use warnings;

$| = 1;    # write every answer at once

my @moves;

# Your strategy goes here.
sub choose { return @moves ? $moves[ rand @moves ] : 'resign' }

# One sub per command: it gets the arguments and returns the answer.
my %commands;
%commands = (
    protocol_version => sub { 2 },
    list_commands    => sub { join "\n", sort keys %commands },
    name             => sub { 'random-perl' },
    version          => sub { 1 },
    new_game         => sub { '' },
    legal_moves      => sub { @moves = @_; '' },
    genmove          => sub { choose() },
    quit             => sub { '' },
);

while ( my $line = <STDIN> ) {
    my @words = split ' ', $line;
    my $id = @words && $words[0] =~ /^\d+$/ ? shift @words : '';
    next if !@words;
    my $command = shift @words;
    my $code    = $commands{$command};
    my $answer  = $code ? "=$id " . $code->(@words) : "?$id unknown command";
    $answer =~ s/ $//;    # no text, no blank
    print "$answer\n\n";
    last if $command eq 'quit';
}
