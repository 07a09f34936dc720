//! What the pages show beside words: the way from a requirement to its level, callers as a tree, a body once, what was
//! searched, times as lines, the diff beside findings, and links that lead only where the person or the remote says.

use std::process::Command;

use crate::browser::Browser;
use crate::pages::{Server, is_sound};
use crate::support::{Person, Tree, commit_all, git, has, run};

const PRICES: &str = r#""""Prices."""


def rate(country):
    return 19


def total(count, country):
    """What an order costs."""
    net = count * 3
    # <b>gross</b>
    gross = net + rate(country)
    print(gross)
    return round(gross)
"#;
const CART: &str = "from prices import total


def pay(count):
    first = total(count, 'de')
    second = total(count, 'fr')
    return first + second


def show(count):
    return str(total(count, 'at'))
";
const REPORTS: &str = "from prices import total


def yearly(counts):
    return sum(total(count, 'it') for count in counts)
";
const REMOTE: &str = "https://github.com/example/shop.git";

/// A checkout with a remote, in which one function has callers in two folders.
fn shop() -> Tree {
    let tree = Tree::of(&[
        ("prices.py", PRICES),
        ("shop/cart.py", CART),
        ("office/reports.py", REPORTS),
        ("office/logo.bin", "\0\0\0"),
    ]);
    commit_all(tree.root());
    git(tree.root(), &["remote", "add", "origin", REMOTE]);
    tree
}

/// The page of the last run of a person.
fn page(person: &Person, tree: &Tree, editor: &str) -> String {
    let mut command = person.calls(tree.root());
    let shown = run(command
        .args(["show", "--last", "--format", "html"])
        .env("GROUNDS_EDITOR_LINK", editor));
    assert_eq!(shown.code, Some(0), "{}", shown.text());
    shown.is_safe_for_a_terminal();
    String::from_utf8(shown.out).expect("UTF-8")
}

/// The page of a question.
fn asked(person: &Person, tree: &Tree, question: &str) -> String {
    let done = person.run(tree.root(), &["ask", question]);
    assert!(matches!(done.code, Some(0 | 3)), "{}", done.text());
    page(person, tree, "")
}

#[track_caller]
fn has_all(page: &str, pieces: &[&str]) {
    let missing: Vec<&&str> = pieces
        .iter()
        .filter(|piece| !page.contains(**piece))
        .collect();
    assert!(missing.is_empty(), "no {missing:?} in {page}");
}

/// Questions and claims of which some are answered, one a line.
const SEVERAL: &str = "\
where is total defined?
is there a Refund?
calls(_, \"total\")
where is totals_of_all defined?
member(
";

/// The page of several questions.
fn several(person: &Person, tree: &Tree) -> String {
    let files = Tree::of(&[("several.txt", SEVERAL)]);
    let file = files.path("several.txt");
    let words = ["ask", "--each", file.to_str().expect("UTF-8")];
    let done = person.run(tree.root(), &words);
    assert_eq!(done.code, Some(3), "{}", done.text());
    page(person, tree, "")
}

#[test]
fn the_page_of_several_is_for_everyone() {
    if !has("chromium") || !has("git") {
        return;
    }
    let pages = Tree::of(&[("several.html", &several(&Person::new(), &shop()))]);
    let file = format!("file://{}", pages.path("several.html").display());
    is_sound(&mut Browser::start(), &file, "several");
}

#[test]
fn each_of_several_has_its_question_and_its_outcome() {
    let page = several(&Person::new(), &shop());
    has_all(
        &page,
        &[
            "<h1>5 questions</h1>",
            "<b>3 of 5 are answered</b>",
            "1. where is total defined?</a><span class=\"badge good\">Answered, confidence Complete</span>",
            "2. is there a Refund?</a><span class=\"badge open\">Not found: no</span>",
            "<h2 id=\"q4\">4. where is totals_of_all defined?</h2>",
            "<a href=\"#q4\">4. where is totals_of_all defined?</a><span class=\"badge open\">Not found</span>",
            "<a href=\"#q5\">5. member(</a><span class=\"badge open\">Not checkable</span>",
            "<small>required</small><b>FileSearch</b><code>total</code>",
            "needs Strong",
        ],
    );
    has_each_excerpt_once(&page);
}

/// Each excerpt has a number of its own, and each way to one leads to it.
#[track_caller]
fn has_each_excerpt_once(page: &str) {
    let (mut made, led) = (numbers(page, " id=\"c"), numbers(page, "href=\"#c"));
    let count = made.len();
    assert!(count >= 5 && !led.is_empty(), "{page}");
    assert!(
        led.iter().all(|number| made.contains(number)),
        "{led:?} {made:?}"
    );
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), count, "a number twice: {page}");
}

/// What stands between a text and the next quotation mark, wherever the text is.
fn numbers<'p>(page: &'p str, before: &str) -> Vec<&'p str> {
    let pieces = page.split(before).skip(1);
    pieces.filter_map(|piece| piece.split('"').next()).collect()
}

#[test]
fn callers_are_a_tree_with_counts() {
    let page = asked(&Person::new(), &shop(), "who calls total?");
    has_all(
        &page,
        &[
            "shop/</span> <span class=\"count\">3 places",
            "cart.py</span> <span class=\"count\">3 places",
            "<code>pay</code></span> <span class=\"count\">2 places",
            "office/</span> <span class=\"count\">1 place<",
            "<code>first = total(count, 'de')</code>",
            "id=\"c1\"",
        ],
    );
    assert!(!page.contains("<figure"), "a card beside the tree: {page}");
}

#[test]
fn a_body_is_shown_once_with_its_calls_marked() {
    let page = asked(&Person::new(), &shop(), "how does total work?");
    has_all(
        &page,
        &[
            "<mark>rate</mark>(country)",
            "<mark>print</mark>(gross)",
            "<mark>round</mark>(gross)",
            "aria-label=\"In the body above\"",
            "# &lt;b&gt;gross&lt;/b&gt;",
        ],
    );
    let heads = page.matches("def total(count, country):").count();
    assert_eq!(heads, 1, "{page}");
}

#[test]
fn the_way_and_the_map_say_what_was_seen_and_what_was_not() {
    let (person, tree) = (Person::new(), shop());
    let found = asked(&person, &tree, "where is total defined?");
    has_all(
        &found,
        &[
            "<ol class=\"way\"",
            "<small>required</small><b>FileSearch</b><code>total</code>",
            "<b>references</b>",
            "<small>level</small><b>Verified</b>",
            "<b>1</b> not read: binary",
        ],
    );
    let refused = asked(&person, &tree, "where is totals_of_all defined?");
    has_all(
        &refused,
        &[
            "<b>references</b> <span class=\"quiet\">found nothing",
            "needs Strong",
        ],
    );
}

#[test]
fn links_lead_to_the_chosen_editor_and_to_the_commit_at_the_forge() {
    let (person, tree) = (Person::new(), shop());
    let plain = asked(&person, &tree, "where is total defined?");
    let commit = Command::new("git")
        .arg("-C")
        .arg(tree.root())
        .args(["rev-parse", "HEAD"])
        .output()
        .expect("git");
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let forge = format!("https://github.com/example/shop/blob/{commit}/prices.py#L8");
    has_all(&plain, &[&forge]);
    for scheme in ["file:", "vscode:", "javascript:"] {
        assert!(!plain.contains(scheme), "{scheme}: {plain}");
    }
    let root = tree.root().canonicalize().expect("a folder");
    let editor = format!("vscode://file{}/prices.py:8", root.display());
    has_all(
        &page(&person, &tree, "vscode"),
        &[
            &editor,
            &forge,
            "aria-label=\"prices.py:8-14 at the forge\"",
        ],
    );
    let own = page(&person, &tree, "my-editor://open?f={path}&l={line}");
    has_all(
        &own,
        &["href=\"my-editor://open?f=/", "prices.py&amp;l=8\""],
    );
    for refused in ["javascript:alert('{path}')", "vim", "data:text/html,{path}"] {
        let mut command = person.calls(tree.root());
        let shown = run(command
            .args(["show", "--last", "--format", "html"])
            .env("GROUNDS_EDITOR_LINK", refused));
        assert!(
            shown
                .text()
                .contains("warning: pages have no links to an editor"),
            "{refused}: {}",
            shown.text()
        );
        assert_eq!(String::from_utf8_lossy(&shown.out), plain, "{refused}");
    }
}

#[test]
fn a_file_that_the_commit_does_not_have_is_not_at_its_forge() {
    let (person, tree) = (Person::new(), shop());
    std::fs::write(tree.path("new.py"), "def brand_new():\n    pass\n").expect("written");
    let page = asked(&person, &tree, "where is brand_new defined?");
    has_all(&page, &["new.py:1"]);
    assert!(!page.contains("href=\"http"), "{page}");
}

#[test]
fn no_forge_is_named_that_the_page_is_not_of() {
    for (remote, is_changed) in [
        (REMOTE, true),
        ("https://forge.example.org/example/shop.git", false),
        ("/srv/shop.git", false),
        ("javascript:alert(1)//github.com/a/b", false),
    ] {
        let (person, tree) = (Person::new(), shop());
        git(tree.root(), &["remote", "set-url", "origin", remote]);
        if is_changed {
            std::fs::write(tree.path("prices.py"), format!("# more\n{PRICES}")).expect("written");
        }
        let page = asked(&person, &tree, "where is total defined?");
        assert!(!page.contains("href=\"http"), "{remote}: {page}");
    }
}

#[test]
fn the_diff_stands_beside_the_findings() {
    let (person, tree) = (Person::new(), shop());
    let changed = PRICES.replace(
        "    net = count * 3\n",
        "    net = eval(count) # <script>alert(1)</script>\n",
    );
    std::fs::write(tree.path("prices.py"), changed).expect("written");
    let done = person.run(tree.root(), &["review"]);
    assert_eq!(done.code, Some(7), "{}", done.text());
    has_all(
        &page(&person, &tree, ""),
        &[
            "<pre class=\"diff\">",
            "class=\"line gone\" data-n=\"10\">\u{2212}     net = count * 3",
            "class=\"line new found\" data-n=\"10\">+     net = eval(count) # &lt;script&gt;",
            "data-n=\"9\">      &quot;&quot;&quot;What an order costs.",
        ],
    );
}

/// Two pages of each year, which say the same.
fn dated() -> Tree {
    let mut tree = Tree::new();
    for (place, day) in ["2021-06-11", "2022-01-05", "2023-09-30"]
        .iter()
        .enumerate()
    {
        tree = tree.file(
            format!("docs/team{place}/limits.html"),
            format!(
                "<html><head><title>Limits {place}</title>\
                 <meta property=\"article:published_time\" content=\"{day}T10:00:00Z\"></head>\
                 <body><article><h1>Limits</h1><p>The default timeout is 30 seconds.</p></article></body></html>"
            ),
        );
    }
    tree
}

const CLAIM: [&str; 10] = [
    "verify",
    "The default timeout is 30 seconds",
    "--corpus",
    "docs",
    "--from",
    "2022-01-01",
    "--to",
    "2023-12-31",
    "--as-of",
    "2024-12-31",
];

#[test]
fn sources_stand_on_the_line_of_time() {
    let (person, tree) = (Person::new(), dated());
    let done = person.run(tree.root(), &CLAIM);
    assert_eq!(done.code, Some(0), "{}", done.text());
    has_all(
        &page(&person, &tree, ""),
        &[
            "2021-06-11: <b>1</b> not counted, before its time",
            "2022-01-05: <b>1</b> for the claim<",
            "<span>2021-06-11</span><span>2024-12-31</span>",
            "class=\"span\"",
            "<b>3</b> pages read",
        ],
    );
}

#[test]
fn every_view_is_for_everyone() {
    if !has("chromium") || !has("git") {
        return;
    }
    let (person, tree, pages) = (Person::new(), shop(), Tree::new());
    let mut browser = Browser::start();
    for (name, words) in [
        ("callers", &["ask", "who calls total?"][..]),
        ("body", &["ask", "how does total work?"]),
        ("nowhere", &["ask", "where is totals_of_all defined?"]),
        ("dated", &CLAIM),
        ("diff", &["review"]),
    ] {
        if name == "diff" {
            let changed = PRICES.replace("count * 3", "eval(count)");
            std::fs::write(tree.path("prices.py"), changed).expect("written");
        }
        let times = dated();
        let folder = if name == "dated" {
            times.root()
        } else {
            tree.root()
        };
        let mut command = person.calls(folder);
        run(command.args(words).args(["--run-id", name]));
        let file = pages.path(format!("{name}.html"));
        let text = page(&person, &tree, "vscode");
        std::fs::write(&file, text).expect("written");
        is_sound(&mut browser, &format!("file://{}", file.display()), name);
    }
    let server = Server::called(&mut person.calls(tree.root()));
    let no_ledger = format!("{}fleet/", server.address);
    is_sound(&mut browser, &no_ledger, "message");
    is_sound(&mut browser, &server.address, "days");
    let days = browser.value("document.querySelectorAll('.days h3').length");
    assert!(days.as_u64().is_some_and(|days| days >= 1), "{days}");
}
