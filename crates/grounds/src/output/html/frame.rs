//! The parts that all pages have: the head with its policy, landmarks, a link past the head, a list
//! of the sections, and the style.

use std::borrow::Cow;
use std::sync::OnceLock;

use base64::Engine as _;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::Digest as _;

use super::parts::{sentence, shown};

const STYLE: &str = include_str!("page.css");

/// The colour and the sign of a verdict. The words say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// It holds, it is enough, nothing blocks.
    Good,
    /// It is open.
    Open,
    /// It is refuted, it blocks, it failed.
    Bad,
}

impl Tone {
    /// Returns the class of the style.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Open => "open",
            Self::Bad => "bad",
        }
    }

    /// Returns the sign before a verdict.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Open => "?",
            Self::Bad => "✕",
        }
    }
}

/// The verdict with the weakest of its reasons.
pub(super) struct VerdictSentence {
    pub(super) tone: Tone,
    pub(super) word: String,
    pub(super) because: String,
}

/// A part of a page.
pub(super) struct PageSection {
    /// Its name within the page.
    pub(super) id: Cow<'static, str>,
    pub(super) title: String,
    pub(super) body: Markup,
}

impl PageSection {
    pub(super) fn of(id: impl Into<Cow<'static, str>>, title: &str, body: Markup) -> Self {
        Self {
            id: id.into(),
            title: title.to_owned(),
            body,
        }
    }
}

impl VerdictSentence {
    /// Shows the verdict with its sign.
    pub(super) fn shown(&self) -> Markup {
        html! {
            p.verdict.(self.tone.class()) {
                span.sign aria-hidden="true" { (self.tone.sign()) }
                b { (shown(&self.word)) }
                span.why { (sentence(&self.because)) }
            }
        }
    }
}

/// A link to another page: its address and its words.
pub(super) type PageLink = (String, String);

/// A page about one run.
pub(super) struct RunPage {
    /// The kind of the job, in words.
    pub(super) kind: String,
    pub(super) heading: String,
    pub(super) verdict: VerdictSentence,
    pub(super) facts: Markup,
    pub(super) sections: Vec<PageSection>,
}

impl RunPage {
    /// Returns the page as a file of its own.
    pub(super) fn alone(&self) -> Markup {
        self.below(&[])
    }

    /// Returns the page as one of several, with the links back.
    pub(super) fn below(&self, ways: &[PageLink]) -> Markup {
        let head = html! {
            (kind(ways, &self.kind))
            h1 { (shown(&self.heading)) }
            (self.verdict.shown())
            (self.facts)
        };
        let body = html! {
            nav.toc aria-label="On this page" {
                ol { @for section in &self.sections { li { a href={ "#" (section.id) } { (section.title) } } } }
            }
            main #main tabindex="-1" {
                @for section in &self.sections {
                    section aria-labelledby=(section.id) { h2 #(section.id) { (section.title) } (section.body) }
                }
            }
        };
        document(
            &format!("{}: {}", self.verdict.word, self.heading),
            Policy::Alone,
            &head,
            &body,
        )
    }
}

/// The addresses to which a page may send its reader's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Nowhere.
    Alone,
    /// Back to its server.
    Served,
}

/// Shows the line above a heading: the links back, and the subject of the page.
pub(super) fn kind(ways: &[PageLink], about: &str) -> Markup {
    html! {
        p.kind {
            @for (address, words) in ways { a href=(address) { "← " (shown(words)) } }
            span { (about) }
        }
    }
}

/// Returns a page from its head and its body.
pub(super) fn document(title: &str, policy: Policy, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                // Here too, since a page that is opened as a file comes without headers.
                meta http-equiv="Content-Security-Policy" content=(self::policy(policy == Policy::Served));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // The address of a served page has the token in it.
                meta name="referrer" content="no-referrer";
                // Otherwise a browser would ask the server for `/favicon.ico`.
                link rel="icon" href="data:,";
                title { (shown(title)) " · grounds" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top { (head) }
                div.frame { (body) }
                footer.foot { "No grounds, no answer. What is quoted here was written by others; it was true when it was read." }
            }
        }
    }
}

/// Returns the policy of a page: nothing is loaded, nothing runs, and only the one style counts.
pub fn policy(has_search: bool) -> String {
    static HASH: OnceLock<String> = OnceLock::new();
    let hash = HASH.get_or_init(|| {
        base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(STYLE))
    });
    // The search of the served list is the only form, and goes back to the server of the page.
    let form = if has_search { "'self'" } else { "'none'" };
    format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{hash}'; base-uri 'none'; form-action {form}"
    )
}
