//! Folders that change: their kept index is brought up to date, and finds what an index made anew
//! finds, whatever came, changed, went or was renamed, and whoever was killed meanwhile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use grounds_web::corpus::{Corpus, CorpusBounds, CorpusOptions, ENGINE_BYTES_MIN, IndexOrigin};
use grounds_web::{Fetch as _, SearchProvider as _};

const WORDS: [&str; 24] = [
    "harbour", "crane", "anchor", "tide", "heron", "rope", "buoy", "sail", "keel", "mast", "deck",
    "pilot", "lantern", "quay", "ferry", "gull", "sand", "reef", "chart", "storm", "work_mem",
    "100,000", "the", "of",
];

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    fn text(&mut self) -> String {
        // Few and short, so that many documents are equal; now and then one of several passages.
        let (count, of) = match self.below(10) {
            0 => (1500, WORDS.len()),
            1..4 => (2, 3),
            _ => (12, WORDS.len()),
        };
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.below(of)]).collect();
        words.join(" ")
    }
}

struct Living {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl Living {
    /// A folder of documents that are old enough for their times to tell a change.
    fn new(documents_count: usize) -> Self {
        let living = Self {
            folder: tempfile::tempdir().expect("a folder"),
            cache: tempfile::tempdir().expect("a folder"),
        };
        let mut dice = Dice(1);
        for number in 0..documents_count {
            let text = dice.text();
            living.write(&format!("d{}/f{number}.txt", number % 7), &text);
        }
        living.write("bad.txt", "a\0b");
        living
    }

    fn place(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let place = self.place(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("made");
        fs::write(place, text).expect("written");
    }

    fn kept(&self) -> Corpus {
        let options = CorpusOptions {
            cache: Some(self.cache.path().to_owned()),
            ..options()
        };
        Corpus::open(self.folder.path(), &options).expect("a corpus")
    }

    fn made_anew(&self) -> Corpus {
        Corpus::open(self.folder.path(), &options()).expect("a corpus")
    }

    /// The folders of the kept indexes, and of what is being written.
    fn indexes(&self) -> Vec<PathBuf> {
        let below = |folder: &Path| entries(folder).into_iter();
        entries(self.cache.path())
            .iter()
            .flat_map(|own| below(own))
            .collect()
    }

    fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = entries(self.folder.path())
            .iter()
            .flat_map(|folder| entries(folder))
            .filter_map(|path| {
                Some(
                    path.strip_prefix(self.folder.path())
                        .ok()?
                        .to_str()?
                        .to_owned(),
                )
            })
            .collect();
        paths.sort();
        paths
    }
}

fn options() -> CorpusOptions {
    CorpusOptions::new("2026-01-01T00:00:00Z".parse().expect("a time"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn bytes_of(folder: &Path) -> u64 {
    let files = entries(folder)
        .into_iter()
        .filter_map(|file| file.metadata().ok());
    files.map(|file| file.len()).sum()
}

/// Whether both find the same for every word and for queries of several, in the same order.
#[track_caller]
fn check_same(kept: &Corpus, made: &Corpus, when: &str) {
    assert_eq!(kept.scope(), made.scope(), "{when}");
    assert_eq!(kept.fingerprint(), made.fingerprint(), "{when}");
    let mut dice = Dice(7);
    let several = (0..20).map(|_| {
        let words: Vec<&str> = (0..4).map(|_| WORDS[dice.below(WORDS.len())]).collect();
        words.join(" ")
    });
    for query in WORDS.map(str::to_owned).into_iter().chain(several) {
        for results_max in [1, 3, 200] {
            let found = |corpus: &Corpus| corpus.search(&query, results_max).expect("results");
            assert_eq!(found(kept), found(made), "{when}: {query}, {results_max}");
        }
    }
}

/// Some changes of all kinds.
fn change(living: &Living, dice: &mut Dice, round: usize) {
    let paths = living.paths();
    let one = |dice: &mut Dice| living.place(&paths[dice.below(paths.len())]);
    for number in 0..dice.below(4) {
        living.write(
            &format!("d{}/n{round}-{number}.txt", dice.below(7)),
            &dice.text(),
        );
    }
    for _ in 0..=dice.below(4) {
        fs::write(one(dice), dice.text()).expect("written");
    }
    let _ = fs::remove_file(one(dice));
    let _ = fs::rename(one(dice), living.place(&format!("d0/r{round}.txt")));
    // A document that cannot be read, and one that can be read again.
    let text = if round.is_multiple_of(2) {
        "a tide"
    } else {
        "a\0b"
    };
    living.write("bad.txt", text);
}

#[test]
fn an_index_that_is_brought_up_to_date_finds_what_one_made_anew_finds() {
    let living = Living::new(120);
    assert_eq!(*living.kept().origin(), IndexOrigin::Made);
    let mut dice = Dice(3);
    for round in 0..40 {
        change(&living, &mut dice, round);
        let kept = living.kept();
        let when = format!("round {round}, {:?}", kept.origin());
        assert!(matches!(kept.origin(), IndexOrigin::Updated(1..)), "{when}");
        check_same(&kept, &living.made_anew(), &when);
        let again = living.kept();
        assert_eq!(*again.origin(), IndexOrigin::Kept, "{when}");
        check_same(&again, &kept, &when);
    }
    // What was kept of every earlier state is gone, and the rest is not much more than it must be.
    let indexes = living.indexes();
    assert_eq!(indexes.len(), 1, "{indexes:?}");
    let bytes = bytes_of(&indexes[0]);
    fs::remove_dir_all(&indexes[0]).expect("removed");
    assert_eq!(*living.kept().origin(), IndexOrigin::Made);
    let bytes_anew = bytes_of(&living.indexes()[0]);
    assert!(
        bytes < bytes_anew * 2,
        "{bytes} bytes, made anew {bytes_anew}"
    );
}

/// How many parts the one kept index has.
fn parts_count(living: &Living) -> usize {
    let is_part = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "term");
    let indexes = living.indexes();
    assert_eq!(indexes.len(), 1, "{indexes:?}");
    entries(&indexes[0])
        .iter()
        .filter(|file| is_part(file))
        .count()
}

#[test]
fn an_index_of_several_parts_finds_what_one_of_a_single_part_finds() {
    let living = Living::new(200);
    for document in 0..60 {
        let own: Vec<String> = (0..6_000)
            .map(|word| format!("w{document}x{word}"))
            .collect();
        let text = format!("harbour tide {}", own.join(" "));
        living.write(&format!("d{}/long{document}.txt", document % 7), &text);
    }
    let bounds = CorpusBounds {
        corpus_engine_bytes_max: ENGINE_BYTES_MIN,
        ..CorpusBounds::default()
    };
    let options = CorpusOptions {
        cache: Some(living.cache.path().to_owned()),
        bounds,
        ..options()
    };
    let open = || Corpus::open(living.folder.path(), &options).expect("a corpus");
    let several = open();
    assert_eq!(*several.origin(), IndexOrigin::Made);
    assert!(parts_count(&living) > 1);
    check_same(&several, &living.made_anew(), "made");
    let mut dice = Dice(5);
    for round in 0..3 {
        change(&living, &mut dice, round);
        let updated = open();
        let when = format!("round {round}, {:?}", updated.origin());
        assert!(
            matches!(updated.origin(), IndexOrigin::Updated(1..)),
            "{when}"
        );
        check_same(&updated, &living.made_anew(), &when);
    }
}

#[test]
fn only_what_changed_is_read_and_much_change_makes_an_index_anew() {
    let living = Living::new(40);
    living.kept();
    living.write("new.txt", "cormorant");
    assert_eq!(*living.kept().origin(), IndexOrigin::Updated(1));
    fs::remove_file(living.place("new.txt")).expect("removed");
    assert_eq!(*living.kept().origin(), IndexOrigin::Updated(0));
    for number in 0..20 {
        living.write(&format!("many{number}.txt"), "cormorant");
    }
    assert_eq!(*living.kept().origin(), IndexOrigin::Made);
}

#[test]
fn a_change_that_no_time_tells_is_seen_by_content() {
    let living = Living::new(40);
    living.write("young.txt", "cormorant");
    living.kept();
    let place = living.place("young.txt");
    let before = place
        .metadata()
        .expect("a file")
        .modified()
        .expect("a time");
    living.write("young.txt", "albatross");
    fs::File::options()
        .write(true)
        .open(&place)
        .and_then(|file| file.set_modified(before))
        .expect("a time");
    let kept = living.kept();
    assert_eq!(*kept.origin(), IndexOrigin::Updated(1));
    check_same(&kept, &living.made_anew(), "after it");
    assert_eq!(kept.search("albatross", 5).expect("results").len(), 1);
    assert!(kept.search("cormorant", 5).expect("results").is_empty());
}

#[test]
fn a_file_whose_times_tell_a_change_is_read_no_more() {
    let living = Living::new(40);
    let young = || {
        let list = living.indexes().remove(0).join("documents.jsonl");
        let list = fs::read_to_string(list).expect("a list");
        list.lines().filter(|row| row.starts_with("{\"y\"")).count()
    };
    living.kept();
    assert!(young() >= 40);
    std::thread::sleep(Duration::from_millis(2_200));
    for _ in 0..2 {
        let kept = living.kept();
        assert_eq!(*kept.origin(), IndexOrigin::Kept);
        check_same(&kept, &living.made_anew(), "after it");
        assert_eq!(young(), 0);
    }
    living.write("late.txt", "cormorant");
    assert_eq!(*living.kept().origin(), IndexOrigin::Updated(1));
    assert_eq!(young(), 1);
}

#[test]
fn a_document_that_changes_while_it_is_read_costs_the_next_run_one_file() {
    let living = Living::new(40);
    living.write("moving.txt", "cormorant");
    let before = living.kept();
    living.write("moving.txt", "a longer albatross");
    assert!(
        before.fetch("corpus:moving.txt").is_err(),
        "it is not what was indexed"
    );
    // What is open stays as it was, while another run brings the index up to date.
    let after = living.kept();
    assert_eq!(*after.origin(), IndexOrigin::Updated(1));
    assert!(after.fetch("corpus:moving.txt").is_ok());
    assert_eq!(before.search("cormorant", 5).expect("results").len(), 1);
    assert_eq!(after.search("albatross", 5).expect("results").len(), 1);
}

#[test]
fn a_broken_index_of_an_earlier_state_is_not_built_upon_and_that_is_told() {
    let is_part = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "term");
    for what in [
        "a part is damaged",
        "the list of parts is older",
        "a part is missing",
    ] {
        let living = Living::new(40);
        living.kept();
        let meta = fs::read(living.indexes()[0].join("meta.json")).expect("read");
        living.write("new.txt", "cormorant");
        living.kept();
        let index = living.indexes().remove(0);
        let part = entries(&index).into_iter().find(is_part).expect("a part");
        match what {
            "a part is damaged" => {
                let mut bytes = fs::read(&part).expect("read");
                bytes[10] ^= 1;
                fs::write(&part, bytes).expect("written");
            }
            "the list of parts is older" => {
                fs::write(index.join("meta.json"), &meta).expect("written")
            }
            _ => fs::remove_file(part).expect("removed"),
        }
        living.write("newer.txt", "albatross");
        let kept = living.kept();
        assert!(
            matches!(kept.origin(), IndexOrigin::MadeAgain(why) if !why.is_empty()),
            "{what}: {:?}",
            kept.origin()
        );
        check_same(&kept, &living.made_anew(), what);
        assert_eq!(*living.kept().origin(), IndexOrigin::Kept, "{what}");
    }
}

#[test]
fn several_may_bring_one_index_up_to_date_at_once() {
    let living = Living::new(60);
    living.kept();
    for round in 0..5 {
        living.write("new.txt", &format!("cormorant {round}"));
        let made = living.made_anew();
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(|| living.kept())).collect();
            for one in all {
                check_same(&one.join().expect("a corpus"), &made, "at once");
            }
        });
        assert_eq!(*living.kept().origin(), IndexOrigin::Kept);
    }
}

/// Another process may bring the index of a folder up to date, or clear it away, while it is in use.
#[test]
#[cfg(unix)]
fn an_index_that_others_clear_away_stays_usable_for_whoever_has_it() {
    let living = Living::new(60);
    let (used, made) = (living.kept(), living.made_anew());
    fs::remove_dir_all(living.cache.path()).expect("cleared away");
    fs::create_dir(living.cache.path()).expect("a folder");
    check_same(&used, &made, "after it was cleared away");
    assert_eq!(*living.kept().origin(), IndexOrigin::Made);
}

/// Where the process that is killed finds its folders.
const KILLED_VARIABLE: &str = "GROUNDS_TEST_KILLED";

/// Changes and opens a folder until it is killed; does nothing unless a test starts it for that.
#[test]
fn opens_until_it_is_killed() {
    let Some(folders) = std::env::var_os(KILLED_VARIABLE) else {
        return;
    };
    let folders = PathBuf::from(folders);
    let options = CorpusOptions {
        cache: Some(folders.join("cache")),
        ..options()
    };
    for round in 0_usize.. {
        fs::write(
            folders.join("documents/new.txt"),
            format!("cormorant {round}"),
        )
        .expect("written");
        Corpus::open(&folders.join("documents"), &options).expect("a corpus");
    }
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_index() {
    let living = Living::new(60);
    let folders = tempfile::tempdir().expect("a folder");
    let documents = folders.path().join("documents");
    fs::rename(living.folder.path(), &documents).expect("renamed");
    let options = CorpusOptions {
        cache: Some(folders.path().join("cache")),
        ..options()
    };
    let opened = |options: &CorpusOptions| Corpus::open(&documents, options).expect("a corpus");
    opened(&options);
    for round in 0..8_u64 {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "living::opens_until_it_is_killed"])
            .env(KILLED_VARIABLE, folders.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        std::thread::sleep(Duration::from_millis(150 + 37 * round));
        child.kill().expect("killed");
        child.wait().expect("ended");
        let kept = opened(&options);
        assert!(
            matches!(kept.origin(), IndexOrigin::Kept | IndexOrigin::Updated(_)),
            "{:?}",
            kept.origin()
        );
        check_same(&kept, &opened(&self::options()), "after a kill");
    }
}

#[test]
fn what_a_killed_update_left_goes_and_leaves_the_kept_index_as_it_is() {
    let living = Living::new(40);
    living.kept();
    let index = living.indexes().remove(0);
    let staged = index.parent().expect("a folder").join("making-killed");
    fs::create_dir(&staged).expect("made");
    for file in entries(&index) {
        fs::hard_link(&file, staged.join(file.file_name().expect("a name"))).expect("linked");
    }
    fs::File::open(&staged)
        .and_then(|folder| folder.set_modified(SystemTime::now() - Duration::from_secs(7200)))
        .expect("a time");
    living.write("new.txt", "cormorant");
    assert_eq!(*living.kept().origin(), IndexOrigin::Updated(1));
    assert!(!staged.exists());
    let kept = living.kept();
    assert_eq!(*kept.origin(), IndexOrigin::Kept);
    check_same(&kept, &living.made_anew(), "after it");
}

#[test]
fn of_many_equal_documents_the_first_by_path_is_found_whenever_it_came() {
    let living = Living::new(120);
    living.kept();
    // The engine joins small parts, and then has them in the order in which they came.
    for number in (10..40).rev().chain(40..50) {
        living.write(&format!("d0/z{number}.txt"), "gannet gannet");
        assert_eq!(*living.kept().origin(), IndexOrigin::Updated(1));
    }
    let found = living.kept().search("gannet", 1).expect("results");
    assert_eq!(found[0].url, "corpus:d0/z10.txt");
    check_same(&living.kept(), &living.made_anew(), "after it");
}
