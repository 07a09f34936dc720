use super::*;

fn parts(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_part(name.as_bytes(), |part| {
        found.push(String::from_utf8_lossy(part).into_owned())
    });
    found
}

#[test]
fn names_split_into_words() {
    assert_eq!(parts("HTTPServer_error"), ["HTTP", "Server", "error"]);
    assert_eq!(parts("__init__"), ["init"]);
    assert_eq!(parts("sha256Sum"), ["sha256", "Sum"]);
    assert!(parts("___").is_empty());
}

#[test]
fn words_stand_for_their_stems_and_near_ones() {
    let vocabulary = Vocabulary::new(
        vec!["rout".into(), "configur".into(), "regist".into()],
        &[],
        &[],
    );
    let mut reader = VocabularyReader::new(&vocabulary);
    assert_eq!(
        reader.term(b"Routing"),
        Some(Stands {
            term: 0,
            worth: 1.0
        })
    );
    assert_eq!(reader.term(b"config").map(|stands| stands.term), Some(1));
    assert_eq!(
        reader.term(b"registration").map(|stands| stands.term),
        Some(2)
    );
    assert_eq!(reader.term(b"rabbit"), None);
}
