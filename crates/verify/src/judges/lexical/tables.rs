//! The words that the judge of words knows: lists and nothing else. English only;
//! of another language only a sentence that is the claim itself is understood.

/// Words that deny.
pub(crate) const NEGATIONS: [&str; 22] = [
    "not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody", "nothing", "nowhere", "hardly", "fails", "failed", "unable",
    "lacks", "lacked", "denied", "denies", "refused", "incorrect", "stopped",
];

/// Words that weaken, condition or attribute what is said; a sentence with one that the claim lacks is not understood.
pub(crate) const HEDGES: [&str; 87] = [
    "if", "can", "whether", "unless", "would", "could", "may", "might", "should", "perhaps", "maybe", "possibly", "probably", "likely", "unlikely",
    "allegedly", "alleged", "reportedly", "rumor", "rumors", "rumour", "rumours", "rumored", "rumoured", "supposedly", "purportedly", "apparently", "claim", "claims",
    "claimed", "falsely", "false", "hoax", "myth", "satire", "fiction", "fictional", "fake", "debunked", "misleading", "misconception", "believe", "believed",
    "believes", "think", "thinks", "thought", "expected", "expects", "expect", "plan", "plans", "planned", "propose", "proposes", "proposed", "hope", "hopes", "hoped", "predict", "predicts", "predicted",
    "forecast", "forecasts", "suppose", "assume", "assuming", "imagine", "hypothetical", "hypothetically", "seem", "seems", "appear", "appears", "suggest", "suggests", "suspected",
    "once", "formerly", "previously", "used", "almost", "nearly", "partly", "partially", "except", "until",
];

/// Words that say how much; both sentences must have the same.
pub(crate) const QUANTIFIERS: [&str; 22] = [
    "all", "every", "each", "any", "only", "always", "often", "sometimes", "usually", "rarely", "some", "many", "most", "few", "several", "both",
    "half", "exclusively", "solely", "mostly", "mainly", "entirely",
];

/// Words that only join others.
pub(crate) const FUNCTION_WORDS: [&str; 111] = [
    "a", "an", "the", "of", "in", "on", "to", "is", "are", "was", "were", "be", "been", "being", "am", "by", "for", "with", "and", "or", "that",
    "this", "these", "those", "it", "its", "it's", "as", "at", "from", "has", "have", "had", "do", "does", "did", "will", "shall", "than", "then",
    "there", "their", "they", "them", "he", "she", "his", "her", "him", "we", "our", "us", "you", "your", "i", "my", "me", "who", "whom",
    "whose", "which", "what", "when", "where", "how", "also", "into", "onto", "over", "under", "about", "after", "before", "during", "between", "through",
    "up", "down", "out", "off", "so", "but", "because", "since", "while", "via", "per", "within", "upon", "among", "against", "toward", "towards",
    "too", "very", "just", "now", "today", "currently", "however", "therefore", "thus", "one", "here", "such", "own", "same", "both", "above", "below", "according",
];

/// Pairs that say the opposite of each other about the same thing, as stems are compared.
const OPPOSITES: [(&str, &str); 40] = [
    ("enabled", "disabled"),
    ("enable", "disable"),
    ("enables", "disables"),
    ("open", "closed"),
    ("opened", "closed"),
    ("allowed", "forbidden"),
    ("allowed", "prohibited"),
    ("permitted", "prohibited"),
    ("legal", "illegal"),
    ("supported", "unsupported"),
    ("available", "unavailable"),
    ("required", "optional"),
    ("mandatory", "optional"),
    ("won", "lost"),
    ("increased", "decreased"),
    ("increases", "decreases"),
    ("increases", "reduces"),
    ("increased", "reduced"),
    ("increase", "decrease"),
    ("rose", "fell"),
    ("higher", "lower"),
    ("more", "fewer"),
    ("more", "less"),
    ("safe", "unsafe"),
    ("effective", "ineffective"),
    ("valid", "invalid"),
    ("public", "private"),
    ("mutable", "immutable"),
    ("synchronous", "asynchronous"),
    ("accepted", "rejected"),
    ("approved", "rejected"),
    ("passed", "rejected"),
    ("alive", "dead"),
    ("guilty", "innocent"),
    ("present", "absent"),
    ("included", "excluded"),
    ("includes", "excludes"),
    ("ascending", "descending"),
    ("minimum", "maximum"),
    ("deprecated", "recommended"),
];

/// Words that name one thing.
const ONE_NAME: [(&str, &str); 26] = [
    ("bought", "buy"),
    ("sold", "sell"),
    ("began", "begin"),
    ("begun", "begin"),
    ("won", "win"),
    ("lost", "lose"),
    ("rose", "rise"),
    ("risen", "rise"),
    ("fell", "fall"),
    ("fallen", "fall"),
    ("became", "become"),
    ("wrote", "write"),
    ("written", "write"),
    ("held", "hold"),
    ("made", "make"),
    ("built", "build"),
    ("took", "take"),
    ("taken", "take"),
    ("gave", "give"),
    ("given", "give"),
    ("went", "go"),
    ("gone", "go"),
    ("left", "leave"),
    ("met", "meet"),
    ("said", "say"),
    ("percent", "%"),
];

/// The one name of a word that has several forms.
pub(crate) fn one_name(lower: &str) -> Option<&'static str> {
    ONE_NAME.iter().find(|(form, _)| *form == lower).map(|(_, name)| *name)
}

/// Whether two words are opposites.
pub(crate) fn are_opposites(one: &str, other: &str) -> bool {
    OPPOSITES.iter().any(|&pair| pair == (one, other) || pair == (other, one))
}

/// The first word that is known to say the opposite.
pub(crate) fn opposite_of(lower: &str) -> Option<&'static str> {
    OPPOSITES.iter().find_map(|&(one, other)| match lower {
        lower if lower == one => Some(other),
        lower if lower == other => Some(one),
        _ => None,
    })
}

/// Words of a claim whose number is a bound.
pub(crate) const ABOVE: [&str; 8] = ["above", "over", "exceed", "exceeds", "exceeded", "more", "beyond", "least"];
/// Words of a claim whose number is a bound from above.
pub(crate) const BELOW: [&str; 7] = ["below", "under", "less", "fewer", "most", "beneath", "within"];

/// Names of months; they say when, as years do.
pub(crate) const MONTHS: [&str; 12] =
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/// Frequent words of other languages written in Latin letters that are no English words: one of them, and a text is not read as English.
pub(crate) const OTHER_LANGUAGES: [&str; 82] = [
    "der", "das", "und", "ist", "nicht", "ein", "eine", "einen", "mit", "von", "auf", "für", "wird", "wurde", "sind", "kein", "keine", "dem", "zu", "sich",
    "le", "les", "des", "du", "est", "et", "une", "dans", "pour", "pas", "sont", "qui", "avec", "été", "aux", "que",
    "el", "los", "las", "una", "es", "del", "por", "con", "para", "fue", "está", "són", "y", "su",
    "il", "gli", "è", "di", "della", "non", "nel", "sono", "che", "stato",
    "os", "um", "uma", "é", "não", "em", "foi", "da", "na",
    "het", "een", "niet", "van", "zijn", "werd", "jest", "nie", "bir", "ve", "och", "är", "inte",
];

/// Words of a claim that something has an effect on something, as stems are compared.
pub(crate) const EFFECTS: [&str; 30] = [
    "increases", "increase", "reduces", "reduce", "prevents", "prevent", "cures", "cure", "treats", "treat", "causes", "cause", "raises", "raise", "lowers", "lower",
    "protects", "protect", "affects", "affect", "impacts", "impact", "improves", "improve", "linked", "associated", "effective", "worsens", "evidence", "helps",
];

/// Words that, after a denial, say that there is no such effect.
pub(crate) const EFFECT_NOUNS: [&str; 14] = [
    "association", "associated", "correlation", "correlated", "effect", "effective", "benefit", "beneficial", "impact", "relationship", "link", "linked", "evidence",
    "difference",
];
