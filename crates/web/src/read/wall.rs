//! Recognises what is shown in the place of a page: a wall for payers, a login form, a question
//! whether the reader is human, an error with status 200. Such words are no evidence about
//! anything, so that they are no page. The signs count only if there is little other text: an
//! article may be about paywalls.

use dom_query::Document;

use super::ReadError;
use super::json_ld::JsonLd;

/// Number of words below which a page that declares that it is paid for was not given whole.
const PAID_WORDS_MIN: usize = 250;
/// Number of words below which a sign of a paywall means that the page is behind it.
const WALLED_WORDS_MAX: usize = 250;
/// Number of words below which a form for a password is all that a page has.
const FORM_WORDS_MAX: usize = 60;
/// Number of words below which a page can be only an error or a question.
const NOTICE_WORDS_MAX: usize = 80;

/// Number of words below which a page can be only one of the notices that an article may contain as
/// well.
const SHORT_NOTICE_WORDS_MAX: usize = 40;

/// Texts that are shown in the place of a page: errors, refusals, questions, empty sites.
const NOTICES: [&str; 62] = [
    "attention required",
    "security service to protect itself",
    "pardon our interruption",
    "press and hold",
    "press & hold",
    "verify your browser",
    "verifying your browser",
    "ddos protection by",
    "incapsula incident",
    "security checkpoint",
    "characters you see below",
    "need to enable javascript",
    "turn javascript on",
    "browser is not supported",
    "ad blocker",
    "adblocker",
    "permission to access this",
    "too many requests",
    "exceeded your",
    "unavailable in most european",
    "not available in your region",
    "not available in your country",
    "unavailable due to legal reasons",
    "unavailable for legal reasons",
    "scheduled maintenance",
    "under maintenance",
    "down for maintenance",
    "establishing a database connection",
    "application error",
    "could not be satisfied",
    "gateway time-out",
    "gateway timeout",
    "error occurred while processing",
    "unexpected error has occurred",
    "welcome to nginx",
    "index of /",
    "account has been suspended",
    "domain is for sale",
    "buy this domain",
    "find the page you",
    "page can't be found",
    "page cannot be found",
    "page you are looking for",
    "page you were looking for",
    "article is no longer available",
    "page is no longer available",
    "link you followed",
    "session has expired",
    "confirm your age",
    "are you over 18",
    "value your privacy",
    "wir verwenden cookies",
    "alle akzeptieren",
    "nous utilisons des cookies",
    "tout accepter",
    "utilizamos cookies",
    "aceptar todo",
    "free articles this month",
    "unlock this article",
    "to read this article",
    "you are not redirected",
    "redirecting you",
];

const PAY: [&str; 14] = [
    "subscribe to continue",
    "subscribe to read",
    "subscribe now to read",
    "to continue reading",
    "to keep reading",
    "to read the full",
    "already a subscriber",
    "for subscribers only",
    "subscriber-only",
    "exclusive to subscribers",
    "this article is for subscribers",
    "become a member to read",
    "you have reached your limit of free articles",
    "start your free trial to",
];

const LOGIN: [&str; 7] = [
    "log in to continue",
    "sign in to continue",
    "please log in",
    "please sign in",
    "you must be logged in",
    "login required",
    "create an account to continue",
];

const ROBOT: [&str; 14] = [
    "you have been blocked",
    "has been blocked",
    "access to this page has been denied",
    "rate limit exceeded",
    "just a moment",
    "checking your browser",
    "verify you are human",
    "verify that you are not a robot",
    "are you a robot",
    "enable javascript and cookies to continue",
    "please enable javascript",
    "unusual traffic from your",
    "complete the captcha",
    "javascript is required",
];

const COOKIES: [&str; 7] = [
    "accept cookies to continue",
    "accept all cookies",
    "consent to cookies",
    "consent to the use of cookies",
    "enable cookies",
    "before you continue to",
    "we use cookies and similar",
];

const ERROR: [&str; 12] = [
    "internal server error",
    "service unavailable",
    "bad gateway",
    "something went wrong",
    "page not found",
    "404 not found",
    "error 404",
    "page does not exist",
    "page you requested could not be found",
    "access denied",
    "403 forbidden",
    "this page isn't available",
];

/// Whether a page has a form for a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PasswordForm {
    /// It asks for one.
    Password,
    /// It does not.
    None,
}

impl PasswordForm {
    pub(super) fn of(page: &Document) -> Self {
        if page.select("input[type='password']").exists() {
            Self::Password
        } else {
            Self::None
        }
    }
}

/// Checks that what was read is a page.
pub(super) fn checked(
    form: PasswordForm,
    told: &JsonLd,
    title: Option<&str>,
    text: &str,
    visible: &str,
) -> Result<(), ReadError> {
    let words_count = text.split_whitespace().count();
    // All visible text is searched: the library leaves such signs out of the main part.
    let said = format!("{} {}", title.unwrap_or_default(), visible)
        .to_lowercase()
        // The signs are written with a straight apostrophe.
        .replace('\u{2019}', "'");
    let says = |signs: &[&str]| signs.iter().any(|sign| said.contains(sign));
    let no = |why| Err(ReadError::NoPage(why));
    match words_count {
        _ if is_data(text) => no("it is data in the place of a page"),
        0 => no("it has no text that can be read without running its scripts"),
        _ if told.is_paid && words_count < PAID_WORDS_MIN => {
            no("it is behind a paywall: only a beginning was given")
        }
        1..WALLED_WORDS_MAX if says(&PAY) => {
            no("it is behind a paywall: only a beginning was given")
        }
        // Few words, since a short article may have a form to log in for comments.
        1..FORM_WORDS_MAX if form == PasswordForm::Password || says(&LOGIN) => {
            no("it is a form for logging in")
        }
        1..NOTICE_WORDS_MAX if says(&ROBOT) => {
            no("it asks whether a person or a program is reading, or wants scripts")
        }
        1..NOTICE_WORDS_MAX if says(&COOKIES) => no("it asks for consent to cookies"),
        1..NOTICE_WORDS_MAX if says(&ERROR) => no("it is an error shown as a page"),
        1..SHORT_NOTICE_WORDS_MAX if says(&NOTICES) => no("it is a notice in the place of a page"),
        _ => Ok(()),
    }
}

/// Reports whether a text is an object of JSON, which services send as an error.
fn is_data(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('{') && serde_json::from_str::<serde_json::Map<_, _>>(text).is_ok()
}
