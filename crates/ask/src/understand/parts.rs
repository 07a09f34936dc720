//! Splits a text into clauses, and tells clauses that ask from clauses that only state something.

use super::again;
use super::token::{After, QuestionToken};
use super::{lexicon, pairs};
use crate::words::is_in;

/// A clause, and whether it asks.
pub(super) struct Clause {
    pub(super) tokens: Vec<QuestionToken>,
    pub(super) asks: bool,
}

/// Words that join two questions.
const JOINTS: &str = "and or but plus";

/// Splits a text into clauses, in order. If no clause asks, the last one counts as the question.
pub(super) fn clauses(tokens: Vec<QuestionToken>) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    // A correction goes first, since what it replaces can have any form: "which function does a…
    // sorry, I mean b: …".
    let tokens = without_announcement(without_thanks(corrected(tokens)));
    let sentences = again::said_in_one(sentences(tokens), &asks);
    let last_asking = sentences.iter().rposition(|sentence| asks(sentence));
    for (number, sentence) in sentences.into_iter().enumerate() {
        let has_later = last_asking.is_some_and(|last| last > number);
        let sentence = match said_again(sentence) {
            (Some(before), after) => {
                clauses.push(said_before(before));
                after
            }
            (None, whole) => whole,
        };
        let turns = at_turns(sentence);
        let last_turn = turns.iter().rposition(|sentence| asks(sentence));
        for (turn, sentence) in turns.into_iter().enumerate() {
            let has_later = has_later || last_turn.is_some_and(|last| last > turn);
            let has_asked = clauses.iter().any(|clause| clause.asks);
            let was_asked = clauses.iter().any(|clause| is_marked(&clause.tokens));
            // "Tempted to change what f promises. Who calls it?" has a plan with a question word
            // before the question. A question mark outweighs most signs that a sentence only tells.
            let is_plain = !is_marked(&sentence);
            let is_plan = has_later && is_plain && is_motive(&sentence);
            let only_tells = is_plan
                || is_plain
                    && (has_later && tells_when(&sentence) || was_asked && is_remark(&sentence))
                || has_asked && is_motive(&sentence);
            let asks = (asks(&sentence) || is_short_question(&sentence)) && !only_tells;
            clauses.extend(parts_of(sentence, asks));
        }
    }
    ask_last(&mut clauses);
    without_motives(&mut clauses);
    with_exclusions(clauses)
}

/// Makes the last clause the question if no clause asks.
fn ask_last(clauses: &mut [Clause]) {
    let has_asking = clauses.iter().any(|clause| clause.asks);
    if let Some(last) = clauses.last_mut() {
        last.asks |= !has_asking;
    }
}

/// Reports whether a sentence only tells when something happens: "something stops the pump when the
/// tank is full." It has no name, and no question word but the "when" of a condition.
fn tells_when(sentence: &[QuestionToken]) -> bool {
    let asks = |token: &QuestionToken| {
        lexicon::is_asking(&token.lower) || lexicon::is_asking_verb(&token.lower)
    };
    let mut asking = sentence.iter().enumerate();
    let mut asking = asking.by_ref().filter(|(_, token)| asks(token));
    let (first, next) = (asking.next(), asking.next());
    let is_when = |(at, token): (usize, &QuestionToken)| at > 2 && token.lower == "when";
    let names = sentence.iter().any(|token| token.is_code);
    let opens = sentence
        .first()
        .is_some_and(|one| lexicon::is_auxiliary(&one.lower));
    first.is_some_and(is_when) && next.is_none() && !names && !opens
}

/// Returns the clause before a repetition. It asks if it restricts a list: "every type with its own
/// f method, i.e. what implements X?"
fn said_before(tokens: Vec<QuestionToken>) -> Clause {
    let asks = is_list_with_own(&tokens);
    Clause { tokens, asks }
}

/// Splits a sentence into its clauses: its halves, what is joined in them, and pairs of names.
fn parts_of(sentence: Vec<QuestionToken>, asks: bool) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let sentence = match asks {
        true => without_motive(sentence),
        false => sentence,
    };
    for (sentence, is_half) in at_aspects(sentence) {
        let asks = asks || is_half;
        for tokens in at_joints(sentence, asks) {
            let apart = pairs::apart(tokens);
            let asks = asks || apart.len() > 1;
            clauses.extend(apart.into_iter().map(|tokens| Clause { tokens, asks }));
        }
    }
    clauses
}

/// Joins a clause that restricts the places with the question before or after it: "who calls it?
/// Ignore the tests."
fn with_exclusions(clauses: Vec<Clause>) -> Vec<Clause> {
    const EXCLUDES: &str = "only skip ignore exclude excluding without omit leave disregard";
    let tells = |clause: &Clause| {
        let words = || clause.tokens.iter().map(|token| token.lower.as_str());
        let of_scope = words().any(|word| is_in(EXCLUDES, word))
            || words().any(lexicon::is_test) && words().any(|word| is_in("not no", word));
        let speaks = words()
            .next()
            .is_some_and(|word| is_in("i we it they there", word));
        // "In the tests, please." and "Within lib." give a place, whatever they name.
        let is_place = words()
            .next()
            .is_some_and(|word| is_in("in inside within under outside not", word));
        !clause.asks
            && (of_scope || is_place)
            && !speaks
            // A longer sentence says more than which places count.
            && clause.tokens.len() < 10
            && (is_place || !clause.tokens.iter().any(|token| token.is_code))
    };
    let mut joined: Vec<Clause> = Vec::new();
    for clause in clauses {
        let question = joined.last_mut().filter(|last| last.asks && tells(&clause));
        match question {
            Some(question) => {
                if let Some(last) = question.tokens.last_mut() {
                    last.after = After::Pause;
                }
                question.tokens.extend(clause.tokens);
            }
            None => joined.push(clause),
        }
    }
    joined
}

/// Drops words after a pause that only urge or thank: "…, thx", "…, thanks in advance".
fn without_thanks(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const THANKS: &str = "thx thanks thank you please pls plz quick asap cheers";
    const BESIDE: &str = "in advance a lot so much many";
    let is_thanks = |token: &QuestionToken| is_in(THANKS, &token.lower);
    let is_beside = |token: &QuestionToken| is_thanks(token) || is_in(BESIDE, &token.lower);
    let start = tokens
        .iter()
        .rposition(|token| !is_beside(token))
        .map_or(0, |at| at + 1);
    let thanks = tokens[start..].iter().any(is_thanks);
    if thanks && start > 0 && tokens[start - 1].after == After::Pause {
        tokens.truncate(start);
    }
    tokens
}

/// Drops what only announces a question: "I need two things: the location of X, and who calls it".
fn without_announcement(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const ANNOUNCING: &str = "i we you need want have got would like to know ask two three couple of a few some quick \
        quickie short small thing things question questions one ones here is are just please hi \
    hey hello ok okay so both";
    const NOUNS: &str = "thing things question questions ones";
    let Some(pause) = tokens.iter().position(|token| token.after != After::Word) else {
        return tokens;
    };
    let lead = &tokens[..=pause];
    let is_one = |token: &QuestionToken| !token.is_code && is_in(ANNOUNCING, &token.lower);
    let announces = pause > 0
        && pause + 1 < tokens.len()
        && lead.iter().all(is_one)
        && lead.iter().any(|token| is_in(NOUNS, &token.lower));
    match announces {
        true => tokens[pause + 1..].to_vec(),
        false => tokens,
    }
}

fn sentences(tokens: Vec<QuestionToken>) -> Vec<Vec<QuestionToken>> {
    let mut sentences = vec![Vec::new()];
    for token in tokens {
        let ends = token.after == After::End;
        if let Some(sentence) = sentences.last_mut() {
            sentence.push(token);
        }
        if ends {
            sentences.push(Vec::new());
        }
    }
    let mut sentences: Vec<Vec<QuestionToken>> =
        sentences.into_iter().map(without_reason).collect();
    sentences.retain(|sentence| !is_greeting(sentence) && !is_aside(sentence));
    let mut joined: Vec<Vec<QuestionToken>> = Vec::new();
    for sentence in sentences {
        match joined.last_mut().filter(|_| is_tag(&sentence)) {
            Some(last) => {
                if let Some(token) = last.last_mut() {
                    token.after = After::Pause;
                }
                last.extend(sentence);
            }
            None => joined.push(sentence),
        }
    }
    joined
}

/// Drops what is corrected: "which function does a… sorry, I mean b: what does it call?"
fn corrected(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    match tokens.iter().position(|token| token.lower == "sorry") {
        Some(at) if at > 0 && at + 3 < tokens.len() => {
            let says_mean = tokens[at + 1].lower == "i" && tokens[at + 2].lower == "mean";
            tokens[at + 1 + if says_mean { 2 } else { 0 }..].to_vec()
        }
        _ => tokens,
    }
}

/// Returns where "I mean" begins a repetition of the question: "which paths hand it out, I mean
/// call sites of f?"
fn meant_again(sentence: &[QuestionToken]) -> Option<usize> {
    let means = (1..sentence.len().saturating_sub(2)).find(|at| {
        let says = |at: usize, word: &str| sentence[at].lower == word;
        sentence[at - 1].after == After::Pause && says(*at, "i") && says(at + 1, "mean")
    });
    let is_told = |at: &usize| {
        let mut before = sentence[..*at].iter();
        let chooses = |word: &str| {
            lexicon::is_negation(word)
                || lexicon::is_only(word)
                || lexicon::is_test(word)
                || super::restriction::is_restricting(word)
        };
        // What names code or restricts something is more than a first attempt at the question.
        !before.any(|token| token.is_code || chooses(&token.lower))
    };
    means.filter(is_told)
}

/// Splits a sentence at "i.e." if a question follows it. Otherwise drops what only explains.
fn said_again(sentence: Vec<QuestionToken>) -> (Option<Vec<QuestionToken>>, Vec<QuestionToken>) {
    if let Some(at) = meant_again(&sentence) {
        return (Some(sentence[..at].to_vec()), sentence[at + 2..].to_vec());
    }
    let again = |token: &QuestionToken| is_in("i.e ie namely", token.lower.as_str());
    // "Namely?" alone repeats nothing.
    let at = sentence.iter().position(again);
    let Some(at) = at.filter(|at| *at > 0 && at + 1 < sentence.len()) else {
        return (None, sentence);
    };
    let (before, after) = (sentence[..at].to_vec(), sentence[at + 1..].to_vec());
    let first = after.first().map_or("", |token| token.lower.as_str());
    if lexicon::is_asking(first) || lexicon::is_auxiliary(first) {
        return (Some(before), after);
    }
    let names = |tokens: &[QuestionToken]| tokens.iter().any(|token| token.is_code);
    if names(&after) && !names(&before) {
        let mut kept: Vec<QuestionToken> = before
            .into_iter()
            .filter(|token| is_in("what default who where", token.lower.as_str()))
            .collect();
        kept.extend(after);
        return (None, kept);
    }
    (None, before)
}

/// Reports whether words list what has something of its own.
fn is_list_with_own(tokens: &[QuestionToken]) -> bool {
    let lists = tokens
        .first()
        .is_some_and(|token| is_in("every each all any which what", &token.lower));
    lists && tokens.iter().any(|token| token.lower == "own")
}

/// Splits a sentence at the pause or "but" after which it begins to ask: "trying to trace a bug:
/// who calls X?", "the linter is silent but is X unused?"
///
/// The first part only tells, and "it" refers to its names.
fn at_turns(sentence: Vec<QuestionToken>) -> Vec<Vec<QuestionToken>> {
    if let Some(turn) = while_reading(&sentence) {
        let (before, after) = sentence.split_at(turn);
        return vec![before.to_vec(), after.to_vec()];
    }
    let Some(turn) = turn_of(&sentence) else {
        return vec![sentence];
    };
    let mut before = sentence[..turn].to_vec();
    let asks = |token: &QuestionToken| {
        lexicon::is_asking(&token.lower) || lexicon::is_auxiliary(&token.lower)
    };
    // "Tests aside, is X used?" begins with a scope.
    if before.len() < 4 && before.iter().any(|token| lexicon::is_test(&token.lower)) {
        return vec![sentence];
    }
    // A name alone before the pause is the topic, and stays with what is asked about it.
    let is_number = |token: &QuestionToken| token.lower.bytes().all(|byte| byte.is_ascii_digit());
    let names = before.iter().any(|token| token.is_code);
    let only_names = names
        && before
            .iter()
            .all(|token| token.is_code || is_number(token) || lexicon::is_empty(&token.lower));
    let only_names = only_names && !is_nominal(&before) && !is_name_with_aspect(&before);
    if before.first().is_some_and(asks) || only_names || is_condition(&before) && !is_plan(&before)
    {
        return vec![sentence];
    }
    if let Some(last) = before.last_mut() {
        last.after = After::End;
    }
    let after = without_joints(&sentence[turn..], "so yet");
    if after.is_empty() {
        return vec![sentence];
    }
    vec![before, after]
}

/// Returns where the thought begins in "while reading X I came to think that …".
fn while_reading(sentence: &[QuestionToken]) -> Option<usize> {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let is_while = is_in("while when whilst", word(0)) && word(1).ends_with("ing");
    let turn = (2..sentence.len()).find(|at| word(*at) == "i")?;
    (is_while && sentence[..turn].iter().any(|token| token.is_code)).then_some(turn)
}

/// First words of an introduction to a question.
const LEADS_IN: &str = "quick question btw fyi context background just refactoring";
/// First words of a condition for the question, unless they say why it is asked.
const CONDITIONS: &str = "aside other above across against along amid among around at before behind below beneath \
    beside between beyond despite discounting disregarding down during following given near off on once only \
    opposite out over past pending per since though through throughout till toward towards under underneath unless \
    unlike until up upon via whenever wherever while with";
/// First words of a place to search.
const PLACING: &str =
    "in inside within under outside besides apart except excluding without not for ignoring";
/// First words of a place, if a name follows.
const OF_PLACE: &str = "from by of";
/// Words for those who ask. What they do or see is no condition.
const PERSONS: &str = "i we my our us you your me";
/// Phrases that begin like a condition and set none.
const IDIOMS: [&str; 12] = [
    "on a related note",
    "on a side note",
    "on that note",
    "at the moment",
    "at this point",
    "for context",
    "for the record",
    "for reference",
    "in general",
    "in short",
    "with that in mind",
    "given that",
];

/// Number of words in an introduction, and one more.
const LEAD_IN_MAX: usize = 6;

/// Reports whether a sentence begins with why it is asked: "before renaming: …", "security audit:
/// …".
fn says_why(sentence: &[QuestionToken]) -> bool {
    let colon =
        (1..sentence.len().min(LEAD_IN_MAX)).find(|at| sentence[*at - 1].after == After::Pause);
    let is_motive = |token: &QuestionToken| {
        !token.is_code
            && !lexicon::is_test(&token.lower)
            && !lexicon::is_negation(&token.lower)
            && !lexicon::is_only(&token.lower)
            && !lexicon::is_asking(&token.lower)
            && !token.lower.ends_with("ly")
    };
    let asks = |first: &QuestionToken| lexicon::is_asking_verb(&first.lower);
    !sentence.first().is_some_and(asks)
        && colon.is_some_and(|at| at > 1 && sentence[..at].iter().all(is_motive))
}

/// Returns where a sentence turns to its question; `None` if it does not.
fn turn_of(sentence: &[QuestionToken]) -> Option<usize> {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let first = |list: &str| is_in(list, word(0));
    // "Trying to follow the removal: a calls b, yes or no?" asks with a statement.
    let leads_in = word(0).ends_with("ing") || first(LEADS_IN) || says_why(sentence);
    let names_later = |at: usize| {
        leads_in
            && sentence[..at].iter().all(|token| !token.is_code)
            && sentence[at..].iter().any(|token| token.is_code)
    };
    let turn = (1..sentence.len()).find(|at| {
        let pauses = sentence[at - 1].after == After::Pause || is_in("but yet", word(*at));
        pauses && (begins_to_ask(sentence, *at) || names_later(*at))
    });
    // A condition stays with its question, where its words count as unread: "on Windows, who calls
    // f?"
    turn.filter(|turn| !restricts(&sentence[..*turn]))
}

/// Reports whether the words before a question set a place or a condition for it: "on Windows, who
/// calls f?"
fn restricts(lead: &[QuestionToken]) -> bool {
    let word = |at: usize| lead.get(at).map_or("", |token| token.lower.as_str());
    let is_place = || is_in(OF_PLACE, word(0)) && lead.iter().any(|token| token.is_code);
    let is_of_person = || lead.iter().any(|token| is_in(PERSONS, &token.lower));
    let words: Vec<&str> = lead.iter().map(|token| token.lower.as_str()).collect();
    let words = words.join(" ");
    // "After debugging" and "with X being deprecated" say why it is asked.
    let is_work = |token: &QuestionToken| {
        let is_doing = is_in(WORKING, &token.lower) || lexicon::is_change(&token.stem);
        token.lower.ends_with("ing") && is_doing || token.lower == "being"
    };
    let is_doing = || lead.iter().take(4).any(is_work);
    let is_condition = is_in(CONDITIONS, word(0)) || word(0) == "as" && word(1) == "of";
    let is_one = is_in(PLACING, word(0)) || is_condition && !is_of_person() && !is_doing();
    let is_idiom = || IDIOMS.iter().any(|idiom| words.starts_with(idiom));
    (is_one || is_place()) && !is_idiom()
}

/// Returns how many words at the start of a clause set a place or a condition for its question.
pub(super) fn lead_of(tokens: &[QuestionToken]) -> usize {
    let turn = (1..tokens.len())
        .find(|at| tokens[at - 1].after == After::Pause && begins_to_ask(tokens, *at));
    turn.filter(|turn| restricts(&tokens[..*turn])).unwrap_or(0)
}

/// Reports whether a question of its own begins at a word.
fn begins_to_ask(sentence: &[QuestionToken], at: usize) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let at = at + usize::from(is_in("and so but yet", word(at)));
    let rest = &sentence[at.min(sentence.len())..];
    let before = &sentence[..at.min(sentence.len())];
    let asked_before =
        !is_motive(before) && before.iter().any(|token| lexicon::is_asking(&token.lower));
    // "By what commit, and by whom" asks for more of the same answer.
    let says = rest
        .iter()
        .any(|token| token.is_code || lexicon::is_auxiliary(&token.lower) || token.lower == "it");
    let words: Vec<&str> = rest.iter().map(|token| token.lower.as_str()).collect();
    is_question_start(sentence, at)
        && !(word(at) == "which" && asked_before)
        && says
        && !super::opening::is_tag(&words.join(" "))
}

/// Reports whether words describe the plan of a person: "before I change X". The code does nothing
/// there.
fn is_plan(tokens: &[QuestionToken]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    is_in("before after once", word(0)) && is_in("i we", word(1))
}

/// Reports whether a clause sets a condition that the next one asks about: "if X starts to fail".
fn is_condition(tokens: &[QuestionToken]) -> bool {
    tokens.first().is_some_and(|token| {
        is_in(
            "if when once after before should suppose given",
            token.lower.as_str(),
        )
    })
}

/// Reports whether a sentence only asks for confirmation: "true or false?", "right?"
fn is_tag(sentence: &[QuestionToken]) -> bool {
    let words: Vec<&str> = sentence.iter().map(|token| token.lower.as_str()).collect();
    super::opening::is_tag(&words.join(" "))
}

/// Reports whether a sentence only says what an answer does anyway: "please do not mix it up with
/// Y", "mentions in comments do not matter", "asking because …", "no grandchildren."
fn is_aside(sentence: &[QuestionToken]) -> bool {
    let words: Vec<&str> = sentence.iter().map(|token| token.lower.as_str()).collect();
    let at = usize::from(words.first() == Some(&"please"));
    match words.get(at..).unwrap_or_default() {
        ["do", "not" | "never", verb, ..] => is_in("mix confuse mistake", verb),
        ["asking", "because" | "since" | "as", ..] | ["i", "ask", "because" | "since", ..] => true,
        ["mentions", "in", "comments", rest @ ..] => {
            let says = |word: &&str| is_in("matter count interest", word);
            rest.iter().any(says) && rest.iter().any(|word| is_in("not no", word))
        }
        ["no", "grandchildren"] => true,
        _ => false,
    }
}

/// Drops the reason before a question: "asking because I inline it: who calls f?"
fn without_reason(mut sentence: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let pause = (1..sentence.len()).find(|at| {
        sentence[at - 1].after == After::Pause
            && (is_question_start(&sentence, *at) || begins_request(&sentence, *at))
    });
    if let Some(pause) = pause.filter(|_| is_aside(&sentence)) {
        sentence.drain(..pause);
    }
    sentence
}

/// Reports whether a sentence ends with a question mark.
fn is_marked(tokens: &[QuestionToken]) -> bool {
    tokens.last().is_some_and(|token| token.is_asked)
}

/// Reports whether a sentence names nothing and does not begin to ask: "grep gives me nothing",
/// "looks dead to me".
fn is_remark(sentence: &[QuestionToken]) -> bool {
    let begins = is_question_start(sentence, 0) || begins_request(sentence, 0);
    let names = sentence.iter().any(|token| token.is_code);
    !begins && !names && !is_nominal(sentence)
}

/// Drops why it is asked after a pause: "callers of f, I want to add another check in it".
fn without_motive(mut sentence: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let start = (1..sentence.len()).find(|at| {
        let rest = &sentence[*at..];
        sentence[at - 1].after == After::Pause
            && sentence[..*at].iter().any(|token| token.is_code)
            && !rest.iter().any(|token| token.is_code || token.is_asked)
            && is_motive(rest)
    });
    if let Some(start) = start {
        sentence.truncate(start);
        sentence[start - 1].after = After::End;
    }
    sentence
}

/// Participles for what the asker may be doing.
const WORKING: &str = "looking trying chasing tracing hunting digging checking going refactoring debugging working \
    writing migrating reviewing updating documenting cleaning porting \
    investigating preparing rewriting auditing reading learning gonna";

/// Reports whether a sentence says why something is asked: "want to make it stricter", "thinking of
/// changing how it quotes".
fn is_motive(sentence: &[QuestionToken]) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let at = usize::from(is_in("i we", word(0)));
    let at = at + usize::from(is_in("am are was just", word(at)));
    let plans = [
        "thinking",
        "wondering",
        "planning",
        "considering",
        "worried",
        "hoping",
        "thought",
        "debating",
        "tempted",
        "itching",
        "keen",
        "remember",
        "recall",
        "swear",
    ];
    let wants = [
        "want", "wanting", "trying", "need", "going", "about", "hope",
    ];
    let does = word(at + 2);
    let asks = lexicon::is_asking_verb(does)
        || lexicon::is_asking(does)
        || super::opening::is_request_verb(does);
    let seems = word(0) == "it" && is_in("seems looks feels", word(1));
    // "Refactoring the streams" and "can not find it" have no plan or wish.
    let works = is_in(WORKING, word(0));
    let misses =
        is_in("can could do did", word(at)) && word(at + 1) == "not" && is_in("find see", does);
    seems
        || works
        || misses
        || plans.contains(&word(at))
        || wants.contains(&word(at)) && word(at + 1) == "to" && !asks
}

/// Reports whether a sentence is a greeting or thanks: "hi!", "thanks."
fn is_greeting(sentence: &[QuestionToken]) -> bool {
    sentence.iter().all(|token| {
        is_in(
            "hi hello hey thanks thank you please there all",
            token.lower.as_str(),
        )
    })
}

/// Reports whether a sentence asks: it has a question word, begins with an auxiliary or a request,
/// or has a tag.
fn asks(sentence: &[QuestionToken]) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let first = (0..sentence.len())
        .find(|at| {
            !["so", "and", "please", "hey", "hi", "now", "then", "also"].contains(&word(*at))
        })
        .unwrap_or(0);
    // "There is f, which opens things. Who calls it?" begins with a sentence that tells, although
    // it has a question word.
    let tells = is_in("i we there yesterday this that our my the", word(first));
    let has_request = (0..sentence.len()).any(|at| {
        let pauses = at == first
            || at > 0 && (sentence[at - 1].after == After::Pause || word(at - 1) == "and");
        // The "which" in "there is X, which opens things" asks nothing.
        pauses && begins_request(sentence, at) && !(tells && at > 0 && word(at) == "which")
    });
    let tells = tells || is_lost(sentence);
    let names_aspect = is_name_with_aspect(sentence);
    let last = sentence.last().map_or("", |token| token.lower.as_str());
    let wonders = (0..sentence.len()).any(|at| word(at) == "whether" || word(at) == "wonder");
    let is_tagged = is_in("right correct it they false refute so", last) && !tells;
    has_request
        || names_aspect
        || is_nominal(&sentence[first..])
        || lexicon::is_auxiliary(word(first))
        || wonders
        || is_tagged
        || !tells
            && sentence
                .iter()
                .any(|token| lexicon::is_asking(&token.lower))
}

/// Largest number of words in a question without a verb.
const SHORT_QUESTION_MAX: usize = 5;

/// Reports whether a sentence is a name and a noun with a question mark: "X implementors?"
fn is_short_question(sentence: &[QuestionToken]) -> bool {
    is_marked(sentence)
        && (2..=SHORT_QUESTION_MAX).contains(&sentence.len())
        && sentence.iter().any(|token| token.is_code)
}

/// Reports whether a request or a question begins at a word.
fn begins_request(sentence: &[QuestionToken], at: usize) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let is_verb = lexicon::is_asking_verb(word(at)) && !["i", "need", "want"].contains(&word(at));
    is_verb
        || lexicon::is_asking(word(at))
        || is_in("in from at", word(at)) && lexicon::is_asking(word(at + 1))
}

/// Largest number of words in a name and what is asked about it.
const WITH_ASPECT_MAX: usize = 6;

/// Reports whether a sentence is a name, a pause, and a noun for what is asked: "X - default
/// length".
fn is_name_with_aspect(sentence: &[QuestionToken]) -> bool {
    let Some(name) = sentence.first().filter(|token| token.is_code) else {
        return false;
    };
    const PLACES: &str =
        "file file+line definition declaration location base superclass parent subclasses callers";
    let asks =
        |token: &QuestionToken| super::value::is_cue(&token.lower) || is_in(PLACES, &token.lower);
    let acts = |token: &QuestionToken| lexicon::is_auxiliary(&token.lower);
    name.after == After::Pause
        && sentence.len() <= WITH_ASPECT_MAX
        && sentence[1..].iter().any(asks)
        && !sentence.iter().any(acts)
}

/// Reports whether a sentence only says that something was not found: "I can not figure out how we
/// get there".
fn is_lost(sentence: &[QuestionToken]) -> bool {
    let words: Vec<&str> = sentence.iter().map(|token| token.lower.as_str()).collect();
    words
        .windows(4)
        .any(|four| four[..3] == ["i", "can", "not"] && is_in("figure see find tell", four[3]))
}

/// Reports whether a sentence asks without a verb: "location of X?", "difference between one and
/// the other".
fn is_nominal(sentence: &[QuestionToken]) -> bool {
    let articles = sentence.iter().take_while(|token| token.lower == "the");
    let [noun, of, rest @ ..] = &sentence[articles.count()..] else {
        return false;
    };
    if is_in(
        "difference differences comparison purpose meaning",
        noun.lower.as_str(),
    ) {
        return true;
    }
    is_in(
        "location definition declaration callers usages whereabouts subclasses superclass signature",
        noun.lower.as_str(),
    ) && is_in("of for", of.lower.as_str())
        && rest.iter().any(is_named)
        && !rest.iter().any(|token| lexicon::is_auxiliary(&token.lower))
}

/// Reports whether a word is written like a name.
fn is_named(token: &QuestionToken) -> bool {
    token.is_code || token.is_capital
}

/// Nouns for what is asked about a name, and words for all of it.
const ASPECTS: &str = "definition declaration location callers caller usages users references importers count number \
 amount total whether everyone everything everybody whoever anything code author authors superclass subclasses \
 implementations date lines places file base baseclass parent value methods fields variants signature parameters";
/// Words that join two of them.
const JOINS: &[&[&str]] = &[
    &["as", "well", "as"],
    &["along", "with"],
    &["together", "with"],
    &["plus"],
    &["also"],
    &["and"],
];

/// Splits a sentence at the second thing that is asked about one name: "X: its definition, plus
/// everything that calls it". Returns for each part whether it is one of several.
fn at_aspects(sentence: Vec<QuestionToken>) -> Vec<(Vec<QuestionToken>, bool)> {
    let cut = (1..sentence.len()).find_map(|at| aspect_after(&sentence, at).map(|next| (at, next)));
    let Some((end, next)) = cut else {
        return vec![(sentence, false)];
    };
    let (mut before, after) = (sentence[..end].to_vec(), sentence[next..].to_vec());
    if let Some(last) = before.last_mut() {
        last.after = After::End;
    }
    vec![(before, true), (after, true)]
}

/// Returns where the second thing begins that is asked about the name before a joint.
fn aspect_after(sentence: &[QuestionToken], at: usize) -> Option<usize> {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let stands = |join: &[&str]| {
        let mut words = join.iter().enumerate();
        words.all(|(offset, known)| word(at + offset) == *known)
    };
    let start = at + JOINS.iter().find(|join| stands(join))?.len();
    let leads =
        |word: &str| lexicon::is_article(word) || is_in("also all incoming whatever every", word);
    let next = (start..sentence.len()).find(|at| !leads(word(*at)))?;
    let has_its = sentence[..at].iter().any(|token| token.lower == "its");
    let is_aspect = is_in(ASPECTS, word(next))
        || (has_its || word(at) == "plus") && is_question_start(sentence, next);
    // "Plus whatever calls it" and "plus every check that reads it" ask with a relative clause.
    let joins = has_its || word(at) == "plus";
    let lists = is_in("every each all", word(start))
        && (next..sentence.len()).any(|at| is_in("that which", word(at)));
    let is_aspect = is_aspect || joins && (lists || is_in("whatever whoever", word(start)));
    let is_of_it = (start..sentence.len()).any(|at| is_in("it its them", word(at)));
    // "Number" alone does not say what is counted, so `counts_uses` decides it.
    let is_alone = next + 1 == sentence.len() && word(next) != "number";
    let is_alone = is_alone || counts_uses(&sentence[next..]);
    let names = |tokens: &[QuestionToken]| tokens.iter().any(is_named);
    let refers = sentence[..at].iter().any(|token| token.lower == "its");
    let is_of_one = (names(&sentence[..at]) || refers) && !names(&sentence[next..]);
    let is_other = is_aspect && (is_of_it || is_alone) && !is_place_tail(sentence, start);
    (is_of_one && is_other).then_some(start)
}

/// Reports whether words ask for a number of uses or parts: "number of call sites".
fn counts_uses(words: &[QuestionToken]) -> bool {
    const OF_USES: &str = "call calls sites callers uses usages users places subclasses methods \
    fields variants members \
        constants parameters";
    let [noun, of, uses @ ..] = words else {
        return false;
    };
    is_in("number count", noun.lower.as_str())
        && of.lower == "of"
        && uses
            .iter()
            .all(|token| is_in(OF_USES, token.lower.as_str()))
}

/// Splits a sentence at the joints between questions: "where is X defined, and who calls it?"
fn at_joints(sentence: Vec<QuestionToken>, asks: bool) -> Vec<Vec<QuestionToken>> {
    if !asks {
        return vec![sentence];
    }
    let word = |at: usize| {
        sentence
            .get(at)
            .map_or("", |token: &QuestionToken| token.lower.as_str())
    };
    let mut cuts = vec![0];
    for at in 1..sentence.len() {
        // "And if so, who calls it?" has its question word after the condition.
        let is_joint = is_in(JOINTS, word(at)) && at + 1 < sentence.len();
        let next = if word(at + 1) == "if" {
            skip_if(&sentence, at + 1)
        } else {
            at + 1
        };
        let begins = is_question_start(&sentence, next);
        let had_asked = (0..at).any(|at| asks_with(word(at)));
        // "Is it used or not?" has one question.
        let is_tag = is_in("not no", word(at + 1));
        let is_joined = is_joint && begins && !is_tag && !is_place_tail(&sentence, at + 1);
        if had_asked && (is_joined || asks_more(&sentence, at)) {
            cuts.push(at);
        }
    }
    cuts.push(sentence.len());
    let part = |pair: &[usize]| {
        let mut tokens = without_joints(&sentence[pair[0]..pair[1]], "");
        if tokens.first().is_some_and(|token| token.lower == "if") {
            let skip = skip_if(&tokens, 0);
            tokens.drain(..skip.min(tokens.len()));
        }
        tokens
    };
    cuts.windows(2)
        .map(part)
        .filter(|tokens| !tokens.is_empty())
        .collect()
}

/// Reports whether a word can open a question.
fn asks_with(word: &str) -> bool {
    lexicon::is_asking(word) || lexicon::is_auxiliary(word) || lexicon::is_asking_verb(word)
}

/// Returns words without the joints that they begin with.
fn without_joints(tokens: &[QuestionToken], more: &str) -> Vec<QuestionToken> {
    let is_joint = |token: &&QuestionToken| {
        let word = token.lower.as_str();
        is_in(JOINTS, word) || is_in(more, word)
    };
    tokens.iter().skip_while(is_joint).cloned().collect()
}

/// Reports whether a second question about the same thing follows a comma: "where is X defined, who
/// calls it".
fn asks_more(sentence: &[QuestionToken], at: usize) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let is_from = word(at) == "from" && word(at + 1) == "where";
    let begins = ["who", "where"].contains(&word(at))
        || word(at) == "what" && lexicon::is_auxiliary(word(at + 1))
        || is_from
        || word(at) == "how" && ["often", "many"].contains(&word(at + 1));
    let refers = sentence[at..].iter().any(|token| {
        token.is_code
            || ["it", "its", "them"].contains(&token.lower.as_str())
            || is_from && ["called", "used", "invoked", "imported"].contains(&token.lower.as_str())
    });
    sentence[at - 1].after == After::Pause && begins && refers && !is_place_tail(sentence, at)
}

/// Returns the number of the first word after the condition in "and if so, …".
fn skip_if(sentence: &[QuestionToken], at: usize) -> usize {
    let is_condition = |word: &str| is_in("if so yes not", word);
    (at..sentence.len())
        .find(|at| !is_condition(&sentence[*at].lower))
        .unwrap_or(sentence.len())
}

fn is_question_start(sentence: &[QuestionToken], at: usize) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |token| token.lower.as_str());
    let after_place =
        is_in("in from at on with of by since", word(at)) && lexicon::is_asking(word(at + 1));
    let auxiliary = is_in(
        "is are does do did was has have can could would will",
        word(at),
    );
    lexicon::is_asking(word(at)) || auxiliary || after_place
}

/// Reports whether the rest asks for more of the same answer: "…and on what line", "…and when".
fn is_place_tail(sentence: &[QuestionToken], at: usize) -> bool {
    let rest: Vec<&str> = sentence[at.min(sentence.len())..]
        .iter()
        .map(|token| token.lower.as_str())
        .collect();
    let is_of_tail = |word: &&str| {
        lexicon::is_asking(word) || lexicon::is_article(word) || is_in(OF_TAILS, word)
    };
    !rest.is_empty() && rest.iter().all(is_of_tail)
}

/// Words of such a rest: "and on what date", "and from where".
const OF_TAILS: &str = "on at in from by with of since line lines commit file folder date day year release version tag \
 author";

/// Reports whether a clause weighs a change, so that the uses are asked for next: "trying to work
/// out whether X is safe to rename".
fn weighs_a_change(tokens: &[QuestionToken]) -> bool {
    let begins = tokens
        .first()
        .is_some_and(|token| token.lower.ends_with("ing"));
    let weighs = |token: &QuestionToken| is_in("whether if", &token.lower);
    begins
        && tokens.iter().any(weighs)
        && tokens.iter().any(|token| lexicon::is_change(&token.stem))
}

/// Stops a clause from asking if it only says why the next one is asked, or is repeated by it.
fn without_motives(clauses: &mut [Clause]) {
    let count = clauses.len();
    let first = |clause: &Clause| clause.tokens.first().map(|token| token.lower.clone());
    let again = |clause: &Clause| first(clause).is_some_and(|word| is_in("i.e ie", word.as_str()));
    let starts_again: Vec<bool> = clauses.iter().map(again).collect();
    let asks: Vec<bool> = clauses.iter().map(|clause| clause.asks).collect();
    for (number, clause) in clauses.iter_mut().enumerate() {
        let says_again = clause
            .tokens
            .iter()
            .any(|token| is_in("i.e sorry", token.lower.as_str()));
        let is_said_again = starts_again.get(number + 1) == Some(&true);
        let decides = number + 1 < count
            && asks
                .get(number + 1..)
                .is_some_and(|rest| rest.contains(&true));
        let is_motive = says_again || is_said_again || decides && weighs_a_change(&clause.tokens);
        if number + 1 < count && clause.asks && is_motive {
            clause.asks = false;
        }
    }
}
