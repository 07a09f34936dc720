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

/// Texts with the words of a vocabulary in all the ways in which names have them.
const TEXTS: [&str; 5] = [
    "fn parseHTTPRequest(copy: Copies) -> HTTP_PARSER { reparsed.parses() }",
    "copying copied a copier, COPY_ALL __copy__ scopy io IO ios Io_2 2io",
    "der Überlauf \u{fc}berl\u{e4}uft; configuration config CONFIG_FILE reconfigure",
    "x",
    "",
];

#[test]
fn first_letters_find_what_splitting_finds() {
    let stems = ["pars", "copi", "io", "http", "configur", "überlauf"];
    let names = ["parseHTTPRequest", "__copy__", "x", "COPY_ALL"];
    let vocabulary = Vocabulary::new(
        stems.map(str::to_owned).to_vec(),
        &names.map(str::to_owned),
        &[],
    );
    let mut reader = VocabularyReader::new(&vocabulary);
    for text in TEXTS {
        let (mut split, mut found) = (Vec::new(), Vec::new());
        for_each_name(text.as_bytes(), |at, name| {
            reader.marks_of(at, name, &mut |mark: Mark| split.push(mark.kind));
        });
        reader.for_each_mark(text.as_bytes(), |mark| found.push(mark.kind));
        assert_eq!(found, split, "{text}");
    }
}

#[test]
fn words_are_counted_by_what_begins_them() {
    for (text, count) in [
        ("", 0),
        ("a", 1),
        ("getUserName(user_id)", 5),
        ("__init__ = 4;", 2),
        ("HTTP", 1),
    ] {
        assert_eq!(count_words(text.as_bytes()), count, "{text}");
    }
    assert_eq!(count_words("word ".repeat(1_000).as_bytes()), 1_000);
}
