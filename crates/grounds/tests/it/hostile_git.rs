//! Repositories that would have a program run, or git wait without end: made by a generator from where `.git` lies, where its settings
//! stand, and what they name. No question and no review runs anything, or waits past its bound.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::{Run, Tree, commit_all, git, grounds, has, run};

const WHERE: &str = "where is TargetThing defined?";
const DEFINITION: &str = "pub struct TargetThing;\n";
/// Seconds that no question and no review may take here.
const RUN_S_MAX: u64 = 30;

/// What settings may name: `@` is a program that leaves a mark, `%` a folder of hooks.
struct Payload {
    name: &'static str,
    settings: &'static [u8],
    /// Whether `git status` and `git diff` run it.
    bites: bool,
}

const fn payload(name: &'static str, settings: &'static [u8], bites: bool) -> Payload {
    Payload {
        name,
        settings,
        bites,
    }
}

const PAYLOADS: &[Payload] = &[
    payload("clean", b"[filter \"evil\"]\n\tclean = @\n", true),
    payload("smudge", b"[filter \"evil\"]\n\tsmudge = @\n\trequired\n", false),
    payload("process", b"[filter \"evil\"]\n\tprocess = @\n\trequired\n", true),
    payload("odd filter", b"[filter \"\xffz\"]\n\tclean = @\n", true),
    payload("filter with an equals sign", b"[filter \"e=v.il\"]\n\tclean = @\n", true),
    payload("monitor", b"[core]\n\tfsmonitor = @\n", true),
    payload("hooks", b"[core]\n\thooksPath = %\n", true),
    payload("text conversion", b"[diff \"evil\"]\n\ttextconv = @\n", true),
    payload("driver of differences", b"[diff \"evil\"]\n\tcommand = @\n", true),
    payload("external difference", b"[diff]\n\texternal = @\n", true),
    payload("driver of merges", b"[merge \"evil\"]\n\tdriver = @\n", false),
    payload("pager", b"[core]\n\tpager = @\n[pager]\n\tlog = @\n\tstatus = @\n\tdiff = @\n", false),
    payload(
        "remote shell",
        b"[core]\n\tsshCommand = @\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\
          \turl = ssh://example.org/x\n\tpromisor = true\n",
        false,
    ),
    payload(
        "remote program",
        b"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\turl = ext::@\n\
          \tpromisor = true\n[protocol \"ext\"]\n\tallow = always\n",
        false,
    ),
    payload("credentials", b"[credential]\n\thelper = !@\n[core]\n\taskPass = @\n", false),
    payload("alias", b"[alias]\n\tstatus = !@\n\tdiff-index = !@\n\trev-parse = !@\n", false),
    payload("editor", b"[core]\n\teditor = @\n[sequence]\n\teditor = @\n", false),
    payload("signatures", b"[gpg]\n\tprogram = @\n[log]\n\tshowSignature = true\n", false),
    payload("submodules", b"[submodule \"sub\"]\n\turl = .\n\tupdate = !@\n\tactive\n", false),
];

/// Where the settings stand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Config,
    WorkTreeConfig,
    Include,
    IncludeIf,
}

const PLACES: [Place; 4] = [
    Place::Config,
    Place::WorkTreeConfig,
    Place::Include,
    Place::IncludeIf,
];

/// How the folder of git is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    Plain,
    Pointer,
    PointerWithBlank,
    PointerWithCarriageReturn,
    AbsolutePointer,
    Link,
    Common,
    CommonWithBlank,
    BareAround,
    BareAroundEmpty,
    ColonAbove,
    Colon,
    NoText,
    FurtherWorkTree,
    Submodule,
    Nested,
}

const LAYOUTS: [Layout; 16] = [
    Layout::Plain,
    Layout::Pointer,
    Layout::PointerWithBlank,
    Layout::PointerWithCarriageReturn,
    Layout::AbsolutePointer,
    Layout::Link,
    Layout::Common,
    Layout::CommonWithBlank,
    Layout::BareAround,
    Layout::BareAroundEmpty,
    Layout::ColonAbove,
    Layout::Colon,
    Layout::NoText,
    Layout::FurtherWorkTree,
    Layout::Submodule,
    Layout::Nested,
];

/// A repository that others are copied from.
fn base() -> Tree {
    let attributes =
        b"a.rs filter=evil diff=evil merge=evil\nb.rs filter=\xffz diff=evil\nc.rs filter=e=v.il\n";
    let tree = Tree::of(&[
        ("base/a.rs", DEFINITION),
        ("base/b.rs", "1\n"),
        ("base/c.rs", "1\n"),
    ])
    .file("base/.gitattributes", attributes);
    commit_all(&tree.path("base"));
    let hooks = tree.path("base/.git/hooks");
    let _ = fs::remove_dir_all(hooks);
    tree
}

/// One hostile repository.
struct Case {
    tree: Tree,
    /// The folder that is asked about.
    folder: PathBuf,
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(done.is_ok_and(|done| done.success()), "a copy");
}

impl Case {
    fn new(base: &Tree, layout: Layout, place: Place, payload: &Payload) -> Self {
        let tree = Tree::new();
        let name: &[u8] = match layout {
            Layout::Colon | Layout::ColonAbove => b"e:vil",
            Layout::NoText => b"e\xffvil",
            _ => b"evil",
        };
        let top = tree.path(OsStr::from_bytes(name));
        copy(&base.path("base"), &top);
        let mut case = Self { tree, folder: top };
        case.lay_trap();
        case.lay_out(layout, place, payload, base);
        // The same size and another time: git has to look at the content to tell whether it changed.
        for name in ["a.rs", "b.rs", "c.rs"] {
            let path = case.folder.join(name);
            let text = fs::read_to_string(&path).unwrap_or_default();
            let _ = fs::write(path, text.replace('p', "P").replace('1', "2"));
        }
        case
    }

    fn mark(&self) -> PathBuf {
        self.tree.path("sprung")
    }

    fn lay_trap(&self) {
        let script = format!("#!/bin/sh\n: > '{}'\ncat\n", self.mark().display());
        fs::create_dir_all(self.tree.path("hooks")).expect("a folder");
        for name in [
            "trap",
            "hooks/post-index-change",
            "hooks/reference-transaction",
        ] {
            let path = self.tree.path(name);
            fs::write(&path, &script).expect("a script");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
        }
    }

    fn settings(&self, payload: &Payload) -> Vec<u8> {
        let (trap, hooks) = (self.tree.path("trap"), self.tree.path("hooks"));
        let put = |byte: &u8| match byte {
            b'@' => trap.display().to_string().into_bytes(),
            b'%' => hooks.display().to_string().into_bytes(),
            byte => vec![*byte],
        };
        payload.settings.iter().flat_map(put).collect()
    }

    /// Writes the settings into a folder of git.
    fn poison(&self, folder: &Path, place: Place, payload: &Payload) {
        let settings = self.settings(payload);
        let add = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            let text = fs::read(&path).unwrap_or_default();
            fs::write(path, [&text[..], bytes].concat()).expect("settings");
        };
        match place {
            Place::Config => add("config", &settings),
            Place::WorkTreeConfig => {
                add("config", b"[extensions]\n\tworktreeConfig = true\n");
                add("config.worktree", &settings);
            }
            Place::Include => {
                add("included", &settings);
                add("config", b"[include]\n\tpath = included\n");
            }
            Place::IncludeIf => {
                add("included", &settings);
                add(
                    "config",
                    b"[includeIf \"onbranch:main\"]\n\tpath = included\n",
                );
            }
        }
    }

    fn lay_out(&mut self, layout: Layout, place: Place, payload: &Payload, base: &Tree) {
        let top = self.folder.clone();
        let (git_folder, real) = (top.join(".git"), top.join("real"));
        let moved = |from: &Path, to: &Path| fs::rename(from, to).expect("moved");
        let pointer = |text: &[u8]| fs::write(top.join(".git"), text).expect("a pointer");
        match layout {
            Layout::Plain | Layout::Colon | Layout::NoText => {
                self.poison(&git_folder, place, payload);
            }
            Layout::Pointer | Layout::PointerWithCarriageReturn | Layout::AbsolutePointer => {
                self.poison(&git_folder, place, payload);
                moved(&git_folder, &real);
                match layout {
                    Layout::Pointer => pointer(b"gitdir: real\n"),
                    Layout::AbsolutePointer => {
                        pointer(format!("gitdir: {}\n", real.display()).as_bytes());
                    }
                    _ => pointer(b"gitdir: real\r\n"),
                }
            }
            Layout::PointerWithBlank => {
                copy(&git_folder, &real);
                self.poison(&git_folder, place, payload);
                moved(&git_folder, &top.join("real "));
                pointer(b"gitdir: real \n");
            }
            Layout::Link => {
                self.poison(&git_folder, place, payload);
                moved(&git_folder, &real);
                std::os::unix::fs::symlink("real", &git_folder).expect("a link");
            }
            Layout::Common | Layout::CommonWithBlank => {
                let (name, text) = match layout {
                    Layout::Common => ("common", "../common\n"),
                    _ => ("common ", "../common \n"),
                };
                copy(&git_folder, &top.join("common"));
                if layout == Layout::CommonWithBlank {
                    copy(&git_folder, &top.join(name));
                }
                self.poison(&top.join(name), place, payload);
                if place == Place::WorkTreeConfig {
                    moved(
                        &top.join(name).join("config.worktree"),
                        &git_folder.join("config.worktree"),
                    );
                }
                fs::write(git_folder.join("commondir"), text).expect("a pointer");
            }
            Layout::BareAround | Layout::BareAroundEmpty => {
                let config = fs::read(git_folder.join("config")).expect("settings");
                for entry in fs::read_dir(&git_folder).expect("a folder").flatten() {
                    moved(&entry.path(), &top.join(entry.file_name()));
                }
                self.poison(&top, place, payload);
                let text = fs::read(top.join("config")).expect("settings");
                let more = b"[core]\n\tworktree = .\n\tbare = false\n";
                fs::write(top.join("config"), [&text[..], more].concat()).expect("settings");
                if layout == Layout::BareAround {
                    fs::write(git_folder.join("config"), config).expect("settings");
                }
            }
            Layout::ColonAbove => {
                self.poison(&git_folder, place, payload);
                fs::create_dir_all(top.join("child/.git")).expect("folders");
                fs::write(top.join("child/a.rs"), DEFINITION).expect("a file");
                fs::write(top.join("a.rs"), "Pub struct TargetThing;\n").expect("a file");
                self.folder = top.join("child");
            }
            Layout::FurtherWorkTree => {
                git(
                    &top,
                    &["worktree", "add", "-q", "-b", "further", "../further"],
                );
                let own = git_folder.join("worktrees/further");
                self.poison(&git_folder, place, payload);
                if place == Place::WorkTreeConfig {
                    moved(
                        &git_folder.join("config.worktree"),
                        &own.join("config.worktree"),
                    );
                }
                self.folder = self.tree.path("further");
            }
            Layout::Submodule | Layout::Nested => {
                let sub = top.join("sub");
                copy(&base.path("base"), &sub);
                if layout == Layout::Submodule {
                    git(&top, &["add", "sub"]);
                    git(&top, &["commit", "-q", "-m", "sub"]);
                }
                self.poison(&sub.join(".git"), place, payload);
                fs::write(sub.join("a.rs"), "Pub struct TargetThing;\n").expect("a file");
            }
        }
    }

    /// The words of all that is asked.
    fn asked(&self, words: &[&[&str]], what: &str) {
        let _ = fs::remove_file(self.mark());
        for words in words {
            let done = bounded(&self.folder, words);
            assert!(!self.mark().exists(), "{what}: a program ran at {words:?}");
            done.assert_is_sound();
            let seconds = done.took.as_secs();
            assert!(seconds < RUN_S_MAX, "{what}: {words:?} took {seconds} s");
        }
    }

    /// Whether git as everyone calls it runs the program.
    fn springs(&self) -> bool {
        let _ = fs::remove_file(self.mark());
        for words in [&["status"][..], &["diff"]] {
            let mut command = Command::new("git");
            command.args(words).current_dir(&self.folder).envs([
                ("GIT_CONFIG_GLOBAL", "/dev/null"),
                ("GIT_CONFIG_SYSTEM", "/dev/null"),
            ]);
            let _ = command.output();
        }
        self.mark().exists()
    }
}

const ASKED: &[&[&str]] = &[
    &["ask", WHERE],
    &["ask", "what changed?"],
    &["review", "--no-model"],
];

/// A run with no more memory than a program of this kind needs.
fn bounded(folder: &Path, words: &[&str]) -> Run {
    let program = grounds(folder);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "ulimit -v 8000000; exec \"$@\"", "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .args(words)
        .stdin(std::process::Stdio::null());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    run(&mut command)
}

/// All payloads in one layout, each in another place of settings.
fn nothing_runs_in(layouts: &[Layout]) {
    if !has("git") {
        return;
    }
    let base = base();
    for layout in layouts {
        for (number, payload) in PAYLOADS.iter().enumerate() {
            let place = PLACES[number % PLACES.len()];
            let case = Case::new(&base, *layout, place, payload);
            case.asked(ASKED, &format!("{layout:?}, {place:?}, {}", payload.name));
        }
    }
}

#[test]
fn nothing_runs_in_a_folder_of_git() {
    nothing_runs_in(&LAYOUTS[..1]);
}

#[test]
fn nothing_runs_behind_a_file_that_names_the_folder() {
    nothing_runs_in(&LAYOUTS[1..6]);
}

#[test]
fn nothing_runs_behind_a_folder_that_is_shared_or_stands_around() {
    nothing_runs_in(&LAYOUTS[6..10]);
}

#[test]
fn nothing_runs_where_a_path_is_odd_or_a_repository_is_another_ones() {
    nothing_runs_in(&LAYOUTS[10..]);
}

#[test]
fn nothing_runs_wherever_settings_stand() {
    if !has("git") {
        return;
    }
    let base = base();
    let asked = [
        &["ask", "what are the last commits?"][..],
        &["review", "--no-model"],
    ];
    for place in PLACES {
        for payload in PAYLOADS {
            let case = Case::new(&base, Layout::Plain, place, payload);
            case.asked(&asked, &format!("{place:?}, {}", payload.name));
        }
    }
}

/// The cases are ones: git as everyone calls it runs these programs.
#[test]
fn git_itself_runs_what_such_repositories_name() {
    if !has("git") {
        return;
    }
    let base = base();
    for payload in PAYLOADS {
        for place in PLACES {
            let case = Case::new(&base, Layout::Plain, place, payload);
            if payload.bites {
                assert!(case.springs(), "{place:?}, {}", payload.name);
            }
        }
    }
    for layout in LAYOUTS {
        // What lies in a folder beside is run only by a git that goes there.
        if matches!(layout, Layout::Nested) {
            continue;
        }
        let case = Case::new(&base, layout, Place::Config, &PAYLOADS[0]);
        assert!(case.springs(), "{layout:?}");
    }
}

/// Files that git or this program reads, below the top of a work tree.
const READ: &[&str] = &[
    ".git",
    ".git/HEAD",
    ".git/config",
    ".git/config.worktree",
    ".git/commondir",
    ".git/index",
    ".git/packed-refs",
    ".git/refs/heads/main",
    ".git/refs/heads/other",
    ".git/shallow",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/info/grafts",
    ".git/logs/HEAD",
    ".git/ORIG_HEAD",
    ".git/sharedindex.0000000000000000000000000000000000000000",
    ".git/objects/info/alternates",
    ".git/objects/info/commit-graph",
    ".git/objects/info/packs",
    ".git/objects/pack/pack-0000000000000000000000000000000000000000.idx",
    ".git/objects/pack/multi-pack-index",
    ".gitattributes",
    ".gitignore",
    ".gitmodules",
    ".mailmap",
    ".git-blame-ignore-revs",
    "sub/.gitattributes",
    "sub/.gitignore",
    "sub/a.rs",
    "module/.git",
    "excluded",
];

/// Those that the walk of a question reads.
const WALK_READS: &[&str] = &[
    "module/.git",
    ".git",
    ".git/commondir",
    ".git/info/exclude",
    ".gitignore",
    "sub/.gitignore",
    "excluded",
];

/// What stands in the place of such a file.
#[derive(Clone, Copy, Debug)]
enum Monster {
    Pipe,
    Device,
    Folder,
    Huge,
    Rubbish,
}

fn put(monster: Monster, path: &Path) {
    let _ = fs::remove_dir_all(path);
    let _ = fs::remove_file(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    match monster {
        Monster::Pipe => {
            let made = Command::new("mkfifo").arg(path).status();
            assert!(made.is_ok_and(|made| made.success()), "a pipe");
        }
        Monster::Device => std::os::unix::fs::symlink("/dev/zero", path).expect("a link"),
        Monster::Folder => fs::create_dir_all(path).expect("a folder"),
        Monster::Huge => {
            let file = fs::File::create(path).expect("a file");
            file.set_len(6 << 30).expect("a length");
        }
        Monster::Rubbish => fs::write(path, b"\0\xff[\"\x1b[31m\n".repeat(1_000)).expect("a file"),
    }
}

fn nothing_waits_for(monster: Monster) {
    if !has("git") || !has("mkfifo") {
        return;
    }
    let tree = Tree::of(&[("base/a.rs", DEFINITION), ("base/sub/a.rs", "1\n")]);
    commit_all(&tree.path("base"));
    git(
        &tree.path("base"),
        &["config", "core.excludesFile", "excluded"],
    );
    for path in READ {
        // A tracked file is compared, however large, as long as the time of a question lasts.
        if matches!(monster, Monster::Huge) && *path == "sub/a.rs" {
            continue;
        }
        // The walk of a question reads these too, and how it does is bounded elsewhere.
        let is_of_walk = matches!(monster, Monster::Huge) && WALK_READS.contains(path);
        let case = Tree::new();
        copy(&tree.path("base"), &case.path("top"));
        let top = case.path("top");
        if *path == "excluded" {
            let excluded = top.join("excluded").display().to_string();
            git(&top, &["config", "core.excludesFile", &excluded]);
        }
        put(monster, &top.join(path));
        for words in ASKED
            .iter()
            .filter(|words| !is_of_walk || words[0] == "review")
        {
            let done = bounded(&top, words);
            assert!(
                done.code.is_some(),
                "{monster:?} as {path}: {words:?}: {}",
                done.text()
            );
            assert!(
                done.took < Duration::from_secs(RUN_S_MAX),
                "{monster:?} as {path}: {words:?} took {:?}",
                done.took
            );
            assert!(
                !done.text().contains('\u{1b}'),
                "{monster:?} as {path}: {words:?}"
            );
        }
    }
}

#[test]
fn no_pipe_is_waited_for() {
    nothing_waits_for(Monster::Pipe);
}

#[test]
fn no_device_is_read() {
    nothing_waits_for(Monster::Device);
}

#[test]
fn no_folder_is_taken_for_a_file() {
    nothing_waits_for(Monster::Folder);
}

#[test]
fn no_file_of_gigabytes_is_read() {
    nothing_waits_for(Monster::Huge);
}

#[test]
fn no_rubbish_breaks_the_program() {
    nothing_waits_for(Monster::Rubbish);
}
