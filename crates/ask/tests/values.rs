//! Questions of `values.md` over a small tree with a history: what their answers show, or that nothing is answered.

use std::path::Path;
use std::process::Command;

use grounds_ask::{Investigation, QuestionBudget, investigate, understand};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

/// Each file with its author and day.
const TREE: &[(&str, &str, &str, &str)] = &[
    (
        "src/uploads.py",
        "Ada Oak",
        "2021-03-04",
        "\"\"\"Uploads.\"\"\"\n\nPART_BYTES = 4096\n\n\nclass FileField:\n\
         \x20   # How often a failed upload is tried again.\n    attempts = 7\n    _suffix = \".part\"\n\n\
         \x20   def __init__(self, folder=\"inbox\", depth=3):\n        self.folder = folder\n\n\n\
         class ImageField:\n    attempts = 2\n",
    ),
    (
        "src/thumb_store.py",
        "Ben Elm",
        "2021-03-05",
        "from uploads import ImageField\n\n\ndef thumb():\n    return ImageField()\n",
    ),
    (
        "src/server.js",
        "Ben Elm",
        "2022-05-06",
        "const app = create();\napp.set('view cache', false);\napp.set('cookie name', 'sid');\n\
         const defaults = {\n  keepAlive: 15,\n  retry: {\n    limit: 4,\n  },\n};\n\
         const verbs = ['get', 'put', 'head'];\nfunction accept(socket) {\n  deny(socket);\n  deny(socket);\n\
         }\nfunction deny(socket) {}\n",
    ),
    (
        "src/codes.rs",
        "Cleo Fir",
        "2023-07-08",
        "pub enum Verdict {\n    Fine,\n    Interrupted,\n}\n\nimpl From<Verdict> for i32 {\n\
         \x20   fn from(verdict: Verdict) -> Self {\n        match verdict {\n\
         \x20           Verdict::Fine => 0,\n            Verdict::Interrupted => 130,\n        }\n    }\n}\n\
         \nimpl Verdict {\n    pub fn is_fine(&self) -> bool {\n        true\n    }\n\
         \x20   fn hidden(&self) {}\n}\n\npub const WORKERS_MAX: usize = 64;\n\
         const FALLBACK_WIDTH: usize = 72;\n",
    ),
    (
        "src/sorting.go",
        "Dan Ash",
        "2024-09-10",
        "package shop\n\nconst defaultSorting = true\n\n// EnableSorting says whether names are sorted.\n\
         var EnableSorting = defaultSorting\n",
    ),
    (
        "shop/errors.go",
        "Dan Ash",
        "2024-09-10",
        "package shop\n\ntype LoadError struct {\n\terr error\n}\n\nfunc (e LoadError) Error() string {\n\
         \treturn e.err.Error()\n}\n\nfunc load(err error) error {\n\treturn LoadError{err}\n}\n\n\
         type Phase uint8\n\nconst (\n\tOpening Phase = iota // first\n\tOpen\n\t_\n\tShut\n)\n\n\
         const limit = 3\n",
    ),
    // The grammar gives up in the class.
    (
        "src/Scanner.kt",
        "Ada Oak",
        "2021-03-05",
        "package a\n\npublic sealed class Scanner : Closeable {\n  context(_: Logger, b: B)\n\
         \x20 public val <T> T.loud: T where T : Any = this\n\n\
         \x20 public fun <T : Any> of(x: T & Any): T! = x as T\n\n\
         \x20 public enum class Lexeme {\n    OPEN,\n    SHUT,\n  }\n}\n",
    ),
    (
        "src/settings.py",
        "Ada Oak",
        "2021-03-05",
        "class Loaders(Setting):\n    name = \"loaders\"\n    flags = [\"--loaders\"]\n\
         \x20   default = int(environ.get(\"DEPOT_LOADERS\", 3))\n\
         \x20   help = \"\"\"The number of processes that load crates.\"\"\"\n\n\n\
         class GraceTime(Setting):\n    name = \"grace_time\"\n    default = 25\n\
         \x20   help = \"\"\"Seconds that open sockets have to finish.\"\"\"\n\n\n\
         def load(crate):\n    start_loading(\n        crate,\n        start_serving=True,\n    )\n\
         \x20   greeting = \"hello\"\n    return greeting\n",
    ),
    (
        "src/options.ts",
        "Ben Elm",
        "2022-05-07",
        "export interface Options {\n  patience?: Milliseconds;\n  brightness?: number;\n}\n\n\
         export const defaults = {\n  patience: 0,\n  agent: `Depot/${version}`,\n};\n\n\
         function dim(options: Options) {\n  const brightness = parseInt(options.brightness, 10);\n}\n",
    ),
    (
        "src/Levels.cs",
        "Cleo Fir",
        "2023-07-10",
        "class Levels\n{\n    Level _lowestLevel = Level.Calm;\n\n    void Reset(out Level lowestLevel)\n    {\n\
         \x20       lowestLevel = Level.Loud;\n    }\n}\n",
    ),
    (
        "depot_core/Cargo.toml",
        "Cleo Fir",
        "2023-07-09",
        "[package]\nname = \"depot_core\"\n\n[features]\ndefault = [\"alloc\"]\nalloc = []\n",
    ),
    (
        "depot_cli/Cargo.toml",
        "Cleo Fir",
        "2023-07-09",
        "[package]\nname = \"depot_cli\"\n\n[dependencies]\n\
         depot_core = { version = \"=1.0.2\", default-features = false, features = [\"x\"] }\n",
    ),
    (
        "Cargo.toml",
        "Cleo Fir",
        "2023-07-09",
        "[package]\nname = \"depot\"\nversion = \"0.4.2\"\nrust-version = \"1.77\"\nlicense = \"MIT\"\n\n\
         [features]\ndefault = [\"color\"]\n",
    ),
];

fn git(folder: &Path, who: &str, day: &str, arguments: &[&str]) {
    let date = format!("{day}T12:00:00Z");
    let done = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .env("GIT_AUTHOR_NAME", who)
        .env("GIT_AUTHOR_EMAIL", "a@example.org")
        .env("GIT_COMMITTER_NAME", who)
        .env("GIT_COMMITTER_EMAIL", "a@example.org")
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_DATE", &date)
        .output()
        .expect("git runs");
    assert!(done.status.success(), "{done:?}");
}

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), "Ada Oak", "2021-03-04", &["init", "--quiet"]);
    for (path, who, day, text) in TREE {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        std::fs::write(file, text).expect("a file");
        git(folder.path(), who, day, &["add", "."]);
        git(
            folder.path(),
            who,
            day,
            &["commit", "--quiet", "-m", "Add a part"],
        );
    }
    folder
}

fn ask(question: &str, checkout: &Checkout) -> Investigation {
    investigate(
        understand(question).expect("a question"),
        checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &Means::default(),
        &Progress::default(),
        &|_| {},
    )
}

#[test]
fn every_question_is_answered_with_its_value_or_not_at_all() {
    let folder = tree();
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    let page = include_str!("values.md");
    let mut wrong = Vec::new();
    for (question, expected) in page.lines().filter_map(|line| line.split_once(" => ")) {
        let seen = ask(question, &checkout);
        let is_answered = seen.outcome == Outcome::Answered;
        let shown = format!("{:?}", seen.answer);
        let fits = match expected {
            "?" => !is_answered,
            texts => is_answered && texts.split(" | ").all(|text| shown.contains(text)),
        };
        if !fits {
            wrong.push(format!(
                "{question}\n  not {expected}: {:?} {shown}",
                seen.outcome
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
