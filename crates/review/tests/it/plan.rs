//! The laws of a plan: every changed line stands in one place, a call keeps to its tokens, threads
//! change nothing, and what cannot be read is told.

use std::collections::BTreeMap;

use grounds_model::tokens::Tokenizer;
use grounds_review::chain::{ResolveLimits, render};
use grounds_review::report::{LineState, SkipReason};
use grounds_review::{BundlePart, Change, DiffScope, PlanLimits, Prepared, prepare};

use crate::bed::Bed;

fn counter() -> Tokenizer {
    Tokenizer::for_model("gpt-4o")
}

fn prepared(change: &Change, limits: &PlanLimits) -> Prepared {
    prepare(change, counter(), limits).expect("a plan")
}

/// A repository with many files that use each other, and a change of most of them.
fn busy() -> (Bed, Change) {
    let bed = Bed::new();
    for file in 0..30 {
        let text: String = (0..40)
            .map(|item| format!("def make_{file}_{item}(value):\n    return value + {item}\n\n\n"))
            .collect();
        bed.write(&format!("app/part_{}/file_{file}.py", file % 4), text);
    }
    bed.commit("base");
    for file in 0..30 {
        let uses: String = (0..12)
            .map(|item| format!("    total += make_{}_{item}(total)\n", (file + 1) % 30))
            .collect();
        let kept: String = (0..40)
            .map(|item| format!("def make_{file}_{item}(value):\n    return value + {item}\n\n\n"))
            .collect();
        bed.write(
            &format!("app/part_{}/file_{file}.py", file % 4),
            format!("{kept}def run_{file}(total):\n{uses}    return total\n"),
        );
    }
    bed.write("Cargo.lock", "version = 4\n");
    bed.commit("head");
    let change = bed.change(&DiffScope::Commit("HEAD".to_owned()));
    (bed, change)
}

/// How often each changed line stands in a plan.
fn times(change: &Change, plan: &Prepared) -> BTreeMap<(usize, usize, usize), usize> {
    let mut times = BTreeMap::new();
    let mut count = |part: &BundlePart| {
        part.lines
            .clone()
            .for_each(|line| *times.entry((part.file, part.hunk, line)).or_insert(0) += 1)
    };
    plan.plan
        .bundles
        .iter()
        .flat_map(|bundle| &bundle.parts)
        .for_each(&mut count);
    plan.plan.left_out.iter().for_each(|(part, _)| count(part));
    let all = change
        .diff
        .files
        .iter()
        .map(|file| {
            file.hunks
                .iter()
                .map(|hunk| hunk.lines.len())
                .sum::<usize>()
        })
        .sum::<usize>();
    assert_eq!(times.len(), all, "every line stands somewhere");
    times
}

#[test]
fn every_line_stands_in_one_place_whatever_the_cap() {
    let (_bed, change) = busy();
    for diff_tokens_max in [40, 300, 2_000, 100_000] {
        for bundles_max in [1, 3, 1_000] {
            let limits = PlanLimits {
                diff_tokens_max,
                bundles_max,
                ..PlanLimits::default()
            };
            let plan = prepared(&change, &limits);
            assert!(
                times(&change, &plan).values().all(|times| *times == 1),
                "{diff_tokens_max} {bundles_max}"
            );
            assert!(plan.plan.bundles.len() <= bundles_max);
            let is_clipped = plan
                .plan
                .left_out
                .iter()
                .any(|(_, state)| *state == LineState::Clipped);
            assert_eq!(
                is_clipped,
                plan.bounds.iter().any(|bound| bound.name == "bundles_max"),
                "a bound that cut is told"
            );
            let is_skipped = |(part, state): &&(BundlePart, LineState)| {
                *state == LineState::Skipped(SkipReason::LockFile)
                    && change.diff.files[part.file].path == "Cargo.lock"
            };
            assert_eq!(plan.plan.left_out.iter().filter(is_skipped).count(), 1);
        }
    }
}

#[test]
fn a_call_keeps_to_its_tokens() {
    let (_bed, change) = busy();
    for (diff_tokens_max, context_tokens_max) in [(200, 0), (400, 60), (3_000, 500), (8_000, 1_500)]
    {
        let plan = prepared(
            &change,
            &PlanLimits {
                diff_tokens_max,
                context_tokens_max,
                ..PlanLimits::default()
            },
        );
        for bundle in &plan.plan.bundles {
            let lines = bundle.parts.iter().flat_map(|part| {
                &change.diff.files[part.file].hunks[part.hunk].lines[part.lines.clone()]
            });
            let tokens: u64 = lines.map(|line| counter().count(&line.text)).sum();
            assert!(tokens <= diff_tokens_max, "{tokens} of {diff_tokens_max}");
            let context: u64 = bundle.items.iter().map(|item| item.tokens).sum();
            assert!(
                context <= context_tokens_max,
                "{context} of {context_tokens_max}"
            );
            let rendered = counter().count(&render(&bundle.items));
            assert!(
                rendered <= context_tokens_max.max(8),
                "{rendered} rendered of {context_tokens_max}:\n{}",
                render(&bundle.items)
            );
        }
    }
}

#[test]
fn threads_change_nothing() {
    let (_bed, change) = busy();
    let with = |threads_max| {
        let resolve = ResolveLimits {
            threads_max,
            ..ResolveLimits::default()
        };
        prepared(
            &change,
            &PlanLimits {
                resolve,
                ..PlanLimits::default()
            },
        )
    };
    let (one, many) = (with(1), with(8));
    assert!(
        one.plan
            .bundles
            .iter()
            .any(|bundle| !bundle.items.is_empty())
    );
    assert_eq!(one.plan, many.plan);
}

#[test]
fn what_was_cut_is_in_the_gap_with_its_range() {
    let (_bed, change) = busy();
    let plan = prepared(
        &change,
        &PlanLimits {
            context_tokens_max: 60,
            ..PlanLimits::default()
        },
    );
    let bundle = &plan.plan.bundles[0];
    let cut: Vec<_> = bundle
        .unresolved
        .iter()
        .filter(|gap| gap.why.contains("context_tokens_max"))
        .collect();
    assert!(!cut.is_empty());
    for gap in cut {
        let id = gap.menu_ids.first().expect("a range");
        let range = bundle
            .menu
            .ranges
            .iter()
            .find(|range| range.id == *id)
            .expect("in the menu");
        let text = plan
            .tree
            .as_ref()
            .expect("a tree")
            .read_one(&range.path)
            .expect("git")
            .expect("a file");
        let text = String::from_utf8_lossy(text.bytes().expect("bytes")).into_owned();
        let lines: Vec<&str> = text
            .lines()
            .skip(range.line_start as usize - 1)
            .take((range.line_end - range.line_start + 1) as usize)
            .collect();
        assert!(
            lines.iter().any(|line| line.contains(&gap.name)),
            "{gap:?} {range:?}"
        );
    }
}

#[test]
fn bounds_of_the_chain_are_told() {
    let (_bed, change) = busy();
    let told = |resolve| {
        let plan = prepared(
            &change,
            &PlanLimits {
                resolve,
                ..PlanLimits::default()
            },
        );
        plan.bounds
            .iter()
            .map(|bound| bound.name)
            .collect::<Vec<&str>>()
    };
    assert_eq!(
        told(ResolveLimits {
            names_max: 5,
            ..ResolveLimits::default()
        }),
        ["names_max"]
    );
    assert_eq!(
        told(ResolveLimits {
            files_parsed_max: 1,
            ..ResolveLimits::default()
        }),
        ["files_parsed_max"]
    );
}

#[test]
fn an_object_that_is_not_here_is_no_absence() {
    let bed = Bed::with(&[("a.py", "def kept():\n    return 1\n"), ("b.py", "x = 1\n")]);
    bed.write("b.py", "from a import kept\n\nx = kept()\n");
    bed.commit("use");
    let blob = bed.git(&["rev-parse", "HEAD:a.py"]);
    std::fs::remove_file(
        bed.path()
            .join(".git/objects")
            .join(&blob[..2])
            .join(&blob[2..]),
    )
    .expect("gone");
    let unread = || {
        prepared(
            &bed.change(&DiffScope::Commit("HEAD".to_owned())),
            &PlanLimits::default(),
        )
        .unread
    };
    assert_eq!(unread(), 0, "its very bytes lie checked out");
    bed.write("a.py", "def kept():\n    return 2\n");
    assert_eq!(unread(), 1);
}

#[cfg(unix)]
#[test]
fn hostile_files_break_nothing() {
    let bed = Bed::with(&[("a.rs", "fn a() {}\n")]);
    let deep = "(".repeat(20_000);
    bed.write("deep.rs", format!("fn deep() {{ {deep}\n"));
    bed.write("deep.py", format!("x = {}\n", "[".repeat(20_000)));
    bed.write("bytes.c", b"int \xff\xfe(void) {\x00 return \xc3\x28; }\n");
    bed.write("long.js", format!("const a = '{}'\n", "x".repeat(300_000)));
    bed.write(
        "import.py",
        "from .......... import x\nfrom ..\nimport\nfrom . import (\n",
    );
    bed.write("use.rs", "use ::{{{\nuse a::{b\nmod ;\n");
    bed.write(
        "rtl.go",
        "package x\n// \u{202e}\u{2066}\nfunc \u{430}bc() { \u{430}bc() }\n",
    );
    std::os::unix::fs::symlink("/etc/passwd", bed.path().join("link.py")).expect("a link");
    bed.commit("hostile");
    let change = bed.change(&DiffScope::Commit("HEAD".to_owned()));
    let plan = prepared(&change, &PlanLimits::default());
    assert!(times(&change, &plan).values().all(|times| *times == 1));
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let first = passwd.lines().next().unwrap_or("root:x");
    assert!(
        !plan.heads["link.py"]
            .bytes()
            .expect("a link's target")
            .starts_with(first.as_bytes())
    );
}

#[test]
fn a_diff_in_a_file_has_a_plan_without_context() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(
        file.path(),
        "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b()\n",
    )
    .expect("written");
    let bed = Bed::new();
    let change = bed.change(&DiffScope::DiffFile(file.path().to_owned()));
    let plan = prepared(&change, &PlanLimits::default());
    assert_eq!(
        (plan.plan.bundles.len(), plan.plan.bundles[0].items.len()),
        (1, 0)
    );
    assert!(plan.tree.is_none());
}
