use super::*;

const ONE: &str = "1111111111111111111111111111111111111111";
const TWO: &str = "2222222222222222222222222222222222222222";

#[test]
fn a_loose_reference_counts_more_than_a_packed_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let top = folder.path();
    std::fs::create_dir_all(top.join("refs/heads/a")).expect("folders");
    std::fs::create_dir_all(top.join("objects")).expect("a folder");
    let write = |name: &str, text: String| std::fs::write(top.join(name), text).expect("a file");
    write("HEAD", "ref: refs/heads/main\n".into());
    write(
        "packed-refs",
        format!(
            "# pack-refs with: peeled\n{ONE} refs/heads/main\n{ONE} refs/tags/v1\n^{TWO}\n{ONE} ../../escape\n"
        ),
    );
    write("refs/heads/main", format!("{TWO}\n"));
    write("refs/heads/a/b", "ref: refs/heads/main\n".into());
    write("refs/heads/a/broken", String::new());
    let refs = Refs::read(&Layout::at(top).expect("a repository")).expect("references");
    assert_eq!(refs.commit(), Some(TWO));
    let room = tempfile::tempdir().expect("a folder");
    refs.write(room.path()).expect("written");
    let text = |name: &str| std::fs::read_to_string(room.path().join(name)).expect("a file");
    assert_eq!(
        text("packed-refs"),
        format!("# pack-refs with: sorted\n{TWO} refs/heads/main\n{ONE} refs/tags/v1\n^{TWO}\n")
    );
    assert_eq!(text("refs/heads/a/b"), "ref: refs/heads/main\n");
}

#[test]
fn names_that_lead_elsewhere_are_no_references() {
    for name in [
        "HEAD",
        "refs/../x",
        "refs//x",
        "refs/x.lock",
        "refs/a\nb",
        "refs/a b",
        "refs/.x",
        "",
    ] {
        assert!(!is_name(name), "{name:?}");
    }
    assert!(is_name("refs/heads/grün/x-1.0"));
}
