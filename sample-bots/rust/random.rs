//! A random player for every game of the referee; README.md says more.
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};

const COMMANDS: &str = "protocol_version\nlist_commands\nname\nversion\n\
                        new_game\nlegal_moves\ngenmove\nquit";

/// Your strategy goes here. Chance without a crate: every RandomState has new
/// secret keys, so even its hash of nothing is a new number each time.
fn choose(moves: &[String]) -> &str {
    let random = RandomState::new().build_hasher().finish() as usize;
    match moves.len() {
        0 => "resign",
        n => &moves[random % n],
    }
}

fn main() -> io::Result<()> {
    let mut moves: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace().peekable();
        let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let id = words.next_if(is_number).unwrap_or("");
        let command = words.next().unwrap_or("");
        let text = match command {
            "" => continue,
            "protocol_version" => "2",
            "list_commands" => COMMANDS,
            "name" => "random-rust",
            "version" => "1",
            "legal_moves" => {
                moves = words.map(String::from).collect();
                ""
            }
            "genmove" => choose(&moves),
            "new_game" | "quit" => "",
            _ => "unknown command",
        };
        let mark = if text == "unknown command" { '?' } else { '=' };
        let answer = format!("{mark}{id} {text}");
        let mut out = io::stdout();
        write!(out, "{}\n\n", answer.trim_end())?;
        out.flush()?; // or the answer would wait here for more
        if command == "quit" {
            break;
        }
    }
    Ok(())
}
