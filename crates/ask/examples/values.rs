//! Ranks the values of trees for questions of standard input, one a line as `ID<tab>TREE<tab>QUESTION`, and prints one
//! line of JSON for each: the values in their order with the features that a fit needs.

use std::io::{BufRead, Write};
use std::path::Path;

use grounds_repo::checkout::Checkout;

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
        let ranking = grounds_ask::ranked_values(&checkout, question);
        let rows: Vec<String> = ranking
            .values
            .iter()
            .map(|value| {
                let row: Vec<String> = value.row.iter().map(|one| format!("{one:.4}")).collect();
                let (path, line) = value.place();
                format!(
                    "[{},{line},{},{},{:.4},[{}]]",
                    quoted(path),
                    quoted(&value.key),
                    quoted(&value.value),
                    value.worth,
                    row.join(",")
                )
            })
            .collect();
        let told = format!(
            "{{\"id\":{id:?},\"words\":{},\"asks\":{},\"absent\":{:.4},\"share\":{:.4},\"values\":[{}]}}",
            ranking.words,
            ranking.asks,
            ranking.absent,
            ranking.right_share,
            rows.join(",")
        );
        if writeln!(out, "{told}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn quoted(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !letter.is_control()).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}
