use super::*;

#[test]
fn one_name_in_five_conventions() {
    for other in [
        "EvidenceStore",
        "evidence_store",
        "evidence-store",
        "EVIDENCE_STORE",
        "evidence store",
        "evidenceStore",
    ] {
        assert!(same_name("EvidenceStore", other), "{other}");
    }
    for other in [
        "evidence_stores",
        "store_evidence",
        "evidencestore",
        "evidence",
        "",
    ] {
        assert!(!same_name("EvidenceStore", other), "{other}");
    }
    assert!(!same_name("", ""), "a name without a word equals nothing");
}

#[test]
fn capitals_in_a_run_are_one_word() {
    assert_eq!(words("HTTPServerError"), ["http", "server", "error"]);
    assert_eq!(words("parseHTML5Text"), ["parse", "html5", "text"]);
    assert_eq!(words("NoPcre2Unicode"), ["no", "pcre2", "unicode"]);
    assert_eq!(words("__init__"), ["init"]);
}

#[test]
fn spellings_start_with_the_one_asked_for() {
    assert_eq!(
        spellings("EvidenceStore"),
        [
            "EvidenceStore",
            "evidence_store",
            "evidenceStore",
            "EVIDENCE_STORE",
            "evidence-store",
            "Evidence-Store"
        ]
    );
    assert_eq!(spellings("open"), ["open", "Open", "OPEN"]);
    assert_eq!(spellings("_strip"), ["_strip", "_Strip", "_STRIP"]);
    assert!(spellings("").is_empty());
}

#[test]
fn edits_are_counted_up_to_a_bound() {
    assert_eq!(edit_distance("Versino", "Version", 2), Some(1));
    assert_eq!(edit_distance("context_cod1e", "context_code1", 2), Some(1));
    assert_eq!(edit_distance("abc", "abc", 0), Some(0));
    assert_eq!(edit_distance("kitten", "sitting", 2), None);
    assert_eq!(edit_distance("kitten", "sitting", 3), Some(3));
}

#[test]
fn a_symbol_path_falls_into_its_names() {
    assert_eq!(path_segments("Planner::next"), ["Planner", "next"]);
    assert_eq!(path_segments("pkg.mod.func"), ["pkg", "mod", "func"]);
}
