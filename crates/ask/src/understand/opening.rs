//! How a clause is introduced and closed: "am I right in thinking that …", "could you list …", "…, is that so?"

use super::lexicon;
use super::part::ReadClause;
use super::token::After;
use crate::words::is_in;

/// Words around those that judge or ask. They say nothing else.
const AROUND: &str = "i we you it someone somebody anyone anybody people colleague collegue coworker \
    teammate friend docs documentation a an the my our this that in to of for like as far out by me us \
    please kindly just pretty quite rather fairly very double again first quickly not so also bit and \
    is am are was were be been being got always can could would will shall do does did have has had may might \
    should make need want now here whether if really from what under strong grepped searched looked";
/// Words that state that something is so. Verbs among them are the speaker's.
const BELIEFS: &str = "think thinking thought believe believed assume assumed assuming guess guessed guessing \
    suspect suspected reckon figured say saying said told heard claim claims claimed swear swears insist insists \
    confirm verify check agree expect expected understand gather";
/// Adjectives and nouns that state that something is so, or ask if it is.
const JUDGEMENTS: &str = "correct right true accurate fair sure certain convinced mistaken wrong afaik \
    understanding impression feeling hunch assumption case fact seems seem appears looks positive";
/// Words that ask if something is so, before "whether" or "if".
const DOUBTS: &str =
    "know wonder wondering tell see find remember interested curious question figure";
/// Verbs of a request, in addition to the verbs that ask.
const REQUESTS: &str = "be know see understand have learn hear read view study open";

/// Reports whether a word is the verb of a request: "want to know".
pub(super) fn is_request_verb(word: &str) -> bool {
    is_in(REQUESTS, word)
}

impl ReadClause {
    /// Takes an opening. Returns true if it asks for a judgement of what follows, false if it only
    /// requests an answer.
    pub(super) fn take_opening(&mut self) -> Option<bool> {
        // An opening comes among the first words, or after a pause: "f calls g, I think".
        let starts = (0..self.tokens.len()).filter(|at| {
            *at < 4 && !self.taken[*at] || *at > 0 && self.tokens[*at - 1].after == After::Pause
        });
        for at in starts.collect::<Vec<usize>>() {
            let believed = self.belief(at).or_else(|| self.missed(at));
            let found = believed.map(|end| (end, true));
            if let Some((end, is_whether)) = found.or_else(|| Some((self.request(at)?, false))) {
                self.take(at, end - at);
                return Some(is_whether);
            }
        }
        None
    }

    /// Returns the end of an opening that asks for a judgement: "I was told that", "can you check
    /// whether".
    fn belief(&self, start: usize) -> Option<usize> {
        if let Some(length) = self.stands(start, "i take it") {
            return Some(start + length + usize::from(self.word(start + length) == "that"));
        }
        let fits = |at: usize| {
            let word = self.word(at);
            [AROUND, BELIEFS, JUDGEMENTS, DOUBTS]
                .iter()
                .any(|list| is_in(list, word))
                && !self.tokens[at].is_code
        };
        let (mut end, mut is_said, mut doubts) = (None, false, false);
        let mut at = start;
        while at < self.tokens.len() && fits(at) {
            let word = self.word(at);
            is_said |= is_in(BELIEFS, word) && self.is_of_speaker(at, start)
                || is_in(JUDGEMENTS, word) && self.is_judged(at);
            // "As far as I can see" states something, although "see" asks in "can you see whether".
            is_said |= is_in(DOUBTS, word) && (start..at).any(|at| self.word(at) == "far");
            doubts |= is_in(DOUBTS, word) && self.is_of_speaker(at, start);
            let joins = is_in("whether if", word) || word == "that" && is_said;
            let ends = [BELIEFS, JUDGEMENTS, DOUBTS]
                .iter()
                .any(|list| is_in(list, word));
            if is_said && (ends || joins || word == "like") || doubts && word != "that" && joins {
                end = Some(at + 1);
            }
            if self.tokens[at].after != After::Word {
                break;
            }
            at += 1;
        }
        self.after_noun(end?)
    }

    /// Returns the end of an opening whose last word is a noun with a verb: "my understanding is
    /// X".
    fn after_noun(&self, end: usize) -> Option<usize> {
        let mut end = end;
        let is_noun = self.says(
            end - 1,
            "understanding impression feeling hunch assumption guess",
        );
        if is_noun && self.says(end, "is was") {
            end += 1 + usize::from(self.word(end + 1) == "that");
        }
        let asks = lexicon::is_asking(self.word(end));
        (!asks && end < self.tokens.len()).then_some(end)
    }

    /// Returns the end of "I see" or the like before a word of absence.
    fn missed(&self, start: usize) -> Option<usize> {
        let is_seen = |at: &usize| self.says(*at, "see found find seen know");
        let seen = (start + 1..start + 4).find(is_seen)?;
        let between = (start + 1..seen).all(|at| self.says(at, "can could have only"));
        let is_none = self.says(seen + 1, "no nothing nobody none");
        let speaks = self.says(start, "i we");
        (speaks && between && is_none).then_some(seen + 1)
    }

    /// Reports whether a verb of belief is the act of a person: "I think", "to say", "please
    /// confirm", "someone told me".
    fn is_of_speaker(&self, at: usize, start: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        at == start
            || is_in(
                "i we you someone somebody anyone anybody people colleague collegue coworker teammate \
                 friend docs documentation to please kindly not just double am was were been have in would \
                 never our my the can could may",
                before,
            ) && (!["the", "my", "our"].contains(&before)
                || self.says(at, "understanding guess"))
    }

    /// Reports whether a judgement is about what follows: "it is true that", "it looks like", but
    /// not "it looks at".
    fn is_judged(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        match self.word(at) {
            "seems" | "seem" | "appears" | "looks" => {
                is_in("like to as that", next) && self.word(at + 2) != "be"
                    || at > 0 && self.word(at - 1) == "it" && self.word(at) == "seems"
            }
            "case" | "fact" => is_in("that if", next) || self.tokens[at].after != After::Word,
            _ => true,
        }
    }

    /// Returns the end of a request: "could you list", "I would like to know", "I need".
    fn request(&self, start: usize) -> Option<usize> {
        let mut at = start;
        let asks_somebody = lexicon::is_auxiliary(self.word(at))
            && self.says(at + 1, "you someone somebody anyone anybody");
        let may_see = self.says(at, "can could may might") && self.says(at + 1, "i we");
        let wants = self.says(at, "i we");
        if !(asks_somebody || may_see || wants) {
            return None;
        }
        // "I can not find where X is declared" asks with the words after it.
        let is_lost = wants && self.stands(at + 1, "can not").is_some();
        if is_lost && self.says(at + 3, "find see tell") {
            return lexicon::is_asking(self.word(at + 4)).then_some(at + 4);
        }
        at += if wants { 1 } else { 2 };
        while self.says(
            at,
            "please kindly just also would like to need want am looking for quickly",
        ) {
            at += 1;
        }
        let is_verb = lexicon::is_asking_verb(self.word(at)) || self.says(at, REQUESTS);
        if may_see {
            return (self.word(at) == "see").then_some(at + 1);
        }
        if asks_somebody {
            return is_verb.then_some(at + 1);
        }
        let wanted = at > start + 1 && self.says(at - 1, "need want to for");
        wanted.then_some(at + usize::from(is_verb))
    }

    /// Takes a short end that only asks for confirmation.
    pub(super) fn take_tag(&mut self) -> bool {
        let count = self.tokens.len();
        let word = |at: usize| self.tokens[at].lower.as_str();
        let bare = ["true or false", "yes or no", "or not"];
        for start in 1..count {
            let words: Vec<&str> = (start..count).map(word).collect();
            let words = words.join(" ");
            let pauses = self.tokens[start - 1].after != After::Word
                || bare.contains(&words.as_str())
                || is_inverted(&words);
            if pauses && is_tag(&words) && !(start..count).any(|at| self.tokens[at].is_code) {
                self.take(start, count - start);
                return true;
            }
        }
        false
    }
}

/// Reports whether words are a tag without the comma before it: "…, doesn't it".
fn is_inverted(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    let [auxiliary, "not", "it" | "they" | "he" | "she"] = words.as_slice() else {
        return false;
    };
    lexicon::is_auxiliary(auxiliary)
}

/// Words of a tag, which is a short end that only asks for confirmation.
const TAG_WORDS: &str = "is are was were am does do did has have had can could would should will it they \
    that this i you we me us someone somebody anyone anybody not or yes no y n true false right wrong \
    correct accurate so agreed agree confirm refute verify check hold holds really ok okay there such a \
    the my case thing mistaken eh huh please kindly actually still what call think sure assumption \
    statement claim understanding assessment impression conclusion reading he she missing caller user \
    one something anything for by any chance yeah yep yup misreading misremembering misled dreaming";
/// Those of them that ask.
const TELLING_TAGS: &str = "right wrong correct accurate confirm refute verify hold holds true false agreed \
    agree y yes yeah yep yup no not it they there mistaken missing so eh huh such case \
    misreading misremembering misled dreaming";

/// Reports whether words are a tag: "am I right", "or is it not", "could somebody confirm this".
pub(super) fn is_tag(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    words.len() <= 8
        && !["what", "call", "a", "the", "by", "any", "for"].contains(&words[0])
        && words.iter().all(|word| is_in(TAG_WORDS, word))
        && words.iter().any(|word| is_in(TELLING_TAGS, word))
}
