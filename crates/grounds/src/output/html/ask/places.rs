//! Places as a tree: the folder, the file, the definition around them and the lines, each with its
//! number of places.

use maud::{Markup, html};

use super::answer::NumberedExcerpt;
use crate::output::html::links::Links;
use crate::output::html::parts::{sentence, shown};
use crate::reading::ask::CitationView;

/// Fewer places than these are no tree.
const PLACES_MIN: usize = 2;
/// Lines behind which files stay closed until they are opened.
const OPEN_LINES_MAX: usize = 60;
/// The width of a bar in its own unit.
const BAR_WIDTH: u64 = 1_000;

/// A node: its name, and what is below it in the order in which it was found.
struct Node<T> {
    name: String,
    below: Vec<T>,
}

/// A line with its place.
struct Leaf<'r> {
    number: usize,
    citation: &'r CitationView,
    times: u64,
}

type OwnerPlaces<'r> = Node<Leaf<'r>>;
type FilePlaces<'r> = Node<OwnerPlaces<'r>>;
type FolderPlaces<'r> = Node<FilePlaces<'r>>;

/// Reports whether excerpts are single lines of files.
pub(super) fn is_tree(cited: &[NumberedExcerpt<'_>]) -> bool {
    let is_line = |citation: &CitationView| {
        citation.resource == "file"
            && citation.line_start > 0
            && citation.line_start == citation.line_end
    };
    cited.len() >= PLACES_MIN && cited.iter().all(|(_, citation)| is_line(citation))
}

/// Shows the tree of single lines.
pub(super) fn tree(cited: &[NumberedExcerpt<'_>], links: &Links) -> Markup {
    let mut lines = 0;
    html! {
        ul.places { @for folder in grown(cited) {
            li {
                div { span.path { (shown(&folder.name)) } " " (count(folder.below.iter().map(of_file).sum())) }
                ul { @for file in &folder.below {
                    li { (shown_file(file, &mut lines, links)) }
                } }
            }
        } }
    }
}

/// Returns folders with files with definitions with lines.
fn grown<'r>(cited: &[NumberedExcerpt<'r>]) -> Vec<FolderPlaces<'r>> {
    let mut folders: Vec<FolderPlaces<'r>> = Vec::new();
    for (number, citation) in cited {
        let (folder, file) = citation
            .path
            .rsplit_once('/')
            // A file at the top of the repository.
            .unwrap_or((".", &citation.path));
        let (what, times) = read(&citation.what);
        let owner = node(
            &mut node(&mut node(&mut folders, &format!("{folder}/")).below, file).below,
            what,
        );
        owner.below.push(Leaf {
            number: *number,
            citation,
            times,
        });
    }
    folders
}

/// Returns the node of a name, which is made if it is missing.
fn node<'n, T>(nodes: &'n mut Vec<Node<T>>, name: &str) -> &'n mut Node<T> {
    let known = nodes.iter().position(|node| node.name == name);
    let place = known.unwrap_or_else(|| {
        nodes.push(Node {
            name: name.to_owned(),
            below: Vec::new(),
        });
        nodes.len() - 1
    });
    &mut nodes[place]
}

/// Splits what a place is from how often: "call in `main`, 4 times".
fn read(what: &str) -> (&str, u64) {
    let times = what.rsplit_once(", ").and_then(|(what, times)| {
        let times = times.strip_suffix(" times")?;
        Some((what, times.parse().ok()?))
    });
    times.unwrap_or((what, 1))
}

fn of_owner(owner: &OwnerPlaces<'_>) -> u64 {
    owner.below.iter().map(|leaf| leaf.times).sum()
}

fn of_file(file: &FilePlaces<'_>) -> u64 {
    file.below.iter().map(of_owner).sum()
}

fn count(places: u64) -> Markup {
    html! { span.count { (places) @if places == 1 { " place" } @else { " places" } } }
}

/// Shows a file, open as long as not too many lines were shown before it.
fn shown_file(file: &FilePlaces<'_>, lines: &mut usize, links: &Links) -> Markup {
    let is_open = *lines < OPEN_LINES_MAX;
    *lines += file
        .below
        .iter()
        .map(|owner| owner.below.len())
        .sum::<usize>();
    html! {
        details open[is_open] {
            summary { span.path { (shown(&file.name)) } " " (count(of_file(file))) }
            ul { @for owner in &file.below { (shown_owner(owner, links)) } }
        }
    }
}

fn shown_owner(owner: &OwnerPlaces<'_>, links: &Links) -> Markup {
    html! {
        li {
            div {
                span.quiet { (sentence(&owner.name)) }
                @if of_owner(owner) > 1 { " " (count(of_owner(owner))) }
            }
            ol { @for leaf in &owner.below { (shown_leaf(leaf, links)) } }
        }
    }
}

fn shown_leaf(leaf: &Leaf<'_>, links: &Links) -> Markup {
    let (citation, line) = (leaf.citation, leaf.citation.line_start);
    html! {
        li id={ "c" (leaf.number + 1) } {
            b { "[" (leaf.number + 1) "]" }
            span { (links.named(&line.to_string(), &citation.path, line, line)) }
            code { (shown(citation.text.trim())) }
        }
    }
}

/// Shows files with their counts as bars; `None` if the text has anything but such lines ("61
/// `tests/a.py`").
pub(super) fn counts(text: &str) -> Option<Markup> {
    let (lines, rest): (Vec<&str>, Vec<&str>) = text
        .lines()
        .map(str::trim)
        // The last line may be "and 12 more files".
        .partition(|line| !line.starts_with("and "));
    let rows: Vec<(u64, &str)> = lines
        .into_iter()
        .map(|line| {
            let (count, path) = line.split_once("  ")?;
            let path = path.strip_prefix('`')?.strip_suffix('`')?;
            Some((count.parse().ok()?, path))
        })
        .collect::<Option<_>>()?;
    let most = rows.iter().map(|(count, _)| *count).max()?.max(1);
    Some(html! {
        ul.counts { @for (count, path) in &rows {
            li {
                b { (count) }
                svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                    rect.read width=(count * BAR_WIDTH / most) height="10" {}
                }
                span.path { (shown(path)) }
            }
        } }
        @for line in rest { p.quiet { (shown(line)) } }
    })
}
