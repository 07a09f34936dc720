//! Prints how questions of standard input, one a line as `TREE<tab>QUESTION`, are understood as claims.
use grounds_repo::checkout::Checkout;
use std::io::BufRead;
use std::path::Path;
fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((tree, question)) = line.split_once('\t') else {
            continue;
        };
        let Ok(checkout) = Checkout::open(Path::new(tree)) else {
            continue;
        };
        let seen =
            grounds_ask::understood_of(question, &checkout, &grounds_ask::Budget::default().limits);
        let all: Vec<String> = seen.claims.iter().map(ToString::to_string).collect();
        let goal = grounds_ask::understand(question)
            .map(|q| {
                format!(
                    "{:?} {:?} {:?}",
                    q.goal.intent,
                    q.wants,
                    q.goal
                        .targets
                        .iter()
                        .map(|t| format!("{:?}:{}", t.kind, t.text))
                        .collect::<Vec<_>>()
                )
            })
            .unwrap_or_default();
        println!(
            "{question}\n   claims {} unread {:?}\n   older {goal}",
            all.join("; "),
            seen.unread
        );
    }
}
