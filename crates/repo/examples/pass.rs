//! The one pass alone, for timing it beside another search of the same tree:
//! `cargo run --release -p grounds-repo --example pass -- DIR NAME`.

use std::path::Path;

use grounds_evidence::{Target, TargetKind};
use grounds_repo::{checkout::Checkout, limits::Limits, needles::Needles, survey};

#[expect(clippy::print_stdout, clippy::use_debug, reason = "printing the counts is what this example is for")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(name)) = (arguments.next(), arguments.next()) else { return println!("usage: pass DIR NAME") };
    let checkout = match Checkout::open(Path::new(&folder)) {
        Ok(checkout) => checkout,
        Err(error) => return println!("cannot {error}"),
    };
    let kind = if name.contains(' ') { TargetKind::Phrase } else { TargetKind::Identifier };
    let targets = [Target { text: name, kind, wanted: grounds_evidence::Wanted::Definition }];
    let needles = Needles::of_targets(&targets);
    let seen = survey::survey(&checkout, &targets, &needles, survey::Part::Visible, &Limits::default(), &survey::Progress::default());
    println!(
        "{:?} in {} files; searched {} files, {} bytes",
        seen.counts[0],
        seen.files.len(),
        seen.scope.files_searched,
        seen.scope.bytes_searched
    );
}
