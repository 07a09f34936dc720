//! The pages of runs in a real browser: nothing is complained about or loaded, light
//! and dark, narrow and wide, all of it reached by keyboard and named for a screen
//! reader; and the server that shows them, which strangers get nothing from.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::browser::Browser;
use crate::support::{Person, Tree, commit_all, git, grounds, has, run};

/// What the tabulator has to reach.
const FOCUSABLE: &str = "[...document.querySelectorAll('a[href],button,input,select,summary')].filter((node) => node.checkVisibility()).length";

const SHOP: &str = "//! Prices of a shop.\n\n/// What an order costs.\npub fn total_price(count: u32) -> u32 {\n    count * unit_price()\n}\n\n\
                    fn unit_price() -> u32 {\n    // <script>alert('total_price')</script> \u{202e}\n    3\n}\n";
const CART: &str = "//! The cart.\n\nuse crate::total_price;\n\npub fn pay(count: u32) -> u32 {\n    total_price(count)\n}\n";
const ORDERS: &str = "import sqlite3\n\n\ndef find(connection, name):\n    return connection.execute(f\"SELECT * FROM orders WHERE name = '{name}'\")\n\n\n\
                      def load(path):\n    try:\n        return open(path).read()\n    except:\n        pass\n";

/// A person with a run of each job, and the folder that they were made in.
fn person_with_runs() -> (Person, Tree) {
    let tree = Tree::of(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n",
        ),
        ("src/lib.rs", SHOP),
        ("src/cart.rs", CART),
        (
            "docs/handbook/limits.md",
            "# Limits\n\nThe default timeout is 30 seconds.\n",
        ),
        (
            "docs/wiki/operations.md",
            "# Operations\n\nThe default timeout is 30 seconds, as everywhere.\n",
        ),
        (
            "docs/notes/old.md",
            "# Old\n\nIn older versions the default timeout is 60 seconds <img src=x onerror=alert(1)>.\n",
        ),
    ]);
    commit_all(tree.root());
    let person = Person::new();
    std::fs::write(tree.path("src/orders.py"), ORDERS).expect("written");
    crate::support::git(tree.root(), &["add", "-A"]);
    let ask = |words: &[&str], code: i32| {
        let run = person.run(tree.root(), words);
        assert_eq!(run.code, Some(code), "{}", run.text());
    };
    ask(&["ask", "explain total_price", "--run-id", "explained"], 0);
    ask(
        &[
            "ask",
            "where is unit_prices defined?",
            "--run-id",
            "refused",
        ],
        3,
    );
    ask(
        &[
            "verify",
            "The default timeout is 60 seconds",
            "--corpus",
            "docs",
            "--run-id",
            "claimed",
        ],
        6,
    );
    ask(&["review", "--run-id", "reviewed"], 7);
    (person, tree)
}

/// A page looked at in four ways: as wide as a desk and as narrow as a hand, light and dark.
pub(crate) fn is_sound(browser: &mut Browser, url: &str, name: &str) {
    let mut papers = Vec::new();
    for (width, scheme) in [
        (1280, "light"),
        (1280, "dark"),
        (360, "light"),
        (360, "dark"),
    ] {
        browser.open(url, width, scheme);
        let overflow = browser.value("document.documentElement.scrollWidth - innerWidth");
        assert!(
            overflow.as_i64().is_some_and(|overflow| overflow <= 0),
            "{name} at {width} is {overflow} too wide"
        );
        papers.push(browser.value("getComputedStyle(document.body).backgroundColor"));
        browser.picture(&format!("{name}-{width}-{scheme}"));
        browser.is_accessible(&format!("{name} at {width}, {scheme}"));
    }
    assert!(
        papers[0] != papers[1] && papers[2] == papers[0],
        "{name}: the style does not count, or there is no dark one: {papers:?}"
    );
    let reached = browser.reached_by_keyboard();
    assert_eq!(
        Some(reached as u64),
        browser.value(FOCUSABLE).as_u64(),
        "{name}: not everything is reached by keyboard"
    );
    is_named(&browser.roles(), name);
    assert!(browser.faults.is_empty(), "{name}: {:?}", browser.faults);
}

/// What a screen reader needs: landmarks, headings in order, names of what can be used.
fn is_named(roles: &[(String, String)], page: &str) {
    let count = |wanted: &str| roles.iter().filter(|(role, _)| role == wanted).count();
    for landmark in ["banner", "main", "contentinfo"] {
        assert_eq!(count(landmark), 1, "{page}: {landmark} in {roles:?}");
    }
    assert_eq!(count("heading 1"), 1, "{page}: {roles:?}");
    let levels: Vec<u32> = roles
        .iter()
        .filter_map(|(role, _)| role.strip_prefix("heading ")?.parse().ok())
        .collect();
    assert!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "{page}: the headings skip a level: {levels:?}"
    );
    let used = [
        "link",
        "button",
        "textbox",
        "searchbox",
        "combobox",
        "navigation",
        "region",
    ];
    let nameless: Vec<_> = roles
        .iter()
        .filter(|(role, name)| used.contains(&role.as_str()) && name.trim().is_empty())
        .collect();
    assert!(nameless.is_empty(), "{page}: {nameless:?}");
    assert!(
        count("navigation") >= 1 && count("region") >= 1,
        "{page}: {roles:?}"
    );
}

#[test]
fn every_page_is_for_everyone() {
    if !has("chromium") || !has("git") {
        return;
    }
    let (person, tree) = person_with_runs();
    let mut browser = Browser::start();
    for (id, says) in [
        (
            "explained",
            &[
                "Answered",
                "Why this is enough",
                "FileSearch",
                "src/lib.rs:4",
            ][..],
        ),
        (
            "refused",
            &["Why there is no answer", "not met", "files searched"],
        ),
        (
            "claimed",
            &[
                "False",
                "Against the claim",
                "The default timeout is 30 seconds.",
                "What was read",
            ],
        ),
        (
            "reviewed",
            &["Blocks", "sql", "src/orders.py:5", "changed lines"],
        ),
    ] {
        let page = tree.path(format!("{id}.html"));
        let written = person.run(
            tree.root(),
            &[
                "show",
                id,
                "--format",
                "html",
                "--out",
                &page.display().to_string(),
            ],
        );
        assert_eq!(written.code, Some(0), "{}", written.text());
        is_sound(&mut browser, &format!("file://{}", page.display()), id);
        let text = browser.value("document.body.innerText").to_string();
        let missing: Vec<&&str> = says
            .iter()
            .filter(|words| !text.contains(**words))
            .collect();
        assert!(missing.is_empty(), "{id} does not say {missing:?}: {text}");
    }
}

#[test]
fn a_checked_text_is_a_page_for_everyone() {
    if !has("chromium") || !has("git") {
        return;
    }
    let tree = Tree::of(&[
        ("src/lib.rs", "pub fn fill_cache() {}\n"),
        (
            "README.md",
            "# Cache\n\n`fill_cache` is defined in `src/lib.rs`.\n\nSee [setup](setup.md) \u{202e} and <script>alert(1)</script>.\n",
        ),
    ]);
    git(tree.root(), &["init", "-q"]);
    let written = run(grounds(tree.root())
        .arg("check")
        .arg(tree.path("README.md"))
        .args(["--format", "html"]));
    assert_eq!(written.code, Some(6), "{}", written.text());
    let page = tree.path("page.html");
    std::fs::write(&page, &written.out).expect("the page is written");
    let mut browser = Browser::start();
    is_sound(
        &mut browser,
        &format!("file://{}", page.display()),
        "checked",
    );
    let text = browser.value("document.body.innerText").to_string();
    for words in [
        "1 claims do not hold",
        "there is no file",
        "setup.md",
        "fill_cache",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let marks = browser.value("document.querySelectorAll('.mark.bad').length");
    assert_eq!(marks.as_u64(), Some(1), "{text}");
}

/// What a run cited, looked at again after its tree went on: one place moved, and one stands.
#[test]
fn a_run_that_is_looked_at_again_is_a_page_for_everyone() {
    if !has("chromium") || !has("git") {
        return;
    }
    let (person, tree) = person_with_runs();
    let cart = format!("// <b>moved</b>\n{CART}");
    std::fs::write(tree.path("src/cart.rs"), cart).expect("written");
    std::fs::remove_file(tree.path("docs/wiki/operations.md")).expect("removed");
    let mut browser = Browser::start();
    for (id, code, says) in [
        (
            "explained",
            3,
            &[
                "places do not stand",
                "Moved",
                "now at",
                "src/cart.rs:7",
                "As it was cited",
                "This run",
            ][..],
        ),
        ("claimed", 3, &["Gone", "do not stand"]),
        ("refused", 5, &["Nothing can be looked at again"]),
    ] {
        let looked = person.run(tree.root(), &["recheck", id, "--format", "html"]);
        assert_eq!(looked.code, Some(code), "{id}: {}", looked.text());
        let page = tree.path(format!("{id}-again.html"));
        std::fs::write(&page, &looked.out).expect("the page is written");
        let name = format!("{id} again");
        is_sound(&mut browser, &format!("file://{}", page.display()), &name);
        let text = browser.value("document.body.innerText").to_string();
        let missing: Vec<&&str> = says
            .iter()
            .filter(|words| !text.contains(**words))
            .collect();
        assert!(missing.is_empty(), "{id} does not say {missing:?}: {text}");
    }
}

/// `grounds serve`, ended when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    fn start(person: &Person, folder: &Path) -> Self {
        Self::called(&mut person.calls(folder))
    }

    /// The program, called so.
    pub(crate) fn called(program: &mut Command) -> Self {
        let mut child = program
            .args(["serve", "--quiet"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("output"))
            .read_line(&mut line)
            .expect("an address");
        Self {
            child,
            address: line.trim().to_owned(),
        }
    }

    /// The host with its port, and the path with the token.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.address
            .trim_start_matches("http://")
            .split_once('/')
            .expect("a path")
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it says to some bytes.
    pub(crate) fn says(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.parts().0).expect("it listens");
        stream
            .set_read_timeout(Some(std::time::Duration::from_secs(20)))
            .expect("a time-out");
        stream.write_all(request.as_bytes()).expect("written");
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_served_list_finds_runs_and_leads_to_them() {
    if !has("chromium") || !has("git") {
        return;
    }
    let (person, tree) = person_with_runs();
    let server = Server::start(&person, tree.root());
    let mut browser = Browser::start();
    is_sound(&mut browser, &server.address, "served");
    let listed = "[...document.querySelectorAll('.runs a')].map((link) => link.textContent)";
    assert_eq!(browser.value(listed).as_array().map(Vec::len), Some(4));
    browser.value("document.querySelector('input').value = 'total_price'; document.querySelector('form').requestSubmit(); 0");
    let start = std::time::Instant::now();
    while browser
        .value_while_leaving("location.search")
        .as_str()
        .unwrap_or_default()
        .is_empty()
        && start.elapsed().as_secs() < 20
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    browser.open(
        &format!("{}?q=total_price&kind=ask", server.address),
        1280,
        "light",
    );
    assert_eq!(
        browser.value(listed),
        serde_json::json!(["explain total_price"])
    );
    let run = browser.value("document.querySelector('.runs a').href");
    is_sound(
        &mut browser,
        run.as_str().expect("an address"),
        "served-run",
    );
    let back = browser.value("document.querySelector('header a').href");
    assert_eq!(back, server.address, "the way back");
}

#[test]
fn strangers_get_nothing_from_the_server() {
    let (person, tree) = (
        Person::new(),
        Tree::of(&[("a.rs", "pub fn remarkable() {}\n")]),
    );
    person.run(tree.root(), &["ask", "where is remarkable defined?"]);
    let server = Server::start(&person, tree.root());
    let (host, path) = server.parts();
    let check = |request: &str, status: &str| {
        let said = server.says(request);
        assert!(
            said.starts_with(&format!("HTTP/1.1 {status}")),
            "{request:?}: {said}"
        );
        assert_eq!(
            said.contains("remarkable"),
            status == "200",
            "{request:?}: {said}"
        );
        assert!(!said.to_lowercase().contains("access-control"), "{said}");
        said
    };
    let told = check(
        &format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        "200",
    )
    .to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
    ] {
        assert!(told.contains(header), "{header}: {told}");
    }
    check(
        &format!("GET /{path} HTTP/1.1\r\nHost: evil.example.org\r\n\r\n"),
        "421",
    );
    check(
        &format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example.org\r\n\r\n"),
        "421",
    );
    check(
        &format!("GET http://evil.example.org/{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        "421",
    );
    check(&format!("GET /{path} HTTP/1.0\r\n\r\n"), "421");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"] {
        let said = server.says(&format!(
            "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"
        ));
        assert!(said.starts_with("HTTP/1.1 405"), "{method}: {said}");
    }
    for wrong in [
        "",
        "x/",
        &path.replace(|letter: char| letter.is_ascii_digit(), "x"),
        &path[1..],
    ] {
        check(
            &format!("GET /{wrong} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        );
    }
    check(
        &format!("GET /{path}runs/../../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        "404",
    );
    check(
        &format!("GET /{path}runs/%27%3B-- HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        "404",
    );
    let odd = server.says(&format!(
        "GET /{path}?q=%3Cscript%3E%25&skip=999999999999&kind=x HTTP/1.1\r\nHost: {host}\r\n\r\n"
    ));
    assert!(
        odd.starts_with("HTTP/1.1 200") && odd.contains("No run fits") && !odd.contains("<script"),
        "{odd}"
    );
    let said = server.says(&format!(
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n",
        "x".repeat(40_000)
    ));
    assert!(!said.starts_with("HTTP/1.1 200"), "{said}");
    let listening: std::net::SocketAddr = host.parse().expect("an address");
    assert!(listening.ip().is_loopback());
}

#[test]
fn clients_that_say_nothing_keep_nobody_waiting() {
    let (person, tree) = (
        Person::new(),
        Tree::of(&[("a.rs", "pub fn remarkable() {}\n")]),
    );
    person.run(tree.root(), &["ask", "where is remarkable defined?"]);
    let server = Server::start(&person, tree.root());
    let (host, path) = server.parts();
    let silent = |_| {
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.write_all(b"GET / HT").expect("written");
        stream
    };
    let _waiting: Vec<TcpStream> = (0..200).map(silent).collect();
    let start = std::time::Instant::now();
    for _ in 0..5 {
        let said = server.says(&format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    }
    assert!(start.elapsed().as_secs() < 4, "{:?}", start.elapsed());
}

/// Who says nothing, or says it slowly, keeps nobody waiting.
#[test]
fn slow_connections_keep_nobody_from_the_pages() {
    let (person, tree) = (Person::new(), Tree::new());
    let server = Server::start(&person, tree.root());
    let (host, path) = server.parts();
    for (count, said) in [
        (500, "GET / HTTP/1.1\r\nHost: a\r\n"),
        (60, "GET"),
        (500, ""),
    ] {
        let held: Vec<TcpStream> = (0..count)
            .map(|_| {
                let mut stream = TcpStream::connect(host).expect("a connection");
                // It may have given way already.
                let _ = stream.write_all(said.as_bytes());
                stream
            })
            .collect();
        let start = std::time::Instant::now();
        let answer = server.says(&format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        let took = start.elapsed();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(took.as_secs() < 3, "{count} connections: {took:?}");
        eprintln!(
            "next request beside {} slow connections: {took:?}",
            held.len()
        );
    }
}
