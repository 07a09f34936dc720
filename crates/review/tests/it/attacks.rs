//! What models and servers say that is no answer, and what holds a secret: each is a line of
//! data. No answer that is none lets a change pass, and no secret leaves, in whatever way the
//! text of a file gets out.

use grounds_model::ModelClient;
use grounds_review::baseline::Baseline;
use grounds_review::forms::{self, ShownScope};
use grounds_review::options::PromptOptions;
use grounds_review::report::Ending;
use grounds_review::{DiffScope, PlanLimits, Report, Reviewer, RuleSet, Setup};

use crate::bed::Bed;
use crate::protocol::settings;
use crate::server::{Scripted, Server};

const ANSWERS: &str = include_str!("../attacks/answers.txt");
const SECRETS: &str = include_str!("../attacks/secrets.txt");

const JOBS: &str = "def run(jobs):\n    for job in jobs:\n        job.start()\n";
const JOBS_NEW: &str = "def run(jobs):\n    last = jobs[0]\n    for job in jobs:\n        job.start()\n    return last\n";
const FOUND: &str = r#"{"file": "src/jobs.py", "line": 2, "quote": "last = jobs[0]", "severity": "critical", "title": "the list may be empty", "message": "M"}"#;
const ASKS: &str = r#"{"id": null, "file": "src/jobs.py", "line_start": 1, "line_end": 3, "reason": "to see", "issue": 0}"#;

/// The lines of a file of cases, without its comments.
fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            line.split(" |")
                .map(|part| part.strip_prefix(' ').unwrap_or(part))
                .collect()
        })
}

fn review(bed: &Bed, server: &Server, rules: &RuleSet, limits: &PlanLimits) -> Report {
    let mut settings = settings(server, 2_000_000);
    settings.patience.attempts_max = 1;
    let client = ModelClient::of(settings);
    let (scope, options) = (
        DiffScope::Commit("HEAD".to_owned()),
        PromptOptions::default(),
    );
    let setup = Setup {
        folder: bed.path(),
        scope: &scope,
        rules,
        limits,
        options: &options,
        reviewer: Reviewer::Model(&client),
        baseline: &Baseline::default(),
        others: &[],
        carried: None,
    };
    grounds_review::run(&setup, &|_| ()).expect("a report")
}

fn scripted(to: &str, status: u16, finish: &str, text: &str) -> Scripted {
    Scripted {
        to: to.to_owned(),
        status,
        text: text.to_owned(),
        finish: finish.to_owned(),
        wait_ms: 0,
    }
}

/// The answer of a line.
fn broken(to: &str, kind: &str, text: &str) -> Scripted {
    let whole = format!(r#"{{"issues": [{FOUND}], "context_request": null}}"#);
    let escaped = whole.replace('"', "\\\"");
    let text = text
        .replace("%A", &whole)
        .replace("%F", FOUND)
        .replace("%a", &escaped)
        .replace("%E", r#"{"issues": [], "context_request": null}"#)
        .replace("[fence]", "```");
    match kind.split_once(':') {
        Some(("cut", word)) => scripted(to, 200, word, &text),
        Some(("status", status)) => scripted(to, status.parse().expect("a status"), "", &text),
        _ if kind == "body" => scripted(to, 200, "as it is", &text),
        _ => scripted(to, 200, "stop", &text),
    }
}

#[test]
fn no_answer_that_is_none_lets_a_change_pass() {
    let bed = Bed::with(&[("src/jobs.py", JOBS)]);
    bed.write("src/jobs.py", JOBS_NEW);
    bed.commit("change");
    let (rules, limits) = (RuleSet::built_in(), PlanLimits::default());
    let mut open = Vec::new();
    let mut count = 0;
    for line in lines(ANSWERS) {
        let [name, kind, text] = line[..] else {
            panic!("{line:?}")
        };
        let asks = format!(r#"{{"issues": [{FOUND}], "context_request": {ASKS}}}"#);
        let ways = [
            vec![broken("", kind, text)],
            vec![
                broken("review_again", kind, text),
                scripted("Review this change", 200, "stop", &asks),
            ],
        ];
        for (way, script) in ["first", "second"].into_iter().zip(ways) {
            count += 1;
            let server = Server::of(script);
            let report = review(&bed, &server, &rules, &limits);
            if report.ending() == Ending::Passes {
                open.push(format!("{name} ({way}): it passes"));
            }
            let stands = |report: &Report| {
                report
                    .findings
                    .iter()
                    .any(|reported| reported.finding.title == "the list may be empty")
            };
            if way == "second" && !stands(&report) {
                open.push(format!("{name} ({way}): the finding is gone"));
            }
        }
    }
    assert!(open.is_empty(), "of {count}:\n{}", open.join("\n"));
    assert!(count >= 220, "{count}");
}

/// Letters that look random, the same every time.
struct Letters(u64);

impl Letters {
    fn next(&mut self, of: &[u8]) -> char {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(of[usize::try_from(self.0 >> 33).expect("a number") % of.len()])
    }

    fn made(&mut self, text: &str) -> String {
        const UPPER: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ234567";
        const ALL: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz0123456789";
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            let shape = rest[at + 1..].split_once('}').and_then(|(inside, after)| {
                let (kind, count) = inside.split_once(' ')?;
                Some((kind, count.parse::<usize>().ok()?, after))
            });
            let Some((kind, count, after)) = shape else {
                out.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            };
            let of: &[u8] = match kind {
                "h" => b"0123456789abcdef",
                "u" => UPPER,
                "d" => b"0123456789",
                "l" => b"abcdefghijklmnopqrstuvwxyz",
                _ => ALL,
            };
            out.push_str(&rest[..at]);
            (0..count).for_each(|_| out.push(self.next(of)));
            rest = after;
        }
        out + rest
    }
}

/// A text with a secret, and the secret.
struct Kind {
    name: String,
    text: String,
    secret: String,
}

fn kinds() -> Vec<Kind> {
    let mut letters = Letters(7);
    let mut kinds: Vec<Kind> = lines(SECRETS)
        .map(|line| {
            let made = letters.made(&line[1..].join(" | "));
            let (head, rest) = made.split_once("[[").expect("a secret begins");
            let (secret, tail) = rest.split_once("]]").expect("a secret ends");
            Kind {
                name: line[0].to_owned(),
                text: format!("{head}{secret}{tail}"),
                secret: secret.to_owned(),
            }
        })
        .collect();
    for kind in ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""] {
        let body: Vec<String> = (0..20).map(|_| letters.made("{a 64}")).collect();
        kinds.push(Kind {
            name: format!("a private key {kind}"),
            text: format!(
                "-----BEGIN {kind}PRIVATE KEY-----\n{}\n-----END {kind}PRIVATE KEY-----",
                body.join("\n")
            ),
            secret: body[12].clone(),
        });
    }
    let body: Vec<String> = (0..14).map(|_| letters.made("{a 64}")).collect();
    kinds.push(Kind {
        name: "a key of PuTTY".to_owned(),
        text: format!(
            "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 14\n{}\nPrivate-MAC: {}",
            body.join("\n"),
            letters.made("{h 64}")
        ),
        secret: body[10].clone(),
    });
    kinds
}

/// All that leaves in a review: what was sent, and every form of the report.
fn all_that_leaves(bed: &Bed) -> String {
    let nothing = r#"{"issues": [], "context_request": null}"#;
    let asks = r#"{"issues": [], "context_request": {"id": null, "file": "src/far.py", "line_start": 12, "line_end": 30, "reason": "to see"}}"#;
    let server = Server::of(vec![
        scripted(
            "review_again",
            200,
            "stop",
            r#"{"verdicts": [], "issues": []}"#,
        ),
        scripted("src/far.py", 200, "stop", asks),
        scripted("", 200, "stop", nothing),
    ]);
    let rules = RuleSet::built_in();
    let report = review(bed, &server, &rules, &PlanLimits::default());
    assert!(report.failures.is_empty(), "{:?}", report.failures);
    let mut all = server.asked();
    all.extend([
        forms::sarif::render(&report, &rules, "0", ShownScope::All).to_string(),
        forms::markdown::render(&report, ShownScope::All),
        forms::annotations::render(&report, ShownScope::All),
        forms::rdjson::render(&report, ShownScope::All).to_string(),
        forms::told(&report).join("\n"),
        format!("{report:?}"),
    ]);
    all.join("\n")
}

/// The kinds that leave when a repository with this change is reviewed.
fn leaks(way: &str, kinds: &[Kind], before: &dyn Fn(&Bed), after: &dyn Fn(&Bed)) -> Vec<String> {
    let bed = Bed::new();
    before(&bed);
    bed.commit("first");
    after(&bed);
    bed.commit("change");
    let all = all_that_leaves(&bed);
    let leaves = |kind: &&Kind| all.contains(&kind.secret);
    kinds
        .iter()
        .filter(leaves)
        .map(|kind| format!("{} ({way})", kind.name))
        .collect()
}

/// One file a kind, so that none stands in the text of another.
fn write_all(bed: &Bed, kinds: &[Kind], text: &dyn Fn(&Kind) -> String) {
    for (number, kind) in kinds.iter().enumerate() {
        bed.write(&format!("conf/c{number}.py"), text(kind));
    }
}

#[test]
fn no_secret_leaves_by_any_way() {
    let kinds = kinds();
    let nothing = |_: &Bed| {};
    let mut open = leaks("added", &kinds, &nothing, &|bed| {
        write_all(bed, &kinds, &|kind| {
            format!("x = 1\n{}\ny = 2\n", kind.text)
        });
    });
    open.extend(leaks(
        "removed",
        &kinds,
        &|bed| {
            write_all(bed, &kinds, &|kind| {
                format!("x = 1\n{}\ny = 2\n", kind.text)
            })
        },
        &|bed| write_all(bed, &kinds, &|_| "x = 1\ny = 2\n".to_owned()),
    ));
    // The line that changes stands beside the last lines of the secret: nothing in the hunk says
    // what it is.
    open.extend(leaks(
        "beside a change",
        &kinds,
        &|bed| {
            write_all(bed, &kinds, &|kind| {
                format!("x = 1\n{}\ny = 2\n", kind.text)
            })
        },
        &|bed| {
            write_all(bed, &kinds, &|kind| {
                format!("x = 1\n{}\ny = 3\n", kind.text)
            })
        },
    ));
    assert!(
        open.is_empty(),
        "of {}:\n{}",
        3 * kinds.len(),
        open.join("\n")
    );
    assert!(kinds.len() >= 135, "{}", kinds.len());
}

#[test]
fn a_change_in_the_midst_of_a_key_shows_none_of_it() {
    let kinds: Vec<Kind> = kinds()
        .into_iter()
        .filter(|kind| kind.text.lines().count() > 10)
        .collect();
    let inside = |kind: &Kind, line: &str| {
        let mut lines: Vec<&str> = kind.text.lines().collect();
        lines.insert(12, line);
        lines.join("\n")
    };
    let open = leaks(
        "in the midst",
        &kinds,
        &|bed| write_all(bed, &kinds, &|kind| kind.text.clone()),
        &|bed| {
            write_all(bed, &kinds, &|kind| {
                inside(
                    kind,
                    "q9Zk3vB7nM2xC5tR8wL4pH6jD1sF0gY3aE7uK9iO2bN5mV8cX4zQ6lT1rW0hJ7dS",
                )
            });
        },
    );
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[test]
fn context_and_the_lines_of_a_follow_up_show_no_key() {
    let kinds = kinds();
    for kind in kinds.iter().filter(|kind| kind.text.lines().count() > 10) {
        let far = format!(
            "def load():\n    return KEY\n\n\nKEY = \"\"\"\n{}\n\"\"\"\n\n\ndef other():\n    return 1\n",
            kind.text
        );
        let open = leaks(
            "context and follow-up",
            std::slice::from_ref(kind),
            &|bed| {
                bed.write("src/far.py", &far);
                bed.write("src/jobs.py", JOBS);
            },
            &|bed| {
                let new = format!("from far import KEY, load\n\n\n{JOBS}\nload()\nprint(KEY)\n");
                bed.write("src/jobs.py", new);
            },
        );
        assert!(open.is_empty(), "{}", open.join("\n"));
    }
}
