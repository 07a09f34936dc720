//! Ranks the files of trees for questions of standard input, one a line as `ID<tab>TREE<tab>QUESTION`, and prints one
//! line of JSON for each: the candidates in their order with the features that a fit needs.

use std::io::{BufRead, Write};
use std::path::Path;

use grounds_ask::localise::{clues, rank_with};
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;
use grounds_repo::survey::Progress;

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut fields = line.splitn(3, '\t');
        let (Some(id), Some(tree), Some(question)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let Ok(checkout) = Checkout::open(Path::new(tree)) else {
            continue;
        };
        let clues = clues::read(question);
        let ranked = rank_with(&checkout, &clues, &Limits::default(), &Progress::default());
        let files: Vec<String> = ranked
            .order()
            .into_iter()
            .map(|number| {
                let row: Vec<String> = ranked.features[number]
                    .iter()
                    .map(|value| format!("{value:.4}"))
                    .collect();
                format!("[{:?},[{}]]", ranked.path(number).as_str(), row.join(","))
            })
            .collect();
        let told = format!(
            "{{\"id\":{id:?},\"words\":{},\"share\":{:.4},\"files\":[{}]}}",
            clues.words(),
            ranked.right_share(&clues),
            files.join(",")
        );
        if writeln!(out, "{told}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
