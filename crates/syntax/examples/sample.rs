//! Prints a sample of the calls and bases in the files below a folder.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for those who write tables"
)]
use grounds_evidence::Relation;
use grounds_syntax::{Parser, languages};
use std::path::PathBuf;
fn files(dir: PathBuf, out: &mut Vec<PathBuf>) {
    let mut all: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .collect();
    all.sort();
    for p in all {
        if p.is_symlink() || p.ends_with(".git") {
            continue;
        }
        if p.is_dir() {
            files(p, out)
        } else {
            out.push(p)
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (dir, name, calls_n, inh_n) = (
        &args[1],
        &args[2],
        args[3].parse::<usize>().unwrap(),
        args[4].parse::<usize>().unwrap(),
    );
    let mut all = Vec::new();
    files(dir.into(), &mut all);
    all.retain(|p| {
        languages::of_name(p.file_name().unwrap().to_str().unwrap_or(""))
            .is_some_and(|l| l.name == name)
    });
    let parser = Parser::default();
    let mut state = 12345_u64;
    let mut next = |n: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % n.max(1)
    };
    let (mut c, mut i, mut tries) = (0, 0, 0);
    println!("== {name} {} files", all.len());
    while (c < calls_n || i < inh_n) && tries < 3000 {
        tries += 1;
        let p = &all[next(all.len())];
        let source = std::fs::read(p).unwrap();
        if source.len() > 400_000 {
            continue;
        }
        let language = languages::of_file(p.to_str().unwrap(), &source).unwrap();
        let Ok(parse) = parser.parse(language, &source, &|| false) else {
            continue;
        };
        let show = |at: usize, what: &str| {
            let start = source[..at]
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |n| n + 1);
            let end = source[at..]
                .iter()
                .position(|b| *b == b'\n')
                .map_or(source.len(), |n| at + n);
            println!(
                "{what:<58} | {}",
                String::from_utf8_lossy(&source[start..end])
                    .trim()
                    .chars()
                    .take(130)
                    .collect::<String>()
            );
        };
        if c < calls_n {
            let calls = parse.calls_in(0..source.len(), 10_000);
            if !calls.is_empty() {
                let call = &calls[next(calls.len())];
                show(
                    call.range.start,
                    &format!(
                        "C {} <- {}",
                        call.name,
                        call.receiver.as_deref().unwrap_or("")
                    ),
                );
                c += 1;
            }
        }
        if i < inh_n {
            let mut at = 0;
            let mut found = Vec::new();
            while at < source.len() && source.len() < 150_000 {
                let is = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
                if !is(source[at]) {
                    at += 1;
                    continue;
                }
                let end = source[at..]
                    .iter()
                    .position(|b| !is(*b))
                    .map_or(source.len(), |n| at + n);
                let label = parse.label(at..end);
                if label.relation == Relation::Inherits {
                    found.push((at..end, label));
                }
                at = end;
            }
            if !found.is_empty() {
                let (r, l) = &found[next(found.len())];
                show(
                    r.start,
                    &format!(
                        "I {} in {:?}",
                        String::from_utf8_lossy(&source[r.clone()]),
                        l.containers
                    ),
                );
                i += 1;
            }
        }
    }
}
