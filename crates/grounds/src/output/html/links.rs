//! The links to places of the tree: to the editor that the person chose, and to the forge that the
//! checkout is a clone of. Its inputs were checked by the caller; a path of a report is joined and
//! encoded here, so that nothing in it can become another address.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use maud::{Markup, html};

use super::parts::{place, shown};
use crate::safe;

/// The targets of the places of a page. Without either address they are text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// The person's editor; `None` if none is chosen.
    pub editor: Option<Editor>,
    /// The commit at the forge; `None` if the remote is not known, or if the tree was not that of a
    /// commit.
    pub forge: Option<ForgeLinks>,
}

/// An editor that opens addresses of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    /// The address with `{path}`, and `{line}` where it has one.
    pub form: EditorForm,
    /// The folder that was read.
    pub root: String,
}

/// The form of an editor's address, which names no scheme that runs something in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorForm(String);

/// The files of one commit at a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeLinks {
    /// The address below which the files of the commit are, with a `/` at the end.
    pub files: String,
    /// The mark between the first and the last line.
    pub to: &'static str,
    /// The files that the commit has; a file that it does not have is not at the forge.
    pub paths: BTreeSet<String>,
}

/// Schemes that a browser runs or shows as a page of this one.
const SCHEMES_REFUSED: [&str; 5] = ["javascript", "data", "vbscript", "blob", "about"];
/// Editors by name.
const EDITORS: [(&str, &str); 6] = [
    ("vscode", "vscode://file{path}:{line}"),
    ("cursor", "cursor://file{path}:{line}"),
    ("zed", "zed://file{path}:{line}"),
    ("idea", "idea://open?file={path}&line={line}"),
    ("textmate", "txmt://open?url=file://{path}&line={line}"),
    ("file", "file://{path}"),
];

impl EditorForm {
    /// Reads the name of an editor or a form of one's own.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let known = EDITORS.iter().find(|(name, _)| *name == text);
        let form = known.map_or(text, |(_, form)| form);
        let names: Vec<&str> = EDITORS.iter().map(|(name, _)| *name).collect();
        let (scheme, rest) = form.split_once(':').unwrap_or_default();
        let is_scheme = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        if !is_scheme || !rest.contains("{path}") {
            return Err(format!(
                "`{form}` is neither {} nor an address with {{path}}",
                names.join(", ")
            ));
        }
        // Browsers take `JavaScript:` for the same scheme.
        if SCHEMES_REFUSED.contains(&scheme.to_ascii_lowercase().as_str()) {
            return Err(format!("`{scheme}:` opens no editor"));
        }
        Ok(Self(form.to_owned()))
    }
}

impl Links {
    /// Shows a path with its lines, and the links to it.
    pub(super) fn place(&self, path: &str, first: u32, last: u32) -> Markup {
        let words = place(path, first, last);
        self.named(&words, path, first, last)
    }

    /// Shows the same with other words.
    pub(super) fn named(&self, words: &str, path: &str, first: u32, last: u32) -> Markup {
        let inside = is_inside(path);
        let editor = self.editor.as_ref().filter(|_| inside);
        let forge = self
            .forge
            .as_ref()
            .filter(|forge| inside && forge.paths.contains(path));
        let forge = forge.map(|forge| forge.address(path, first, last));
        let editor = editor.map(|editor| editor.address(path, first));
        html! {
            @match (editor, forge) {
                (None, None) => span.path { (shown(words)) },
                (None, Some(forge)) => a.path.forge href=(forge) { (shown(words)) },
                (Some(editor), None) => a.path href=(editor) { (shown(words)) },
                (Some(editor), Some(forge)) => {
                    a.path href=(editor) { (shown(words)) }
                    " " a.forge href=(forge) aria-label={ (shown(words)) " at the forge" } {}
                },
            }
        }
    }
}

impl Editor {
    fn address(&self, path: &str, line: u32) -> String {
        let path = format!("{}/{path}", self.root.trim_end_matches('/'));
        self.form
            .0
            // A file as a whole has line 0, which no editor knows.
            .replace("{line}", &line.max(1).to_string())
            .replace("{path}", &safe::for_link(&path))
    }
}

impl ForgeLinks {
    fn address(&self, path: &str, first: u32, last: u32) -> String {
        let lines = match (first, last) {
            (0, _) => String::new(),
            (first, last) if last <= first => format!("#L{first}"),
            (first, last) => format!("#L{first}{}{last}", self.to),
        };
        format!("{}{}{lines}", self.files, safe::for_link(path))
    }
}

/// Reports whether a text is a path that stays in its folder.
// A citation may have a commit, a command or the address of a log as its path.
fn is_inside(path: &str) -> bool {
    let is_plain = |part| matches!(part, Component::Normal(_));
    !path.is_empty() && !path.contains("://") && Path::new(path).components().all(is_plain)
}
