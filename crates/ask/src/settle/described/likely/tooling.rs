//! Ranks the settings of CI, bots, builds and linters by the words of a question: "after how many
//! days does the bot close an issue?"
//!
//! Such files have no code, so their lines are rated by the keys that enclose them, by the name of
//! their file, and by the lines beside them. Every word of the question has to be in the file.

use std::collections::BTreeSet;

use grounds_evidence::FileRole;
use grounds_repo::{area, role};
use rust_stemmers::{Algorithm, Stemmer};

use super::super::page::{is_comment, stems};
use super::asked::{ValueQuestion, ValueWord};
use super::row::FEATURES;
use super::{LikelyValue, ValueRanking, is_in};
use crate::localise::jargon;
use crate::settle::SettledSpot;
use crate::settle::workflow::is_build_file;
use crate::understand::QuestionTree;

/// Words for what runs beside the code. A question has one of them, or two of the words that code
/// may be about as well.
const TOOLS: &str = "ci workflow workflows pipeline pipelines job jobs bot bots stale matrix runner runners nightly \
    weekly cron schedule scheduled container lint linter linters linting linted precommit coverage circle rustc \
    mvn rtd toolchain msrv engine engines fuzzed fuzzing typos manifest sdk jdk jdks editor settings";
/// Names of tools. A tree without the tool has no setting of it.
const NAMED: &str = "dependabot renovate makefile docker dockerfile prettier eslint biome tox nox commitlint codecov \
    coveralls circleci travis appveyor gitlab jenkins gradle maven pom msbuild csproj nuget editorconfig rustfmt \
    clippy checkstyle spotless detekt ktlint rubocop ruff flake8 isort mypy pyright pytest jest vitest karma mocha \
    golangci goreleaser readthedocs mkdocs sphinx tsconfig webpack rollup vite esbuild codeql semgrep sonar labeler \
    pyproject";
const GENERAL: &str = "action actions github hook hooks format formatting formatted formatter npm yarn pnpm script \
    scripts build builds compile compiled compiles compiler test tests tested testing docs documentation \
    image images release releases publish published node python java rust go dotnet kotlin version versions \
    operating os package packages cargo security deploy deployed artifact artifacts cache indent indentation style \
    warning warnings run runs pull prs pr issue issues threads config configuration setting minutes column columns \
    sheduled automatically pre commit";
/// Stems of words that name no setting: they may be missing in a file.
const SOFT: &str = "ci workflow pipelin job bot action github set config configur file line list setup project repo \
    repositori build us we let lie place exact current requir need tool step command default valu version run \
    against mean give allow fail name check pull request someon anyon person nobodi team still mark automat \
    idl kind sort type part want keep kept start begin kick happen decid declar defin appear live pin wrong \
    low lowest high fewest littl may oper system platform work anyth chang upload old new long earli ti \
    yell turn let touch leav kill hand promis sit bit point just care tell think dont back sinc not give \
    get got done still alreadi alway never anymor here there thing stuff way bunch bit lot exist \
    complain refus decid choos pick care someth somewher somebodi gave gone went come array releas \
    major minor major exact own both alik other whole all everi per day hour minut second byte";
/// Words that ask for something other than a setting.
const OTHERWISE: &str = "who who's whom whose why author authored introduced wrote blame caller callers calling \
    import imports imported extends implements overrides inherit inherits since class classes function functions \
    method methods modules";
/// Words that a question for a yes or a no begins with.
const YES_OR_NO: &str = "is are was were does do did has have had can could should will would am isn't aren't doesn't \
    don't didn't";
/// Endings of files of code, whose names ask for something else.
const CODE_ENDS: [&str; 13] = [
    ".rs", ".py", ".rb", ".go", ".js", ".ts", ".tsx", ".java", ".kt", ".cs", ".php", ".c", ".h",
];
/// Nouns after "how many" that are a measure or a bound, and count no things.
const MEASURES: &str = "ms milliseconds seconds minutes hours days weeks months percent columns spaces characters \
    chars bytes kb mb gb workers threads retries attempts times lines jobs processes";
/// Words that people and tools use for the same setting.
const ALIKE: &str = "\
idle inactive inactivity quiet untouched activity stale
close closed closes closing
os platform operating system image runner runs
machine runner os runs image
cron schedule nightly weekly daily hourly monthly interval
often interval schedule cron
coverage cov threshold minimum under
low lowest minimum under least threshold
line length width column columns print
wide width length column columns
indent indentation tab spaces size
timeout minutes
simultaneous parallel concurrent concurrency limit
publish release deploy upload push
documentation docs doc site
lint linter linters linting check
format formatter formatting fmt prettier
test tests testing tested
build built builds compile
node nodejs
python py
dotnet net sdk
jdk java
typescript ts
javascript js
depend dependencies dependency package deps
update updates upgrade bump
reviewer reviewers assignee
version versions
exclude excluded ignore ignored skip skips skipped except
permission permissions scope access
browser browsers chrome firefox
warning warnings warn error errors
";
/// Limits on the files that are read, on all their bytes, and on the bytes of one.
const FILES_MAX: usize = 400;
const BYTES_MAX: usize = 4 << 20;
const FILE_BYTES_MAX: usize = 256 << 10;
/// Folders above a file that is not hidden.
const DEPTH_MAX: usize = 3;
/// Lines beside a setting that describe it.
const NEAR_LINES: usize = 3;
/// Shares of a word by the place that has it.
const IN_LINE: f64 = 1.0;
const LIKE_LINE: f64 = 0.8;
const IN_ABOVE: f64 = 0.8;
const LIKE_ABOVE: f64 = 0.6;
const IN_PATH: f64 = 0.7;
const LIKE_PATH: f64 = 0.5;
const IN_NEAR: f64 = 0.45;
const IN_FILE: f64 = 0.15;
/// What is left of the weight of a word that names no setting, and of an ordinary word that the
/// files lack.
const SOFT_SHARE: f64 = 0.15;
const PLAIN_SHARE: f64 = 0.35;
/// What a value of the asked form adds, and one of another form takes.
const FORM: f64 = 0.15;
/// Worth and lead from which on a setting is the answer.
const WORTH_MIN: f64 = 0.5;
const LEAD_MIN: f64 = 0.05;
/// The same for a setting that is far more likely than any other.
const WORTH_ALONE_MIN: f64 = 0.4;
const LEAD_ALONE_MIN: f64 = 0.12;
/// Settings that are shown, at most.
const SHOWN_MAX: usize = 3;
/// The margin of the values that are shown, in the unit of the other ranking.
const WORTH_UNIT: f64 = 12.0;

/// Reports whether a text can ask for a setting of CI, a bot or a build.
pub(crate) fn asks(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let general: BTreeSet<&&str> = words.iter().filter(|word| is_in(GENERAL, word)).collect();
    let is_of_code = lower.contains("()")
        || lower.contains("::")
        || lower.split_whitespace().any(|word| {
            CODE_ENDS
                .iter()
                .any(|end| word.trim_end_matches(['?', ',', '.']).ends_with(end))
        });
    let counts = (0..words.len()).any(|at| {
        let is_count = words[at..].starts_with(&["how", "many"]) || words[at] == "count";
        // "How many idle days" has a word before the measure.
        let mut nouns = words.iter().skip(at + 2).take(2);
        is_count && !nouns.any(|word| is_in(MEASURES, word))
    });
    let is_base = words
        .windows(2)
        .any(|pair| pair[0] == "built" && is_in("on upon around atop", pair[1]));
    let is_yes_or_no = words.first().is_some_and(|word| is_in(YES_OR_NO, word));
    (has(TOOLS) || has(NAMED) || general.len() > 1)
        && !has(OTHERWISE)
        && !is_of_code
        && !counts
        && !is_base
        && !is_yes_or_no
}

/// A file that configures a tool.
struct ToolFile {
    path: String,
    text: String,
    words: BTreeSet<String>,
    of_path: BTreeSet<String>,
}

impl ToolFile {
    /// Reports whether its path or its text has a name, also as a part of another one.
    fn names(&self, name: &str) -> bool {
        self.path.to_lowercase().contains(name) || self.text.to_lowercase().contains(name)
    }
}

/// The words at each place around one line.
struct SettingLine<'t> {
    file: &'t ToolFile,
    at: usize,
    text: &'t str,
    own: BTreeSet<String>,
    above: BTreeSet<String>,
    near: BTreeSet<String>,
}

/// A word of the question with the other words for the same.
struct AskedWord<'q> {
    word: &'q ValueWord,
    alike: BTreeSet<String>,
    is_soft: bool,
    /// Whether it is an ordinary word, and no name of a tool.
    is_plain: bool,
}

/// What the question says about the form of the value.
struct AskedForm {
    is_number: bool,
    is_version: bool,
    is_list: bool,
}

/// Ranks the settings of a tree for a question.
pub(crate) fn rank(text: &str, tree: &QuestionTree<'_>) -> ValueRanking {
    let stemmer = Stemmer::create(Algorithm::English);
    let text = &singular_letters(text);
    let question = ValueQuestion::of(text, &stemmer, &|word| tree.is_project(word));
    let words: Vec<AskedWord<'_>> = question
        .words
        .iter()
        .map(|word| asked_word(word, &stemmer))
        .collect();
    let hard = words.iter().filter(|word| !word.is_soft).count();
    let mut ranking = ValueRanking {
        words: hard,
        describing: hard,
        ..ValueRanking::default()
    };
    if hard == 0 {
        return ranking;
    }
    let (files, is_cut) = files(tree, &stemmer);
    ranking.is_cut = is_cut;
    if names_what_is_absent(&words, &question, &files) {
        return ranking;
    }
    let form = AskedForm::of(text, &question);
    let lines: Vec<SettingLine<'_>> = files
        .iter()
        .flat_map(|file| lines_of(file, &words, &stemmer))
        .collect();
    let masses = masses(&words, &lines);
    ranking.values = lines
        .iter()
        .map(|line| likely(line, &words, &masses, &form))
        .collect();
    finish(&mut ranking);
    ranking
}

/// Reports whether a question names a tool, or a name of code, that no file of a tool has: the width
/// that prettier allows is no setting of a tree without prettier.
fn names_what_is_absent(
    words: &[AskedWord<'_>],
    question: &ValueQuestion,
    files: &[ToolFile],
) -> bool {
    let is_absent_tool = |word: &AskedWord<'_>| {
        is_in(NAMED, &word.word.text) && !files.iter().any(|file| file.names(&word.word.text))
    };
    let is_of_code = |name: &String| !files.iter().any(|file| file.text.contains(name));
    words.iter().any(is_absent_tool) || question.names.iter().any(is_of_code)
}

/// Returns a text with `PRs` and `JDKs` as `PR` and `JDK`, which would else be read as humps of a
/// name.
fn singular_letters(text: &str) -> String {
    let singular = |word: &str| {
        let bare = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let is_plural = bare.len() > 2
            && bare.ends_with('s')
            && bare[..bare.len() - 1]
                .chars()
                .all(|letter| letter.is_ascii_uppercase());
        let one = if is_plural {
            &bare[..bare.len() - 1]
        } else {
            bare
        };
        let meant = match one {
            "RTD" => "readthedocs",
            "PR" => "pull request",
            _ => one,
        };
        format!("{meant}{}", &word[bare.len()..])
    };
    text.split(' ')
        .map(singular)
        .collect::<Vec<String>>()
        .join(" ")
}

fn asked_word<'q>(word: &'q ValueWord, stemmer: &Stemmer) -> AskedWord<'q> {
    let groups = ALIKE.lines().map(|line| {
        let stems = line.split(' ').map(|word| stemmer.stem(word).into_owned());
        stems.collect::<BTreeSet<String>>()
    });
    let alike = groups.filter(|group| group.contains(&word.stem)).flatten();
    AskedWord {
        word,
        alike: alike.filter(|stem| *stem != word.stem).collect(),
        is_soft: is_in(SOFT, &word.stem),
        is_plain: !is_in(NAMED, &word.text) && jargon::is_plain(&word.text),
    }
}

impl AskedWord<'_> {
    fn is_like(&self, words: &BTreeSet<String>) -> bool {
        self.alike.iter().any(|stem| words.contains(stem))
    }

    fn is_in(&self, file: &ToolFile) -> bool {
        let has = |words: &BTreeSet<String>| words.contains(&self.word.stem) || self.is_like(words);
        has(&file.words) || has(&file.of_path)
    }

    /// Returns the share of the word at its best place around a line.
    fn share(&self, line: &SettingLine<'_>) -> f64 {
        let stem = &self.word.stem;
        match () {
            () if line.own.contains(stem) => IN_LINE,
            () if self.is_like(&line.own) => LIKE_LINE,
            () if line.above.contains(stem) => IN_ABOVE,
            () if line.file.of_path.contains(stem) => IN_PATH,
            () if self.is_like(&line.above) => LIKE_ABOVE,
            () if self.is_like(&line.file.of_path) => LIKE_PATH,
            () if line.near.contains(stem) || self.is_like(&line.near) => IN_NEAR,
            () if self.is_in(line.file) => IN_FILE,
            () => 0.0,
        }
    }
}

impl AskedForm {
    fn of(text: &str, question: &ValueQuestion) -> Self {
        let lower = text.to_lowercase();
        let has = |list: &str| {
            lower
                .split(|letter: char| !letter.is_alphanumeric())
                .any(|word| is_in(list, word))
        };
        Self {
            is_number: question.is_number || has("threshold percentage"),
            is_version: has("version versions release jdk msrv"),
            is_list: has("versions list lists systems images oses browsers jdks which"),
        }
    }

    /// Returns what the form of a value adds to its worth.
    fn rate(&self, line: &str, text: &str) -> f64 {
        // A step is named and begun by these, and set by others.
        let bare = line.trim_start_matches("- ");
        let is_step = bare.starts_with("uses:");
        let is_title = is_step || bare.starts_with("name:") || bare == "run: |";
        let has_digit = !is_step && has_number(text);
        let is_list = text.contains('[') && text.contains(',');
        let number = match self.is_number || self.is_version {
            true if has_digit => FORM,
            true => -FORM,
            false => 0.0,
        };
        let number = if is_title {
            number - FORM / 2.0
        } else {
            number
        };
        number + if self.is_list && is_list { FORM } else { 0.0 }
    }
}

/// Reports whether a text has a number or a version, and not only a hash with digits.
fn has_number(text: &str) -> bool {
    text.split(|letter: char| !(letter.is_alphanumeric() || "._".contains(letter)))
        .any(|word| {
            let number = word.trim_start_matches('v');
            number.starts_with(|letter: char| letter.is_ascii_digit())
                && number
                    .chars()
                    .all(|letter| letter.is_ascii_digit() || "._xmg%".contains(letter))
        })
}

/// Returns the files that configure tools, hidden ones among them, and whether a limit left some
/// out.
fn files(tree: &QuestionTree<'_>, stemmer: &Stemmer) -> (Vec<ToolFile>, bool) {
    const FOLDERS: [&str; 7] = [
        ".",
        ".github",
        ".github/workflows",
        ".circleci",
        ".forgejo/workflows",
        ".config",
        ".cargo",
    ];
    let listed = FOLDERS.map(|folder| area::hidden_files(tree.checkout, folder));
    let is_unlisted = listed.iter().any(Option::is_none);
    let hidden = listed
        .into_iter()
        .flatten()
        .flatten()
        .map(|path| path.trim_start_matches("./").to_owned());
    let own = tree
        .files
        .iter()
        .filter(|file| !matches!(role::of(file), FileRole::Test | FileRole::Fixture))
        .map(|file| file.as_str().to_owned());
    let paths: BTreeSet<String> = hidden.chain(own).filter(|path| is_of_tool(path)).collect();
    let (mut files, mut bytes, mut is_cut) =
        (Vec::new(), 0, is_unlisted || paths.len() > FILES_MAX);
    for path in paths.into_iter().take(FILES_MAX) {
        // A file that cannot be read may have the setting.
        let Some(text) = tree.text(&path) else {
            is_cut = true;
            continue;
        };
        bytes += text.len();
        is_cut |= bytes > BYTES_MAX || text.len() > FILE_BYTES_MAX;
        if bytes > BYTES_MAX {
            break;
        }
        if text.len() <= FILE_BYTES_MAX {
            files.push(ToolFile {
                words: stems(&text, stemmer),
                of_path: stems(&path, stemmer),
                path,
                text,
            });
        }
    }
    (files, is_cut)
}

/// Reports whether a file configures a tool, by its path.
fn is_of_tool(path: &str) -> bool {
    const ENDS: [&str; 20] = [
        ".yml",
        ".yaml",
        ".toml",
        ".ini",
        ".cfg",
        ".xml",
        ".props",
        ".targets",
        ".csproj",
        ".gradle",
        ".gradle.kts",
        ".properties",
        ".mk",
        ".config.js",
        ".config.ts",
        ".config.mjs",
        ".config.cjs",
        ".editorconfig",
        "package.json",
        "tsconfig.json",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_lock = name.contains("lock") || name.ends_with(".sum");
    let is_named = ENDS.iter().any(|end| path.ends_with(end))
        || is_build_file(path)
        || is_in("Rakefile noxfile.py Gemfile CMakeLists.txt go.mod", name)
        || name.starts_with('.') && !name.contains("ignore");
    let is_near = path.starts_with('.') || path.matches('/').count() <= DEPTH_MAX;
    is_named && is_near && !is_lock
}

/// Returns the lines of a file that may give what is asked for.
fn lines_of<'t>(
    file: &'t ToolFile,
    words: &[AskedWord<'_>],
    stemmer: &Stemmer,
) -> Vec<SettingLine<'t>> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    for at in 0..lines.len() {
        let text = lines[at].trim();
        if text.is_empty() || is_comment(text) || text.starts_with('#') {
            continue;
        }
        // Prose of a comment in XML gives no setting.
        let is_markup = [".xml", ".csproj", ".props", ".targets"]
            .iter()
            .any(|end| file.path.ends_with(end));
        if is_markup && !text.starts_with('<') {
            continue;
        }
        let own = stems(text, stemmer);
        let mut above = super::super::ancestors(&lines, at);
        above.extend(titles(&lines, at));
        let above = stems(&above.join(" "), stemmer);
        let says = |word: &AskedWord<'_>| {
            let has = |set: &BTreeSet<String>| set.contains(&word.word.stem) || word.is_like(set);
            has(&own) || has(&above)
        };
        if !words.iter().any(says) {
            continue;
        }
        let first = at.saturating_sub(NEAR_LINES);
        let last = (at + NEAR_LINES + 1).min(lines.len());
        found.push(SettingLine {
            file,
            at,
            text,
            near: stems(&lines[first..last].join(" "), stemmer),
            own,
            above,
        });
    }
    found
}

/// Returns the names that a workflow, a job or a step gives itself above a line: `name: Unit tests`.
fn titles<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut least = indent(lines[at]);
    let mut titles = Vec::new();
    for line in lines[..at].iter().rev() {
        let trimmed = line.trim();
        if trimmed.is_empty() || indent(line) > least {
            continue;
        }
        least = indent(line);
        if trimmed.starts_with("name:") {
            titles.push(*line);
        }
    }
    titles
}

/// Returns the weight of each word: the fewer lines have it, the more.
fn masses(words: &[AskedWord<'_>], lines: &[SettingLine<'_>]) -> Vec<f64> {
    let all = lines.len() as f64;
    let mass = |word: &AskedWord<'_>| {
        let has = |line: &&SettingLine<'_>| line.own.contains(&word.word.stem);
        let count = lines.iter().filter(has).count() as f64;
        let weight = ((all + 1.0) / (count + 0.5)).ln().max(0.2);
        match () {
            // A soft word only breaks ties.
            () if word.is_soft => weight * SOFT_SHARE,
            // An ordinary word that no line has may be said in another way.
            () if count == 0.0
                && word.is_plain
                && !lines.iter().any(|line| word.is_in(line.file)) =>
            {
                weight * PLAIN_SHARE
            }
            () => weight,
        }
    };
    let masses: Vec<f64> = words.iter().map(mass).collect();
    let sum: f64 = masses.iter().sum();
    masses.into_iter().map(|mass| mass / sum).collect()
}

fn likely(
    line: &SettingLine<'_>,
    words: &[AskedWord<'_>],
    masses: &[f64],
    form: &AskedForm,
) -> LikelyValue {
    let said = words.iter().zip(masses);
    let said: f64 = said.map(|(word, mass)| word.share(line) * mass).sum();
    let number = u32::try_from(line.at + 1).unwrap_or(0);
    let (key, value) = line
        .text
        .split_once([':', '='])
        .unwrap_or((line.text, line.text));
    // A key without a value opens a block, whose lines give it.
    let opens = value.trim().is_empty();
    let form = form.rate(line.text, value) - if opens { FORM / 2.0 } else { 0.0 };
    LikelyValue {
        spot: SettledSpot::line(&line.file.path, number, "setting"),
        key: key.trim().to_owned(),
        value: value.trim().to_owned(),
        worth: said + form,
        row: [0.0; FEATURES],
    }
}

/// Orders the settings, and decides whether the first stands out.
fn finish(ranking: &mut ValueRanking) {
    ranking.values.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    // The same setting in several files is one.
    let mut seen = BTreeSet::new();
    let values = &mut ranking.values;
    values.retain(|value| seen.insert((value.key.clone(), value.value.clone())));
    values.truncate(super::KEPT_MAX);
    let worth = |at: usize| values.get(at).map_or(0.0, |value| value.worth);
    // All values within the margin are shown, so there may be no more of them than are shown.
    let is_likely = worth(0) >= WORTH_MIN && worth(0) - worth(SHOWN_MAX) >= LEAD_MIN;
    let is_alone = worth(0) >= WORTH_ALONE_MIN && worth(0) - worth(1) >= LEAD_ALONE_MIN;
    let stands_out = is_likely || is_alone;
    ranking.right_share = match () {
        () if stands_out => 1.0,
        () if values.is_empty() => 0.0,
        () => 0.5,
    };
    for value in values.iter_mut() {
        value.worth *= WORTH_UNIT;
    }
}
