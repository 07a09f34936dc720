//! The targets of links to places of a run: the editor that the person named in the environment, or
//! the forge of the checkout. A repository chooses nothing here: its remote counts only if it is a
//! plain path at a forge that is known by its host.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;

use grounds_repo::checkout::Checkout;
use grounds_repo::ci::remote;
use grounds_repo::git;

use crate::ended::JobKind;
use crate::output::html::{Editor, EditorForm, ForgeLinks, Links};
use crate::safe;
use crate::store::Run;

/// The variable with the name of an editor, or the form of its addresses.
pub(super) const EDITOR: &str = "GROUNDS_EDITOR_LINK";

/// Returns the editor that the person chose. A form that opens none is a warning, and there are no
/// links.
pub(super) fn editor() -> Option<EditorForm> {
    let text = std::env::var(EDITOR).ok()?;
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    EditorForm::parse(text)
        .inspect_err(|reason| {
            let _ = writeln!(
                io::stderr().lock(),
                "warning: pages have no links to an editor: {EDITOR}: {}",
                safe::for_line(reason)
            );
        })
        .ok()
}

/// Returns the links of a run.
pub(super) fn of(run: &Run, editor: Option<&EditorForm>) -> Links {
    between(Path::new(&run.head.repository), commit(run), editor)
}

/// Returns the links of a folder as it is now, which need not be a commit at a forge.
pub(super) fn of_today(root: &Path) -> Links {
    between(root, None, editor().as_ref())
}

/// Returns the links of a checkout as it is now.
pub(super) fn of_checkout(checkout: &Checkout) -> Links {
    let state = checkout.tree_state();
    let commit = state.commit.filter(|_| state.dirty == Some(false));
    between(checkout.root(), commit, editor().as_ref())
}

fn between(root: &Path, commit: Option<String>, editor: Option<&EditorForm>) -> Links {
    Links {
        editor: editor.map(|form| Editor {
            form: form.clone(),
            root: root.to_string_lossy().into_owned(),
        }),
        forge: commit.and_then(|commit| forge(root, &commit)),
    }
}

/// Returns the commit whose files the page cites; `None` if they belong to no commit.
fn commit(run: &Run) -> Option<String> {
    let commit = match run.head.kind {
        // Line numbers of a changed file would lead to other lines at the forge.
        JobKind::Ask if run.head.is_dirty == Some(false) => run.head.commit.clone(),
        JobKind::Review => {
            let report: serde_json::Value = serde_json::from_str(&run.report).ok()?;
            report["head"]["commit"].as_str().map(str::to_owned)
        }
        // A claim cites pages and documents, which are of no commit.
        JobKind::Ask | JobKind::Verify => None,
    };
    commit.filter(|hash| git::is_hash(hash))
}

/// Returns the links to a commit at the forge that the checkout is a clone of.
fn forge(root: &Path, commit: &str) -> Option<ForgeLinks> {
    let checkout = Checkout::open(root).ok()?;
    let top = checkout.git_top()?;
    let below = checkout.root().strip_prefix(top).ok()?.to_str()?;
    let remote = remote::of_checkout(top, None).ok()?;
    // Forges have different addresses for a file and for a line in it; a host that is not known
    // could be anything.
    let (way, to) = match remote.host.as_str() {
        "github.com" => ("blob", "-L"),
        "gitlab.com" => ("-/blob", "-"),
        "codeberg.org" => ("src/commit", "-L"),
        _ => return None,
    };
    let base = format!("https://{}/{}/{way}/{commit}/", remote.host, remote.path());
    let folder = if below.is_empty() {
        String::new()
    } else {
        format!("{}/", safe::for_link(below))
    };
    Some(ForgeLinks {
        files: base + &folder,
        to,
        paths: paths(top, commit, Path::new(below))?,
    })
}

/// Returns the files of a commit below a folder; `None` if their list is longer than the bound on
/// git's output.
fn paths(top: &Path, commit: &str, below: &Path) -> Option<BTreeSet<String>> {
    // A file that git ignores is cited too, and has no page at the forge.
    let words = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
    let said = git::call(top, &words).ok()?;
    let names = said
        .split(|byte| *byte == 0)
        .filter_map(|name| std::str::from_utf8(name).ok());
    let inside = names.filter_map(|name| Path::new(name).strip_prefix(below).ok()?.to_str());
    Some(inside.map(str::to_owned).collect())
}
