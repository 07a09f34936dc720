use super::*;

#[test]
fn forms_of_a_word_share_a_stem() {
    for forms in [
        &["routing", "routes", "route", "routed", "router"][..],
        &["serialize", "serializer", "serialization", "serializing"],
        &["run", "runs", "running", "runner"],
        &["query", "queries"],
        &["authenticate", "authentication", "authenticator"],
        &["parse", "parser", "parsing", "parsed", "parses"],
        &["class", "classes"],
        &["handler", "handle", "handling", "handles"],
    ] {
        let stems: Vec<String> = forms.iter().map(|form| stem_of(form)).collect();
        assert!(
            stems.windows(2).all(|pair| pair[0] == pair[1]),
            "{forms:?}: {stems:?}"
        );
    }
    assert_eq!(stem_of("utf8"), "utf8");
    assert_eq!(stem_of("ids"), "ids");
}
