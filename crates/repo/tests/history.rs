//! The history of small repositories made for the test: what is found, what a
//! clone cannot show, and what a hostile repository must not be able to do.

use std::path::Path;
use std::process::{Command, Stdio};

use grounds_evidence::{QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::bench::Bench;
use grounds_repo::checkout::Checkout;
use grounds_repo::enquiry::Enquiry;
use grounds_repo::history::{self, Findings, HistoryAspect, HistoryQuestion, What};
use grounds_repo::limits::Limits;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;
use grounds_repo::tool::ToolError;

/// A work tree that goes away after the test.
struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    fn new() -> Self {
        let repo = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        repo.git("2020-01-01", "A", &["init", "-q", "-b", "main"]);
        repo
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, content).expect("a file");
        self
    }

    #[track_caller]
    fn git(&self, day: &str, author: &str, words: &[&str]) {
        git_in(self.root(), day, author, words);
    }

    /// A commit of everything, on a day, by an author.
    #[track_caller]
    fn commit(&self, day: &str, author: &str, message: &str) -> &Self {
        self.git(day, author, &["add", "-A"]);
        self.git(
            day,
            author,
            &["commit", "-q", "--allow-empty", "-m", message],
        );
        self
    }

    fn tell(
        &self,
        aspect: HistoryAspect,
        targets: &[(&str, TargetKind)],
    ) -> Result<Findings, ToolError> {
        tell_in(
            self.root(),
            HistoryQuestion {
                aspect,
                ..HistoryQuestion::default()
            },
            targets,
        )
    }

    #[track_caller]
    fn one(&self, aspect: HistoryAspect, name: &str, kind: TargetKind) -> What {
        self.tell(aspect, &[(name, kind)])
            .expect("an answer")
            .told
            .remove(0)
            .what
    }
}

#[track_caller]
fn git_in(folder: &Path, day: &str, author: &str, words: &[&str]) {
    let date = format!("{day}T10:00:00Z");
    let mut command = Command::new("git");
    command
        .args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(words)
        .current_dir(folder);
    command.envs([
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ]);
    command.envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)]);
    command.envs([("GIT_AUTHOR_NAME", author), ("GIT_COMMITTER_NAME", author)]);
    command.envs([
        ("GIT_AUTHOR_EMAIL", "x@example.org"),
        ("GIT_COMMITTER_EMAIL", "x@example.org"),
    ]);
    let done = command.output().expect("git runs");
    assert!(
        done.status.success(),
        "git {words:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn tell_in(
    root: &Path,
    history: HistoryQuestion,
    targets: &[(&str, TargetKind)],
) -> Result<Findings, ToolError> {
    let target = |(text, kind): &(&str, TargetKind)| QuestionTarget {
        text: (*text).to_owned(),
        kind: *kind,
        wanted: WantedRelation::Occurrence,
    };
    let enquiry = Enquiry {
        targets: targets.iter().map(target).collect(),
        history,
        ..Enquiry::default()
    };
    let checkout = Checkout::open(root).expect("a folder");
    let (limits, means, progress) = (Limits::default(), Means::default(), Progress::default());
    let mut bench = Bench::new(&checkout, &limits, &enquiry, &means, &progress);
    (*bench.history()).clone()
}

/// Whether git is there; without it a test says that it was skipped, and fails under CI.
fn has_git() -> bool {
    let there = Command::new("git")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "`git` is needed here"
    );
    if !there {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: there is no `git`");
        }
    }
    there
}

const NAME: TargetKind = TargetKind::Identifier;
use HistoryAspect as A;

/// A name that comes in, is used, moves to another file, and one that goes.
fn story() -> Repo {
    let repo = Repo::new();
    repo.file("README", "a shop\n")
        .commit("2021-01-01", "Ann", "begin");
    repo.file("a.py", "def reopen():\n    pass\n")
        .commit("2021-01-02", "Ann", "reopen");
    repo.file(
        "a.py",
        "def reopen():\n    pass\n\n\ndef open():\n    return 1\n",
    )
    .commit("2021-01-03", "Bob", "open");
    repo.git("2021-01-04", "Bob", &["tag", "v1.0"]);
    repo.file("c.py", "def goes():\n    pass\n")
        .commit("2021-01-05", "Ann", "goes");
    repo.file("a.py", "def reopen():\n    pass\n")
        .file("b.py", "def open():\n    return 1\n")
        .commit("2021-01-06", "Cid", "move open");
    std::fs::remove_file(repo.root().join("c.py")).expect("it is removed");
    repo.commit("2021-01-07", "Cid", "went");
    repo.git("2021-01-08", "Cid", &["tag", "-a", "-m", "second", "v1.1"]);
    repo.file("b.py", "def open():\n    return 2\n")
        .commit("2021-02-01", "Ann", "open: two");
    repo
}

#[test]
fn a_name_came_in_with_the_first_commit_that_has_it_as_a_whole_word() {
    if !has_git() {
        return;
    }
    let What::Introduced(found) = story().one(A::Introduced, "open", NAME) else {
        panic!("it was found")
    };
    assert_eq!(
        (
            found.commit.day(),
            found.commit.author.as_str(),
            found.path.as_str()
        ),
        ("2021-01-03", "Bob", "a.py")
    );
    assert_eq!(found.tag.map(|tag| tag.name).as_deref(), Some("v1.0"));
    let home = found.home.expect("it moved");
    assert_eq!(
        (home.path.as_str(), home.from.as_deref(), home.commit.day()),
        ("b.py", Some("a.py"), "2021-01-06")
    );
}

#[test]
fn a_name_went_with_the_commit_after_which_it_is_nowhere() {
    if !has_git() {
        return;
    }
    let repo = story();
    let What::Removed(found) = repo.one(A::Removed, "goes", NAME) else {
        panic!("it was found")
    };
    assert_eq!(
        (found.commit.subject.as_str(), found.path.as_str()),
        ("went", "c.py")
    );
    assert_eq!(found.tag.map(|tag| tag.name).as_deref(), Some("v1.1"));
    assert_eq!(repo.one(A::Removed, "open", NAME), What::StillThere);
    let What::Removed(found) = repo.one(A::Removed, "c.py", TargetKind::Path) else {
        panic!("it was found")
    };
    assert_eq!(found.commit.subject, "went");
}

#[test]
fn what_no_commit_has_is_nothing() {
    if !has_git() {
        return;
    }
    let repo = story();
    for aspect in [
        A::Introduced,
        A::Removed,
        A::Newest,
        A::LastChanged,
        A::Authors,
    ] {
        assert_eq!(
            repo.one(aspect, "xqkz_nonexistent", NAME),
            What::Nothing,
            "{}",
            aspect.as_str()
        );
        assert_eq!(
            repo.one(aspect, "evidence gating", TargetKind::Phrase),
            What::Nothing,
            "{}",
            aspect.as_str()
        );
        assert_eq!(
            repo.one(aspect, "no/such.py", TargetKind::Path),
            What::Nothing,
            "{}",
            aspect.as_str()
        );
        assert_eq!(
            repo.one(aspect, "../outside", TargetKind::Path),
            What::Nothing,
            "{}",
            aspect.as_str()
        );
    }
}

#[test]
fn the_last_change_of_a_name_is_that_of_its_own_lines() {
    if !has_git() {
        return;
    }
    let repo = story();
    let What::LastChanged { places, .. } = repo.one(A::LastChanged, "open", NAME) else {
        panic!("it was found")
    };
    assert_eq!(places[0].1.commits[0].subject, "open: two");
    let What::AuthorsOfLines { authors, .. } = repo.one(A::Authors, "open", NAME) else {
        panic!("it was found")
    };
    let shares: Vec<(&str, u64)> = authors
        .shares
        .iter()
        .map(|share| (share.author.as_str(), share.lines))
        .collect();
    assert_eq!(shares, [("Ann", 1), ("Cid", 1)]);
    // Lines above that are not committed move it down and change nothing.
    repo.file("b.py", "# new\n# new\ndef open():\n    return 2\n");
    let What::LastChanged { places, .. } = repo.one(A::LastChanged, "open", NAME) else {
        panic!("it was found")
    };
    assert_eq!(
        (
            places[0].0.line_start,
            places[0].1.commits[0].subject.as_str()
        ),
        (3, "open: two")
    );
    repo.file("d.py", "def brand_new():\n    pass\n");
    for aspect in [A::LastChanged, A::Authors, A::Introduced] {
        assert!(
            matches!(repo.one(aspect, "brand_new", NAME), What::Uncommitted(_)),
            "{}",
            aspect.as_str()
        );
    }
}

#[test]
fn the_lines_of_a_constructor_count_once() {
    if !has_git() {
        return;
    }
    let repo = Repo::new();
    let class = "class Cart {\n  final int max;\n  Cart(int max) {\n    this.max = max;\n  }\n}\n";
    repo.file("Cart.java", class)
        .file("Shop.java", "class Shop {\n  void Cart() {}\n}\n")
        .commit("2021-01-01", "Ann", "carts");
    let What::AuthorsOfLines { places, authors } = repo.one(A::Authors, "Cart", NAME) else {
        panic!("it was found")
    };
    assert_eq!((places.len(), authors.lines), (2, 7));
}

#[test]
fn names_and_revisions_of_form_only_are_taken_from_plain_files() {
    if !has_git() {
        return;
    }
    let repo = story();
    repo.file("b.py", "def open() :\n    return  2\n")
        .commit("2021-02-02", "Formatter", "format");
    let head = String::from_utf8(
        Command::new("git")
            .args(["rev-parse", "HEAD"])
            .current_dir(repo.root())
            .output()
            .expect("git")
            .stdout,
    );
    repo.file(
        ".git-blame-ignore-revs",
        format!("# form\n{}", head.expect("a hash")),
    );
    repo.file(
        ".mailmap",
        "Ann Other <x@example.org> Ann <x@example.org>\n",
    );
    let What::AuthorsOfLines { authors, .. } = repo.one(A::Authors, "open", NAME) else {
        panic!("it was found")
    };
    let names: Vec<&str> = authors
        .shares
        .iter()
        .map(|share| share.author.as_str())
        .collect();
    assert!(
        names.contains(&"Ann Other") && !names.contains(&"Formatter") && authors.without_form,
        "{names:?}"
    );
    repo.file(".git-blame-ignore-revs", "--output=/nowhere\n");
    let What::AuthorsOfLines { authors, .. } = repo.one(A::Authors, "open", NAME) else {
        panic!("it was found")
    };
    assert!(!authors.without_form);
}

#[test]
fn a_range_goes_from_tag_or_day_to_tag_or_day() {
    if !has_git() {
        return;
    }
    let repo = story();
    let ask = |since: &str, until: Option<&str>| {
        let question = HistoryQuestion {
            aspect: A::Changes,
            since: Some(since.to_owned()),
            until: until.map(str::to_owned),
            author: None,
        };
        let mut found = tell_in(repo.root(), question, &[]).expect("an answer");
        let What::Changes { commits, files } = found.told.remove(0).what else {
            panic!("a range")
        };
        (
            commits.count,
            files
                .expect("files")
                .files
                .into_iter()
                .map(|file| file.path)
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        ask("v1.0", Some("v1.1")),
        (3, vec!["a.py".to_owned(), "b.py".to_owned()])
    );
    assert_eq!(ask("1.1", None), (1, vec!["b.py".to_owned()]));
    assert_eq!(ask("2021-02-01", None).0, 1);
    assert_eq!(ask("2021-01", Some("2021-01")).0, 6);
    for since in [
        "v9.9",
        "--all",
        "--output=x",
        "HEAD..main",
        "the refactoring",
        "@{u}",
    ] {
        let question = HistoryQuestion {
            aspect: A::Changes,
            since: Some(since.to_owned()),
            ..HistoryQuestion::default()
        };
        assert!(
            matches!(
                tell_in(repo.root(), question, &[]),
                Err(ToolError {
                    is_broken: false,
                    ..
                })
            ),
            "{since}"
        );
    }
    assert!(!repo.root().join("x").exists());
}

#[test]
fn authors_are_whole_words() {
    if !has_git() {
        return;
    }
    let repo = story();
    let by = |author: &str| {
        let question = HistoryQuestion {
            author: Some(author.to_owned()),
            ..HistoryQuestion::default()
        };
        match tell_in(repo.root(), question, &[])
            .expect("an answer")
            .told
            .remove(0)
            .what
        {
            What::Commits(listed) => listed.count,
            other => u64::from(other != What::Nothing),
        }
    };
    assert_eq!(
        [by("ann"), by("Bob"), by("an"), by(".*"), by("--all")],
        [4, 1, 0, 0, 0]
    );
}

// It has a file with a name that no file of Windows can have.
#[cfg(unix)]
#[test]
fn the_work_tree_is_told_by_what_was_done_to_it() {
    if !has_git() {
        return;
    }
    let repo = story();
    let tree = || match repo
        .tell(A::WorkTree, &[])
        .expect("an answer")
        .told
        .remove(0)
        .what
    {
        What::WorkTree(tree) => tree,
        other => panic!("{other:?}"),
    };
    assert!(tree().is_clean());
    repo.file("a.py", "def reopen():\n    return 0\n")
        .file("new.py", "")
        .file("-n\new\u{1b}[31m.py", "");
    repo.git("2021-03-01", "Ann", &["mv", "b.py", "moved.py"]);
    let tree = tree();
    assert_eq!(
        (tree.staged.count, tree.unstaged.count, tree.untracked_count),
        (1, 1, 2)
    );
    assert_eq!(tree.staged.files[0].renamed_from.as_deref(), Some("b.py"));
    assert_eq!(tree.branch.name.as_deref(), Some("main"));
    assert!(tree.untracked.contains(&"-n\new\u{1b}[31m.py".to_owned()));
}

#[test]
fn a_merge_that_stopped_shows_its_conflicts() {
    if !has_git() {
        return;
    }
    let repo = story();
    repo.git(
        "2021-03-01",
        "Ann",
        &["checkout", "-q", "-b", "side", "HEAD~1"],
    );
    repo.file("b.py", "def open():\n    return 3\n")
        .commit("2021-03-01", "Ann", "three");
    let mut merge = Command::new("git");
    merge
        .args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "merge",
            "main",
        ])
        .current_dir(repo.root());
    let _ = merge.output().expect("git runs");
    let What::WorkTree(tree) = repo
        .tell(A::WorkTree, &[])
        .expect("an answer")
        .told
        .remove(0)
        .what
    else {
        panic!("a work tree")
    };
    assert_eq!(tree.conflicted, ["b.py"]);
}

#[test]
fn branches_and_tags_named_like_options_are_names() {
    if !has_git() {
        return;
    }
    let repo = story();
    for name in ["refs/tags/--all", "refs/heads/--output=x", "refs/tags/-n1"] {
        repo.git("2021-03-01", "Ann", &["update-ref", name, "HEAD"]);
    }
    repo.git("2021-03-01", "Ann", &["checkout", "-q", "--detach"]);
    let What::Branch(branch) = repo
        .tell(A::Branch, &[])
        .expect("an answer")
        .told
        .remove(0)
        .what
    else {
        panic!("a branch")
    };
    assert_eq!((branch.name, branch.others_count), (None, 2));
    let What::Tags(tags) = repo
        .tell(A::Tags, &[])
        .expect("an answer")
        .told
        .remove(0)
        .what
    else {
        panic!("tags")
    };
    assert_eq!(tags.count, 4);
    assert!(!repo.root().join("x").exists());
}

// A clone needs a shell.
#[cfg(unix)]
#[test]
fn what_is_older_than_a_shallow_clone_is_not_told_as_new() {
    if !has_git() {
        return;
    }
    let (repo, other) = (story(), tempfile::tempdir().expect("a folder"));
    let from = format!("file://{}", repo.root().display());
    git_in(
        other.path(),
        "2021-03-01",
        "Ann",
        &["clone", "-q", "--depth", "2", &from, "clone"],
    );
    let clone = other.path().join("clone");
    let ask = |aspect, name, kind| {
        tell_in(
            &clone,
            HistoryQuestion {
                aspect,
                ..HistoryQuestion::default()
            },
            &[(name, kind)],
        )
    };
    let refused = |told: Result<Findings, ToolError>| match told {
        Err(ToolError {
            is_broken: false,
            why,
            ..
        }) => why,
        other => panic!("{other:?}"),
    };
    assert!(
        refused(ask(A::Introduced, "open", NAME)).contains("older history is not in this clone")
    );
    assert!(
        refused(ask(A::Introduced, "a.py", TargetKind::Path))
            .contains("older history is not in this clone")
    );
    assert!(
        refused(ask(A::LastChanged, "reopen", NAME)).contains("older history is not in this clone")
    );
    assert!(
        refused(ask(A::Introduced, "xqkz_nonexistent", NAME))
            .contains("older history is not in this clone")
    );
    let found = ask(A::LastChanged, "open", NAME).expect("what is newer is known");
    assert!(matches!(found.told[0].what, What::LastChanged { .. }) && !found.unseen.is_empty());
}

/// Removes the object of a file as a commit has it.
fn lose(repo: &Repo, version: &str) {
    let named = Command::new("git")
        .args(["rev-parse", version])
        .current_dir(repo.root())
        .output();
    let named = String::from_utf8(named.expect("git runs").stdout).expect("a name");
    let (folder, name) = named.trim().split_at(2);
    let object = repo.root().join(".git/objects").join(folder).join(name);
    // Git makes it read-only, and Windows removes no such file.
    std::fs::rename(&object, object.with_extension("lost")).expect("a loose object");
}

#[test]
fn a_lost_version_hides_the_history_of_names_only_where_it_is_code() {
    if !has_git() {
        return;
    }
    for (lost, is_told) in [("blob.csv", true), ("other.py", false)] {
        let repo = Repo::new();
        repo.file(lost, "first = 1\n");
        repo.commit("2021-01-01", "Ann", "one");
        repo.file(lost, "second = 2\n");
        repo.commit("2021-01-02", "Bob", "two");
        repo.file("a.py", "def open_door():\n    pass\n");
        repo.commit("2021-01-03", "Cy", "three");
        repo.file("b.py", "from a import open_door\nopen_door()\n");
        repo.commit("2021-01-04", "Dee", "four");
        lose(&repo, &format!("HEAD~3:{lost}"));
        let found = repo.tell(A::Introduced, &[("open_door", NAME)]);
        let told = found.as_ref().map(|found| {
            let What::Introduced(it) = &found.told[0].what else {
                panic!("{found:?}")
            };
            (it.commit.author.as_str(), found.unseen.len())
        });
        match is_told {
            true => assert_eq!(told, Ok(("Cy", 1))),
            false => assert!(told.is_err_and(|error| !error.is_broken)),
        }
    }
}

#[test]
fn replaced_commits_are_told_and_not_followed() {
    if !has_git() {
        return;
    }
    let repo = story();
    repo.git("2021-03-01", "Ann", &["replace", "HEAD", "HEAD~1"]);
    let found = repo.tell(A::Newest, &[]).expect("an answer");
    let What::Commits(listed) = &found.told[0].what else {
        panic!("commits")
    };
    assert_eq!(
        (listed.commits[0].subject.as_str(), found.unseen.len()),
        ("open: two", 1)
    );
}

#[test]
fn before_the_first_commit_there_is_no_history() {
    if !has_git() {
        return;
    }
    let repo = Repo::new();
    repo.file("a.py", "");
    assert!(matches!(
        repo.tell(A::Newest, &[]),
        Err(ToolError {
            is_broken: false,
            ..
        })
    ));
    let What::WorkTree(tree) = repo
        .tell(A::WorkTree, &[])
        .expect("an answer")
        .told
        .remove(0)
        .what
    else {
        panic!("a work tree")
    };
    assert_eq!(tree.untracked, ["a.py"]);
}

#[test]
fn a_work_tree_of_another_repository_has_its_history() {
    if !has_git() {
        return;
    }
    let repo = story();
    let further = repo.root().join("further");
    repo.git(
        "2021-03-01",
        "Ann",
        &["worktree", "add", "-q", "further", "v1.0"],
    );
    let found = tell_in(&further, HistoryQuestion::default(), &[]).expect("an answer");
    let What::Commits(listed) = &found.told[0].what else {
        panic!("commits")
    };
    assert_eq!(listed.commits[0].subject, "open");
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_configures_is_run() {
    if !has_git() {
        return;
    }
    let repo = story();
    let trap = repo.root().join("trap");
    let sprung = repo.root().join(".git/sprung");
    std::fs::write(
        &trap,
        format!("#!/bin/sh\ntouch '{}'\ncat\n", sprung.display()),
    )
    .expect("a file");
    std::fs::set_permissions(&trap, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("permissions");
    let trap = trap.display().to_string();
    repo.file(
        ".gitattributes",
        "*.py diff=evil filter=evil\n*.md filter=e.v=il\n",
    )
    .file("x.md", "x\n");
    repo.commit("2021-03-01", "Ann", "attributes");
    let settings = [
        "core.fsmonitor",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.sshCommand",
        "gpg.program",
        "core.pager",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "alias.log",
        "core.editor",
        "credential.helper",
        "core.askPass",
    ];
    for name in settings {
        repo.git("2021-03-01", "Ann", &["config", name, &trap]);
    }
    repo.file("hooks/post-index-change", "");
    std::fs::copy(&trap, repo.root().join("hooks/post-index-change")).expect("the trap");
    for (name, value) in [
        ("log.showSignature", "true"),
        ("core.hooksPath", "hooks"),
        ("core.worktree", "/"),
    ] {
        repo.git("2021-03-01", "Ann", &["config", name, value]);
    }
    repo.file(
        "included",
        format!("[filter \"other\"]\n\tclean = {trap}\n"),
    );
    let include = repo.root().join("included").display().to_string();
    repo.git("2021-03-01", "Ann", &["config", "include.path", &include]);
    let _ = std::fs::remove_file(&sprung);
    repo.file("b.py", "def open():\n    return 4\n");
    for aspect in [
        A::Newest,
        A::Introduced,
        A::Removed,
        A::LastChanged,
        A::Changes,
        A::WorkTree,
        A::Branch,
        A::Tags,
        A::Authors,
    ] {
        for targets in [
            &[][..],
            &[("open", NAME)],
            &[("b.py", TargetKind::Path)],
            &[("goes", NAME)],
        ] {
            let _ = repo.tell(aspect, targets);
            assert!(
                !sprung.exists(),
                "{} of {targets:?} ran a program",
                aspect.as_str()
            );
        }
    }
    let What::WorkTree(tree) = repo
        .tell(A::WorkTree, &[])
        .expect("an answer")
        .told
        .remove(0)
        .what
    else {
        panic!("a work tree")
    };
    assert!(
        tree.unsure && tree.unstaged.files.iter().any(|file| file.path == "b.py"),
        "{tree:?}"
    );
    repo.git("2021-03-01", "Ann", &["config", "filter.e=v.clean", &trap]);
    // Git cannot be told by a parameter to leave out a program of such a name. It never sees that there is one.
    assert!(repo.tell(A::WorkTree, &[]).is_ok());
    let _ = repo.tell(A::Authors, &[("open", NAME)]);
    assert!(history::churn(repo.root(), &[]).is_ok() && !sprung.exists());
    // The trap is one: git as everyone calls it springs it.
    let _ = Command::new("git")
        .arg("status")
        .current_dir(repo.root())
        .env("GIT_WORK_TREE", repo.root())
        .output();
    assert!(sprung.exists());
}

#[test]
fn no_text_of_a_commit_is_taken_for_another_field() {
    if !has_git() {
        return;
    }
    let repo = story();
    let raw = |header: &str, message: &[u8]| {
        let tree = Command::new("git")
            .args(["rev-parse", "HEAD^{tree}"])
            .current_dir(repo.root())
            .output()
            .expect("git")
            .stdout;
        let tree = String::from_utf8(tree).expect("a hash");
        let head = Command::new("git")
            .args(["rev-parse", "HEAD"])
            .current_dir(repo.root())
            .output()
            .expect("git")
            .stdout;
        let head = String::from_utf8(head).expect("a hash");
        let person = format!("{header} <e\u{1}vil@example.org> 1614600000 +0000");
        let mut object =
            format!("tree {tree}parent {head}author {person}\ncommitter {person}\n\n").into_bytes();
        object.extend_from_slice(message);
        std::fs::write(repo.root().join(".git/object"), object).expect("a file");
        let words = [
            "hash-object",
            "-t",
            "commit",
            "-w",
            "--literally",
            ".git/object",
        ];
        let hash = Command::new("git")
            .args(words)
            .current_dir(repo.root())
            .output()
            .expect("git")
            .stdout;
        repo.git(
            "2021-03-02",
            "Ann",
            &[
                "update-ref",
                "HEAD",
                String::from_utf8(hash).expect("a hash").trim(),
            ],
        );
    };
    raw(
        "\u{1}\u{1f}Eve\u{1e}\u{1b}[31m",
        b"\x01\x1fsubject\x1e\xff\xfe\x1b[31m\n\nbody\n",
    );
    raw("Eve", &[b"nul\0after".as_slice(), b"\n"].concat());
    raw("Eve", &[b'x'; 10 << 20]);
    let found = repo.tell(A::Newest, &[]).expect("an answer");
    let What::Commits(listed) = &found.told[0].what else {
        panic!("commits")
    };
    assert_eq!(listed.count, 10);
    assert!(
        listed
            .commits
            .iter()
            .all(|commit| commit.hash.len() == 40 && commit.subject.chars().count() <= 201),
        "{listed:?}"
    );
    assert_eq!(
        (
            listed.commits[1].subject.as_str(),
            listed.commits[3].subject.as_str()
        ),
        ("nul", "open: two")
    );
    assert!(repo.tell(A::Newest, &[("open", NAME)]).is_ok());
}

#[test]
fn other_forms_can_ask_for_churn_and_ages() {
    if !has_git() {
        return;
    }
    let repo = story();
    let churn = history::churn(repo.root(), &[]).expect("churn");
    assert_eq!(
        (
            churn.files[0].path.as_str(),
            churn.files[0].commits,
            churn.days.1.as_str()
        ),
        ("a.py", 3, "2021-02-01")
    );
    assert_eq!(
        history::churn(repo.root(), &["b.py"])
            .expect("churn")
            .commits,
        2
    );
    repo.file("b.py", "def open():\n    return 2\n# TODO\n");
    let ages = history::age_of_lines(repo.root(), "b.py", &[1, 2, 3]).expect("ages");
    let days: Vec<Option<&str>> = ages
        .iter()
        .map(|age| age.commit.as_ref().map(history::Commit::day))
        .collect();
    assert_eq!(days, [Some("2021-01-06"), Some("2021-02-01"), None]);
    assert_eq!(
        history::last_change(repo.root(), "b.py", 1, 2)
            .expect("a change")
            .map(|commit| commit.subject)
            .as_deref(),
        Some("open: two")
    );
    assert_eq!(
        history::last_change(repo.root(), "b.py", 3, 3).expect("no change"),
        None
    );
}

#[test]
fn each_gone_word_has_the_commit_that_removed_it() {
    let repo = Repo::new();
    repo.file(
        "a.py",
        "def alpha_one():\n    pass\ndef beta_two():\n    pass\n",
    )
    .commit("2020-01-02", "A", "start")
    .file("a.py", "def beta_two():\n    pass\n")
    .commit("2020-01-03", "A", "no alpha")
    .file("b.py", "x = 1\n")
    .commit("2020-01-04", "A", "another file")
    .file("a.py", "y = 1\n")
    .commit("2020-01-05", "A", "no beta")
    .file("b.py", "x = 2\n")
    .commit("2020-01-06", "A", "the last");
    let repository = history::Repository::open(repo.root(), 60_000).expect("a repository");
    let words = ["alpha_one".to_owned(), "beta_two".to_owned()];
    let (gone, is_whole) = history::gone_words(
        &repository,
        &words,
        &std::collections::BTreeSet::new(),
        &history::PatchedCommits::All,
    )
    .expect("a history");
    let subject = |word: &str| {
        let shown = Command::new("git")
            .current_dir(repo.root())
            .args(["show", "-s", "--format=%s %cs", &gone[word].commit])
            .output()
            .expect("git runs");
        String::from_utf8_lossy(&shown.stdout).trim().to_owned()
    };
    assert!(is_whole);
    assert_eq!(subject("alpha_one"), "no alpha 2020-01-03");
    assert_eq!(gone["alpha_one"].date, "2020-01-03");
    assert_eq!(subject("beta_two"), "no beta 2020-01-05");
}
