//! Claims about one name: where it is defined, what belongs to it, what it returns.

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};
use grounds_evidence::SymbolKind;

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ClauseName, ReadClause, with_line};
use super::shape;
use super::tree::{QuestionTree, last_part};
use crate::settle::is_prefix;
use crate::words::is_in;

/// Words that ask for a place and nothing else.
const PLACE: &str = "defined define defines declared declare declares definition declaration implementation \
    located location live lives resides sit sits configures sets implemented introduced find go jump locate \
    point where line definitions open class is def defs decl whereabouts hold holds house houses \
    place found put written";

/// Words for parts of a type that are counted or listed, and their kinds.
const PARTS: &[(&str, &str)] = &[
    ("variants", "variant"),
    ("variant", "variant"),
    ("methods", "method"),
    ("method", "method"),
    ("fields", "field"),
    ("field", "field"),
    ("properties", "property"),
    ("members", "member"),
    ("cases", "variant"),
    ("attributes", "attribute"),
    ("functions", "function"),
    ("classes", "class"),
    ("entries", "element"),
    ("elements", "element"),
    ("items", "element"),
    ("values", "element"),
    ("types", "class"),
    ("constants", "constant"),
    ("constant", "constant"),
    ("interfaces", "interface"),
    ("structs", "struct"),
    ("traits", "trait"),
    ("enums", "enum"),
    ("variables", "variable"),
    ("consts", "constant"),
    ("keys", "element"),
    ("impls", "impl block"),
    ("callbacks", "method"),
    ("blocks", "impl block"),
];

/// Returns the readings of a clause about one name.
pub(super) fn readings(part: &ReadClause, tree: &QuestionTree<'_>) -> Vec<ClauseReading> {
    let mut readings = Vec::new();
    readings.extend(place(part));
    readings.extend(defines(part));
    // The values of an enum are its variants, whatever noun the question has. `members` takes
    // "members" and "constants" for kinds of their own.
    match shape::values_of_enum(part, tree) {
        Some(values) => readings.push(values),
        None => readings.extend(members(part)),
    }
    readings.extend(shape::signature(part, tree));
    readings.extend(has_member(part));
    readings.extend(elements(part, tree));
    readings.extend(tests_of_file(part, tree));
    readings.extend(existence(part));
    readings.extend(visibility(part));
    readings.extend(tests_only(part));
    readings.extend(tested(part));
    readings.extend(returns(part));
    readings.extend(message(part, tree));
    readings
}

/// Reads a name with a scope and no verb: "X - test only?"
fn tests_only(part: &ReadClause) -> Option<ClauseReading> {
    let is_bare = part
        .free()
        .all(|at| part.is_name(at) || lexicon::is_empty(part.word(at)));
    let is_said = part.scope.tests == Tests::Inside && is_bare && part.asks == Asks::Which;
    let has_verb = part.has("who what which where list show find");
    let named = only_name(part).filter(|_| is_said && !has_verb)?;
    let mut claim = Claim::new(
        &names::USES,
        vec![Argument::Hole, Argument::is(named.text.clone())],
    );
    claim.quantifier = Quantifier::Only;
    Some(reading(part, claim, &named, ""))
}

/// Words that only say that something exists.
const THERE: &str = "exist exists existing available present there called named ship ships provide provides \
    offer offers contain contains define defines defined declared export exports";

/// Reads a question for existence: "is there a class called X?", "does X exist?", "do we have an X
/// function?"
fn existence(part: &ReadClause) -> Option<ClauseReading> {
    if part.asks != Asks::Whether
        || !part.is_existence() && !part.has("exist exists ship ships export exports")
    {
        return None;
    }
    // "Are there tests for X?" asks about tests, and `tested` reads it.
    let is_of_tests = part.scope.tests != Tests::Count;
    let named = only_name(part).filter(|_| !part.is_only && !is_of_tests)?;
    let mut claim = Claim::new(&names::DEFINES, vec![Argument::is(named.text.clone())]);
    let is_none = ["there is no", "there are no"]
        .iter()
        .any(|phrase| part.stands(0, phrase).is_some());
    claim.quantifier = if part.is_negated || is_none {
        Quantifier::None
    } else {
        Quantifier::Any
    };
    let kinds: Vec<String> = part
        .free()
        .map(|at| lexicon::singular(part.word(at)))
        .filter(|word| is_in(KINDS_ASKED, word.as_str()))
        .collect();
    claim.kind = match kinds.as_slice() {
        [] => None,
        all => Some(all.join(" ")),
    };
    Some(reading(part, claim, &named, THERE))
}

/// Reads a question for who may use a name: "is X public?"
fn visibility(part: &ReadClause) -> Option<ClauseReading> {
    let at = part.free().find(|at| part.says(*at, VISIBLE))?;
    let named = only_name(part).filter(|_| part.asks == Asks::Whether)?;
    let mut claim = Claim::new(&names::DEFINES, vec![Argument::is(named.text.clone())]);
    claim.quantifier = if part.is_negated {
        Quantifier::None
    } else {
        Quantifier::Any
    };
    claim.kind = Some(part.word(at).to_owned());
    // "Is there a public X?" asks for any such X, and not if the one that was named is public.
    let is_of_name = !part.is_existence() && named.at.is_none_or(|name| name < at);
    is_of_name.then(|| reading(part, claim, &named, VISIBLE))
}

/// Words for who may use a name.
const VISIBLE: &str = "public private exported unexported";

/// Kinds that a question for existence can name.
const KINDS_ASKED: &str =
    "class struct enum trait interface function method constant macro module type field variable";

/// Reads a question for tests: "is X tested?", "are there tests for X?", "is X covered by tests?"
fn tested(part: &ReadClause) -> Option<ClauseReading> {
    let is_said = part.free().any(|at| {
        let word = part.word(at);
        lexicon::is_test(word) && !part.is_name(at)
            || word.starts_with("test") && word.ends_with("ed")
            || word.starts_with("cover")
    }) || part.scope.tests == Tests::Inside
        && part.has("covered exercised cover covers exercise");
    // "Where is it not tested?" asks for what no list of uses shows.
    let is_other = part.is_only || part.is_negated && part.asks != Asks::Whether;
    let named = only_name(part).filter(|_| is_said && !is_other)?;
    if counts_what_it_has(part, &named) {
        return None;
    }
    let argument = Argument::is(named.text.clone());
    // "Where is X tested?" asks for its uses in tests, and only yes or no for a verdict.
    let (mut claim, tests) = match part.asks {
        Asks::Whether => (Claim::new(&names::TESTED, vec![argument]), Tests::Count),
        _ => (
            Claim::new(&names::USES, vec![Argument::Hole, argument]),
            Tests::Inside,
        ),
    };
    claim.is_negated = part.is_negated;
    claim.quantifier = match part.asks {
        Asks::Count => Quantifier::Count,
        Asks::CountFiles => Quantifier::CountFiles,
        _ => Quantifier::Some,
    };
    let mut found = reading(
        part,
        claim,
        &named,
        "tested covered cover covers covering coverage exercised exercise exercises unit integration",
    );
    found.claim.scope.tests = tests;
    let of_tests = part.free().filter(|at| lexicon::is_test(part.word(*at)));
    found.used.extend(of_tests);
    Some(found)
}

/// Reports whether parts are counted and "cover" is about no tests: "how many types does X cover?"
fn counts_what_it_has(part: &ReadClause, named: &ClauseName) -> bool {
    let verb = part.said("cover covers").next();
    let is_active = part.asks == Asks::Count && verb > named.at && named.at.is_some();
    let is_of_tests = part.tokens.iter().any(|one| lexicon::is_test(&one.lower));
    is_active && part.has("does do did") && !is_of_tests
}

/// Reads a question for a result: "what does X return?", "the return type of X", "does X return a
/// Y?"
fn returns(part: &ReadClause) -> Option<ClauseReading> {
    let at = part
        .said("return returns returned returning yield yields")
        .next()?;
    let named: Vec<&ClauseName> = part.symbols().collect();
    let (subject, object) = match named.as_slice() {
        [only] => ((*only).clone(), None),
        [one, other] if part.asks == Asks::Whether && one.at < Some(at) && other.at > Some(at) => {
            ((*one).clone(), Some((*other).clone()))
        }
        [] => (only_name(part)?, None),
        _ => return None,
    };
    if part.asks == Asks::Whether && object.is_none()
        || is_returned(part, at, &subject)
        // "What calls f and returns nothing?" asks for callers.
        || part.said("calls uses").any(|other| other < at)
        // "Which functions return T?" asks for functions, and not what `T` returns.
        || subject.at.is_some_and(|name| name > at) && part.has("which who")
    {
        return None;
    }
    let mut arguments = vec![Argument::is(subject.text.clone())];
    arguments.extend(object.iter().map(|named| Argument::is(named.text.clone())));
    let mut claim = Claim::new(&names::RETURNS, arguments);
    claim.is_negated = part.is_negated && object.is_some();
    let mut found = reading(part, claim, &subject, "back result value values");
    found.used.push(at);
    found.used.extend(object.and_then(|named| named.at));
    keep_the_rest(part, &mut found);
    Some(found)
}

/// Reports whether the name is returned or is in a condition: "where do we return X?", "what does
/// it return if X is unset?"
fn is_returned(part: &ReadClause, verb: usize, subject: &ClauseName) -> bool {
    let next = (verb + 1..part.tokens.len()).find(|at| !lexicon::is_article(part.word(*at)));
    let named = subject.at.unwrap_or(0);
    let is_of_condition = (verb + 1..named).any(|at| part.says(at, "if when unless for while"))
        && verb > 0
        && part.says(verb - 1, "it they that");
    subject.at.is_some() && subject.at == next || is_of_condition
}

/// Keeps words about the result with the claim, since the answer shows everything that is returned:
/// "which two generators can it return?"
fn keep_the_rest(part: &ReadClause, found: &mut ClauseReading) {
    let asks = part.said("which what").next();
    let is_rest = |at: &usize| {
        asks.is_some_and(|asks| *at > asks)
            && !part.is_name(*at)
            && !found.used.contains(at)
            && !lexicon::is_empty(part.word(*at))
    };
    let rest: Vec<usize> = part.free().filter(is_rest).collect();
    if found.claim.text(1).is_none() && !rest.is_empty() && rest.len() < 4 {
        let words: Vec<&str> = rest.iter().map(|at| part.word(*at)).collect();
        found.claim.kind = Some(words.join(" "));
        found.used.extend(rest);
    }
}

pub(super) fn only_name(part: &ReadClause) -> Option<ClauseName> {
    let mut named = part.symbols();
    let first = named.next();
    if named.next().is_some() {
        return None;
    }
    first
        .or_else(|| part.symbol_before().filter(|_| part.names.is_empty()))
        .cloned()
}

pub(super) fn reading(
    part: &ReadClause,
    claim: Claim,
    named: &ClauseName,
    words: &str,
) -> ClauseReading {
    let mut used: Vec<usize> = named.at.into_iter().collect();
    used.extend(part.said(words));
    ClauseReading {
        claim: Claim {
            scope: part.scope.clone(),
            ..claim
        },
        used,
    }
}

/// Reads a question for what is at a line: "what is at core.py:2119?", "lib/error.rb line 95 - what
/// is there?"
fn place(part: &ReadClause) -> Option<ClauseReading> {
    // "It points to a.rb:95. What is defined there?" and "…, which function is that?" refer to a
    // line that was named before.
    let before = part
        .context
        .iter()
        .rfind(|named| with_line(&named.text).1.is_some());
    let mentions = |words: &str| part.tokens.iter().any(|token| is_in(words, &token.lower));
    let points = mentions("there") || mentions("that it we") && mentions("function method class");
    let before = before.filter(|_| part.names.is_empty() && points);
    let named = part.names.iter().find(|named| named.is_path).or(before);
    let path = named
        .map(|named| named.text.clone())
        .or_else(|| part.scope.inside.first().cloned())?;
    let (file, line) = with_line(&path);
    let told = line_number(part, named);
    let line = line.or(told.as_ref().map(|(_, line)| *line))?;
    let mut used: Vec<usize> = named.and_then(|named| named.at).into_iter().collect();
    used.extend(told.into_iter().flat_map(|(words, _)| words));
    used.extend(part.said(
        "starts begins stands starting on at contains happens belong belongs beginning begin \
            start defined declared written read reading found in inside within middle of function \
            method class encloses enclosing surrounds surrounding around are sits falls is lies stands lives there \
            constant declaration definition variable field type struct symbol property name statement",
    ));
    let claim = Claim::new(&names::EXISTS, vec![Argument::is(format!("{file}:{line}"))]);
    Some(ClauseReading { claim, used })
}

/// Returns the words that give a line, and its number: "line 53", "L53", or a number directly after
/// the file.
fn line_number(part: &ReadClause, named: Option<&ClauseName>) -> Option<(Vec<usize>, u32)> {
    let number = |at: usize| part.word(at).parse::<u32>().ok();
    if let Some(at) = part.find("line") {
        return Some((vec![at, at + 1], number(at + 1)?));
    }
    let short = |at: usize| part.word(at).strip_prefix('l')?.parse::<u32>().ok();
    let said = (0..part.tokens.len()).find_map(|at| Some((vec![at], short(at)?)));
    let after = || {
        let at = named?.at? + 1;
        Some((vec![at], number(at)?))
    };
    said.or_else(after)
}

/// Reports whether what the name declares is counted, and not where it is declared: "how many names
/// does X declare?"
fn counts_what_it_declares(part: &ReadClause, named: &ClauseName) -> bool {
    let is_before = |name: usize| part.said("define declare").all(|verb| name < verb);
    part.has("define declare") && part.has("does do did") && named.at.is_some_and(is_before)
}

fn defines(part: &ReadClause) -> Option<ClauseReading> {
    let named = only_name(part)?;
    let mentions = |words: &str| part.tokens.iter().any(|token| is_in(words, &token.lower));
    // "X: which file and line?" asks for the place, although it has a question word.
    let of_place = mentions("file") && mentions("line");
    let is_bare = part.asks == Asks::Which
        && part.free().all(|at| {
            let asks = lexicon::is_asking(part.word(at)) && !of_place;
            part.is_name(at) || lexicon::is_empty(part.word(at)) && !asks
        });
    let counts = matches!(part.asks, Asks::Count | Asks::CountFiles);
    let more_than_once = part.find("more than once").is_some();
    let asks_place = part.asks == Asks::Where
        || is_bare
        || part.has(
            "def location located whereabouts definition declaration implementation line file \
            defines declares definitions configures",
        )
        || counts
        || lexicon::is_asking_verb(part.word(0))
        || part.word(0) == "go"
        || more_than_once;
    // "Name it" after another sentence asks for more than the place of what was named before.
    let is_of_before = part.names.is_empty() && part.asks != Asks::Where;
    let points = mentions("defined declared definition declaration line file location place");
    // "From where" asks for uses.
    let is_of_use = part.find("from where").is_some();
    if !asks_place || is_of_before && !points || part.asks == Asks::When || is_of_use {
        return None;
    }
    let mut claim = Claim::new(&names::DEFINES, vec![Argument::is(named.text.clone())]);
    if part.asks == Asks::Whether {
        // "Is X defined more than once?" is the denial of exactly one definition.
        claim.quantifier = Quantifier::Exactly(1);
        claim.is_negated = true;
        let more = part.has("than") && part.has("once one") || more_than_once;
        return more.then(|| reading(part, claim, &named, "defined declared more than once"));
    }
    if counts {
        return counted(part, claim, &named);
    }
    Some(reading(part, claim, &named, PLACE))
}

/// Reads a count of definitions: "how many files define X?", "how many definitions of X are there?"
fn counted(part: &ReadClause, mut claim: Claim, named: &ClauseName) -> Option<ClauseReading> {
    let words = "define defines defined declare declares declared definitions declarations definition overload \
        overloads";
    if named.is_path
        || counts_what_it_declares(part, named)
        || !part.has(words)
        || part.has("methods functions classes fields constants variants members types properties")
    {
        return None;
    }
    let of_files = part.asks == Asks::CountFiles || part.has("files");
    claim.quantifier = match of_files {
        true => Quantifier::CountFiles,
        false => Quantifier::Count,
    };
    let mut found = reading(part, claim, named, words);
    found
        .used
        .extend(part.said("files own contain contains has have hold holds"));
    Some(found)
}

/// Reads a question for parts: "how many variants has the enum X?", "what methods does X have?"
fn members(part: &ReadClause) -> Option<ClauseReading> {
    let (at, kind) = noun_for_parts(part)?;
    let counts = part.asks == Asks::Count;
    let prefix = at
        .checked_sub(1)
        .filter(|before| is_prefix(&part.tokens[*before].text));
    let named = match prefix {
        Some(prefix) if counts => beside_prefix(part, prefix)?,
        _ => whole(part)?,
    };
    if !asks_parts(part, at, kind, &named) {
        return None;
    }
    let mut claim = Claim::new(&names::MEMBER, vec![Argument::is(named.text.clone())]);
    claim.quantifier = match counts {
        true => Quantifier::Count,
        false => Quantifier::Some,
    };
    let before = at.checked_sub(1).filter(|_| counts || named.is_path);
    let adjective = prefix
        .filter(|_| counts)
        .or_else(|| before.filter(|before| is_adjective(part, *before, kind)));
    claim.kind = Some(match adjective {
        Some(before) if prefix.is_some() => format!("{} {kind}", part.tokens[before].text),
        Some(before) => format!("{} {kind}", part.word(before)),
        None => kind.to_owned(),
    });
    let mut found = reading(part, claim, &named, OF_WHOLES);
    found.used.push(at);
    found.used.extend(demanded(part, named.at));
    found.used.extend(adjective);
    if named.is_path || prefix.is_some() {
        found.claim.scope.inside.clear();
    }
    in_other_files(&mut found, part, &named);
    Some(found)
}

/// Adds the files that a clause names in addition to the whole to the scope.
fn in_other_files(found: &mut ClauseReading, part: &ReadClause, whole: &ClauseName) {
    let others = part
        .names
        .iter()
        .filter(|other| other.is_path && *other != whole);
    for file in others {
        found.used.extend(file.at);
        found.claim.scope.inside.push(file.text.clone());
    }
}

/// Returns the first noun for parts in a clause, and the kind of parts that it asks for.
fn noun_for_parts(part: &ReadClause) -> Option<(usize, &'static str)> {
    let (at, kind) = part.free().find_map(|at| {
        // "Types" alone is too general: "which types implement X?" asks for no parts.
        let is_one = |(word, _): &&(&str, &str)| *word == part.word(at) && *word != "types";
        PARTS.iter().find(is_one).map(|(_, kind)| (at, *kind))
    })?;
    // "Which methods of X are properties?" asks for properties, though the first noun is another
    // one.
    let kind = match part.free().any(|at| part.says(at, "properties")) {
        true => "property",
        false => kind,
    };
    Some((at, kind))
}

/// Words for a whole having its parts.
const OF_WHOLES: &str = "has have contain contains define defines declare declares cfg'd impl declared defined \
    total amount count own owns list belong belongs provide carry carries hold holds sum sets up expose exposes \
    keeps stores offer offers know knows distinguish distinguishes differentiate differentiates recognise \
    recognises recognize recognizes live lives sit sits reside resides make makes \
    form forms";

/// Returns the type or file whose parts are asked for.
fn whole(part: &ReadClause) -> Option<ClauseName> {
    let is_file = |text: &&String| text.contains('.') && !text.contains(' ');
    match (
        part.names.as_slice(),
        part.scope.inside.iter().find(is_file),
    ) {
        ([only], _) => Some(only.clone()),
        // "The enum X of a.rs": the file only says where X is.
        ([only, file], _) if file.is_path && !only.is_path && is_of(part, file) => {
            Some(only.clone())
        }
        ([], Some(file)) => Some(ClauseName::path(None, file)),
        ([], None) if part.asks == Asks::Count => part.context.last().cloned(),
        _ => None,
    }
}

/// Reports whether a word before a noun for parts selects some of them.
fn is_adjective(part: &ReadClause, before: usize, kind: &str) -> bool {
    let word = part.word(before);
    kind != "impl block"
        && !part.taken[before]
        && (!lexicon::is_empty(word) || is_in(VISIBLE, word))
        && !lexicon::is_asking(word)
        && !part.is_name(before)
}

/// Returns the type or file whose names begin with a prefix, or the one that was named before: "how
/// many STATE_ constants are in X?"
fn beside_prefix(part: &ReadClause, prefix: usize) -> Option<ClauseName> {
    let others = part.names.iter().filter(|named| named.at != Some(prefix));
    let others: Vec<&ClauseName> = others.collect();
    match (others.as_slice(), part.scope.inside.as_slice()) {
        ([only], []) => Some((*only).clone()),
        ([], [only]) => Some(ClauseName::path(None, only)),
        ([], []) => part.context.last().cloned(),
        _ => None,
    }
}

/// Reports whether a file is where another name is from.
fn is_of(part: &ReadClause, file: &ClauseName) -> bool {
    let before = file.at.and_then(|at| at.checked_sub(1));
    before.is_some_and(|at| part.says(at, "of in from"))
}

/// Reports whether a noun for parts asks for the parts of a whole.
fn asks_parts(part: &ReadClause, at: usize, kind: &str, named: &ClauseName) -> bool {
    let lists = part.asks == Asks::Which
        && match named.is_path {
            true => {
                let is_first = at > 0 && part.says(at - 1, "which what list all the");
                is_first && part.word(at).ends_with('s')
                    || part.has("declared defined declare define defines declares contain contains")
            }
            false => part.word(at).ends_with('s'),
        };
    let fits = match kind {
        "element" => false,
        "class" => named.is_path,
        "impl block" => named.is_path && part.has("impl impls"),
        _ => true,
    };
    fits && (lists || part.asks == Asks::Count)
}

/// Returns the words that say that methods are required: "methods that I have to provide to
/// implement X".
fn demanded(part: &ReadClause, name: Option<usize>) -> Vec<usize> {
    const DEMANDS: &str =
        "provide implement write define override make makes force forces supply code";
    let must = [
        "have to",
        "must",
        "need to",
        "make me",
        "makes me",
        "force me",
        "forces me",
    ];
    let is_said = must.iter().any(|phrase| part.find(phrase).is_some());
    let is_one = |at: &usize| Some(*at) != name && part.says(*at, DEMANDS);
    part.free().filter(|at| is_said && is_one(at)).collect()
}

/// Reads a question for a member: "does X have a Hijack method?", "which types have a Flush
/// method?"
fn has_member(part: &ReadClause) -> Option<ClauseReading> {
    let verb = part.said("has have having own owns").next()?;
    let is_kind = |at: usize| part.says(at, "method field property function");
    let is_part = |at: usize| is_kind(at) || part.says(at, "member variant");
    let is_before = |named: &&ClauseName| named.at.is_some_and(|at| at < verb);
    let before = part.symbols().find(is_before);
    // "Flush method: show me the types that have one" has the member before the verb.
    if part.says(verb + 1, "one it")
        && part.asks == Asks::Which
        && part.symbols().count() == 1
        && let Some(member) = before.filter(|named| named.at.is_some_and(|at| is_kind(at + 1)))
    {
        let arguments = vec![Argument::Hole, Argument::is(member.text.clone())];
        let claim = Claim::new(&names::MEMBER, arguments);
        let words = "has have having types classes structs";
        return Some(reading(part, claim, member, words));
    }
    let after = part.symbols().find(|named| named.at > Some(verb))?;
    // In "a copy constructor" and "default arguments" the word selects a kind, and is no name of a
    // member.
    let is_of_kind = |at: usize| {
        part.says(
            at + 1,
            "constructor constructors argument arguments parameter parameters",
        )
    };
    // "A default method" is any with a body, and none with that name.
    let is_selecting =
        |at: usize| !part.tokens[at].is_code && is_in(super::has::SELECTING, part.word(at));
    if after
        .at
        .is_some_and(|at| is_of_kind(at) || is_selecting(at))
    {
        return None;
    }
    let is_said = |at: usize| {
        is_part(at + 1) || part.word(at + 1) == "attribute" || is_part(at.wrapping_sub(1))
    };
    let is_whether = part.asks == Asks::Whether;
    if !(is_whether && before.is_some() || after.at.is_some_and(is_said)) {
        return None;
    }
    let owner = before.or_else(|| part.symbol_before().filter(|_| part.has("it")));
    if is_whether && owner.is_none() {
        return None;
    }
    let first = owner.map_or(Argument::Hole, |named| Argument::is(named.text.clone()));
    let arguments = vec![first, Argument::is(after.text.clone())];
    let mut claim = Claim::new(&names::MEMBER, arguments);
    claim.is_negated = part.is_negated && owner.is_some();
    let mut found = reading(part, claim, after, "has have attribute option key own");
    found.used.extend(owner.and_then(|named| named.at));
    Some(found)
}

/// Reports whether all definitions of a name have a value.
pub(super) fn is_valued(name: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[last_part(name)]);
    let mut definitions = known[0].definitions().peekable();
    definitions.peek().is_some()
        && definitions.all(|place| {
            matches!(
                place.kind,
                Some(
                    SymbolKind::Constant
                        | SymbolKind::Variable
                        | SymbolKind::Field
                        | SymbolKind::Property
                )
            )
        })
}

/// Reports whether all definitions of a name are macros or type aliases that may list things.
fn is_listing(name: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[last_part(name)]);
    let mut definitions = known[0].definitions().peekable();
    definitions.peek().is_some()
        && definitions.all(|place| match place.kind {
            Some(SymbolKind::Macro) => matches!(place.language, "C" | "C++"),
            Some(SymbolKind::TypeAlias) => place.language == "TypeScript",
            _ => false,
        })
}

fn is_json(name: &str, tree: &QuestionTree<'_>) -> bool {
    let is_list = [
        ".json",
        ".yml",
        ".yaml",
        "settings.gradle",
        "settings.gradle.kts",
    ]
    .iter()
    .any(|ending| name.ends_with(ending));
    is_list && tree.files_of(name).len() == 1
}

/// Returns the name in a clause, or in its scope, that may list what is counted.
fn listing(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseName> {
    let is_name = |text: &&String| super::token::looks_like_code(text) && !text.contains('/');
    let scoped = || {
        part.scope
            .inside
            .iter()
            .find(is_name)
            .map(|text| ClauseName::symbol(None, text))
    };
    let file = part.names.iter().find(|named| is_json(&named.text, tree));
    let file = file.cloned().or_else(|| {
        let mut inside = part.scope.inside.iter();
        inside
            .find(|text| is_json(text, tree))
            .map(|text| ClauseName::path(None, text))
    });
    let named = part.symbols().next_back().cloned();
    named.or_else(scoped).or(file)
}

/// Reads a question for the text of an error: "what text does the ShelfFull error carry?", "which
/// message is ShelfError raised with?"
fn message(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    const NOUNS: &str = "message messages text wording sentence string";
    const BESIDE: &str = "error errors exception exceptions carry carries have has with give gives given raise raised \
        raises throw thrown throws come comes say says show shows contain contains hold holds read reads report \
        reports tell tells default bear bears user users see sees print prints printed put display displays \
        displayed attached";
    let is_noun = |at: &usize| part.says(*at, NOUNS) && !part.is_name(*at);
    let noun = part.free().find(is_noun)?;
    let named = only_name(part)
        .filter(|_| part.asks == Asks::Which && !part.is_negated && !part.is_only)?;
    let is_rest = |at: &usize| {
        !part.is_name(*at)
            && *at != noun
            && !lexicon::is_empty(part.word(*at))
            && !lexicon::is_asking(part.word(*at))
    };
    let is_whole = part.free().filter(is_rest).all(|at| part.says(at, BESIDE));
    if !is_whole || part.names.len() > 1 || !is_error(part, &named, tree) {
        return None;
    }
    let mut claim = Claim::new(
        &names::THROWS,
        vec![Argument::Hole, Argument::is(named.text.clone())],
    );
    claim.kind = Some(crate::settle::carried::KIND.to_owned());
    let mut found = reading(part, claim, &named, BESIDE);
    found.used.push(noun);
    Some(found)
}

/// Reports whether a name is a type, and the clause or the name calls it an error.
fn is_error(part: &ReadClause, named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind as K;
    let is_word = |word: &str| is_in("error exception", word);
    let is_said = part.tokens.iter().any(|token| is_word(&token.lower));
    let is_called = named.text.ends_with("Error") || named.text.ends_with("Exception");
    let known = tree.know(&[last_part(&named.text)]).remove(0);
    let mut kinds = known.definitions().map(|place| place.kind);
    let is_type = |kind| {
        matches!(
            kind,
            Some(K::Class | K::Variant | K::Struct | K::Constructor)
        )
    };
    (is_said || is_called) && kinds.next().is_some_and(is_type) && kinds.all(is_type)
}

/// Returns the noun for tests that a clause counts: "how many unit tests".
fn counted_tests(part: &ReadClause) -> Option<usize> {
    let is_noun = |at: &usize| lexicon::is_test(part.word(*at)) && !part.is_name(*at);
    let noun = (0..part.tokens.len()).find(is_noun)?;
    let mut before = (0..noun).rev();
    let before = before.find(|at| !part.says(*at, "unit integration different"));
    before
        .is_some_and(|at| part.says(at, "many of count the"))
        .then_some(noun)
}

/// Reads a count of the tests in a file: "how many tests are in tests/io.rs?", "number of specs in
/// spec/io_spec.rb".
fn tests_of_file(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    const BESIDE: &str = "test unit integration functions function methods method cases case does do has have having \
        contain contains hold holds define defines declare declares sit sits live lives defined declared written found \
        there file total count number of in";
    let noun = counted_tests(part)?;
    let paths = part
        .names
        .iter()
        .map(|named| &named.text)
        .chain(&part.scope.inside);
    let paths: Vec<&String> = paths.collect();
    let [path] = paths[..] else {
        return None;
    };
    let is_rest = |at: usize| {
        let word = part.word(at);
        part.is_name(at)
            || part.tokens[at].text == *path
            || lexicon::is_test(word)
            || is_in(BESIDE, word)
            || lexicon::is_empty(word)
    };
    let is_whole = (0..part.tokens.len())
        .all(|at| is_rest(at) && !part.says(at, "file files folder folders"))
        || part.says(noun + 1, "functions methods cases");
    let is_one = part.asks == Asks::Count && tree.files_of(path).len() == 1;
    if !is_one || !is_whole || part.is_negated || part.is_only || !part.scope.outside.is_empty() {
        return None;
    }
    let mut claim = Claim::new(&names::MEMBER, vec![Argument::is(path.clone())]);
    claim.quantifier = Quantifier::Count;
    claim.kind = Some("test".to_owned());
    let used = (0..part.tokens.len()).filter(|at| is_rest(*at)).collect();
    Some(ClauseReading { claim, used })
}

/// Reads a count of the entries of a literal: "how many status codes are in redirectCodes?"
fn elements(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let is_length = part.has("length size");
    if part.asks != Asks::Count && !is_length || super::value::is_measured(part) {
        return None;
    }
    let named = listing(part, tree)?;
    // "How often is it sent (INTERVAL)?" asks for the value.
    if (0..part.tokens.len()).any(|at| part.stands(at, "how often").is_some()) {
        return None;
    }
    // "How many locales are there?" counts locales, even if something has that name.
    let is_counted = named.at.is_some_and(|at| {
        let is_said = at > 0 && part.says(at - 1, "many of") && part.asks == Asks::Count;
        is_said && !part.tokens[at].is_code && !is_length
    });
    // "How many exception classes are in a.h?" counts what a file has of a kind.
    let is_kind = |at: usize| {
        part.word(at).ends_with('s') && lexicon::is_kind(&lexicon::singular(part.word(at)))
    };
    let is_file = named.is_path || !tree.files_of(&named.text).is_empty();
    let of_kind = is_file && part.free().any(is_kind);
    // "How many times is f called in a.c?" counts no entries of the file.
    const DONE: &str = "times called used invoked referenced imported constructed";
    if is_file && (0..part.tokens.len()).any(|at| part.says(at, DONE)) {
        return None;
    }
    let lists = is_valued(&named.text, tree) || is_json(&named.text, tree);
    if is_counted || of_kind || !(lists || is_listing(&named.text, tree)) {
        return None;
    }
    let mut claim = Claim::new(&names::MEMBER, vec![Argument::is(named.text.clone())]);
    claim.quantifier = Quantifier::Count;
    claim.kind = Some("element".to_owned());
    // The entries are described in the asker's own words, and the literal shows them.
    let start = part
        .free()
        .find(|at| !part.is_name(*at) && !lexicon::is_empty(part.word(*at)))
        .unwrap_or(0);
    let is_counted =
        |at: &usize| !lexicon::is_auxiliary(part.word(*at)) && !part.says(*at, "in that which");
    let counted = part.free().filter(|at| *at >= start).take_while(is_counted);
    let mut used: Vec<usize> = counted.collect();
    used.extend(named.at);
    for other in part.names.iter().filter(|other| other.is_path) {
        used.extend(other.at);
        claim.scope.inside.push(other.text.clone());
    }
    used.extend(part.said(
        "length size array list map set table slice literal hash dictionary tuple define \
        defines written returns return hold holds contain contains lists mapped listed registered stored kept \
        allowed supported accepted cover covers map maps know knows list enumerate enumerates handle handles \
        recognise recognises recognize recognizes distinguish distinguishes carry carries keep keeps own \
        include includes name names give gives",
    ));
    Some(ClauseReading { claim, used })
}
