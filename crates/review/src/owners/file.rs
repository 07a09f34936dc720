//! An owners file, line by line: rules with their owners, sections, and the lines that cannot be read.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use globset::{GlobSet, GlobSetBuilder};
use regex::Regex;

use super::pattern;
use super::{FileOwners, OwnersDialect, UnreadLine};

/// The head of a section: `[NAME]`, `^[NAME]` or `[NAME][2]`, with owners for all rules below that
/// name none.
static SECTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\^?\[(?<name>[^\]]+)\](?:\[\d+\])?(?<owners>\s.*)?$").expect("a valid expression")
});
/// An owner: a person, a team, a role or a mail address.
static OWNER: LazyLock<Regex> = LazyLock::new(|| {
    let shape = r"^(?:@{1,2}[\w.-]+(?:/[\w.-]+)*|[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+)$";
    Regex::new(shape).expect("a valid expression")
});

/// An owners file that was read.
pub struct OwnersFile {
    dialect: OwnersDialect,
    rules: Vec<OwnersRule>,
    globs: GlobSet,
    /// The rule of each glob.
    of_glob: Vec<usize>,
    unread: Vec<UnreadLine>,
}

/// One line that names owners.
struct OwnersRule {
    line: u32,
    owners: Vec<String>,
    /// The number of its section; always 0 for a service without sections.
    section: usize,
    is_negated: bool,
    regex: Option<Regex>,
}

impl OwnersFile {
    /// Reads the text of an owners file, whose path shows which rules it follows.
    ///
    /// # Errors
    /// The reason that nothing of it can be used.
    pub fn read(path: &str, text: &str, rules_max: usize) -> Result<Self, String> {
        let mut reader = OwnersReader::new(dialect(path, text));
        // Some editors of Windows write a byte order mark, which would become a part of the first
        // pattern.
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            if let Err(why) = reader.line(number, line.trim()) {
                reader.unread.push(UnreadLine { line: number, why });
            }
            if reader.rules.len() > rules_max {
                return Err(format!(
                    "it has more than {rules_max} rules (review.owners_rules_max)"
                ));
            }
        }
        reader.end()
    }

    /// Returns the service whose rules it follows.
    pub const fn dialect(&self) -> OwnersDialect {
        self.dialect
    }

    /// Returns the lines that cannot be read.
    pub fn unread(&self) -> &[UnreadLine] {
        &self.unread
    }

    /// Returns the owners of a file.
    pub fn owners(&self, path: &str) -> FileOwners {
        let globs = self.globs.matches(path);
        let by_glob: Vec<usize> = globs.into_iter().map(|glob| self.of_glob[glob]).collect();
        let is_named = |(number, rule): &(usize, &OwnersRule)| match &rule.regex {
            Some(regex) => regex.is_match(path) != rule.is_negated,
            None => by_glob.binary_search(number).is_ok(),
        };
        let named = self.rules.iter().enumerate().filter(is_named);
        let named: Vec<&OwnersRule> = named.map(|(_, rule)| rule).collect();
        let deciding: Vec<&OwnersRule> = match self.dialect {
            OwnersDialect::Gitea => named,
            OwnersDialect::GitHub | OwnersDialect::GitLab => last_of_each_section(&named),
        };
        let mut owners: Vec<String> = Vec::new();
        for owner in deciding.iter().flat_map(|rule| &rule.owners) {
            if !owners.contains(owner) {
                owners.push(owner.clone());
            }
        }
        FileOwners {
            path: path.to_owned(),
            owners,
            lines: deciding.iter().map(|rule| rule.line).collect(),
        }
    }
}

/// Returns the last rule of each section. A section that excludes the file has none, wherever the
/// exclusion is in it.
fn last_of_each_section<'r>(named: &[&'r OwnersRule]) -> Vec<&'r OwnersRule> {
    let mut last: BTreeMap<usize, &OwnersRule> = BTreeMap::new();
    for rule in named {
        last.insert(rule.section, rule);
    }
    for rule in named.iter().filter(|rule| rule.is_negated) {
        last.remove(&rule.section);
    }
    last.into_values().collect()
}

/// Returns the service whose rules a file follows. Its folder decides; elsewhere, sections and
/// exclusions show that it is for GitLab.
fn dialect(path: &str, text: &str) -> OwnersDialect {
    let has_sections = || {
        let mut lines = text.lines().map(str::trim);
        lines.any(|line| line.starts_with('!') || SECTION.is_match(line))
    };
    match path.split('/').next() {
        Some(".gitea" | ".forgejo") => OwnersDialect::Gitea,
        Some(".gitlab") => OwnersDialect::GitLab,
        Some(".github") => OwnersDialect::GitHub,
        _ if has_sections() => OwnersDialect::GitLab,
        _ => OwnersDialect::GitHub,
    }
}

struct OwnersReader {
    file: OwnersFile,
    set: GlobSetBuilder,
    sections: Vec<String>,
    section: usize,
    /// Owners of rules in this section that name none.
    defaults: Vec<String>,
}

impl std::ops::Deref for OwnersReader {
    type Target = OwnersFile;

    fn deref(&self) -> &OwnersFile {
        &self.file
    }
}

impl std::ops::DerefMut for OwnersReader {
    fn deref_mut(&mut self) -> &mut OwnersFile {
        &mut self.file
    }
}

impl OwnersReader {
    fn new(dialect: OwnersDialect) -> Self {
        Self {
            file: OwnersFile {
                dialect,
                rules: Vec::new(),
                globs: GlobSet::empty(),
                of_glob: Vec::new(),
                unread: Vec::new(),
            },
            set: GlobSetBuilder::new(),
            sections: vec![String::new()],
            section: 0,
            defaults: Vec::new(),
        }
    }

    fn line(&mut self, number: u32, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if self.dialect == OwnersDialect::GitLab
            && (line.starts_with('[') || line.starts_with("^["))
        {
            return self.head(number, line);
        }
        let (written, rest) = first_word(line);
        // GitHub has no exclusions, so its `!` stays in the pattern, which then cannot be read.
        let is_negated = self.dialect != OwnersDialect::GitHub && written.starts_with('!');
        let written = if is_negated { &written[1..] } else { &written };
        let globs = match self.dialect {
            OwnersDialect::Gitea => Vec::new(),
            dialect => pattern::globs(written, dialect)?,
        };
        let regex = (self.dialect == OwnersDialect::Gitea).then(|| pattern::regex(written));
        let mut owners = self.owners(number, rest)?;
        if owners.is_empty() {
            owners.clone_from(&self.defaults);
        }
        let rule = OwnersRule {
            line: number,
            owners,
            section: self.section,
            is_negated,
            regex: regex.transpose()?,
        };
        self.file.rules.push(rule);
        for glob in globs {
            self.set.add(glob);
            let last = self.rules.len() - 1;
            self.file.of_glob.push(last);
        }
        Ok(())
    }

    /// Reads the head of a section. Sections with the same name in any case are one.
    fn head(&mut self, number: u32, line: &str) -> Result<(), String> {
        let head = SECTION.captures(line);
        let head = head.ok_or("the head of the section cannot be read, so it ends no section")?;
        let name = head["name"].trim().to_lowercase();
        let rest = head.name("owners").map_or("", |owners| owners.as_str());
        self.defaults = self.owners(number, rest)?;
        let known = self.sections.iter().position(|other| *other == name);
        self.section = known.unwrap_or_else(|| {
            self.sections.push(name);
            self.sections.len() - 1
        });
        Ok(())
    }

    /// Returns the owners at the end of a line. With an invalid owner, GitHub ignores the whole
    /// line, and the others ignore only that owner.
    fn owners(&mut self, number: u32, rest: &str) -> Result<Vec<String>, String> {
        // A comment may follow the owners.
        let words = rest
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'));
        let (good, broken): (Vec<&str>, Vec<&str>) = words.partition(|word| OWNER.is_match(word));
        if let Some(word) = broken.first() {
            let why = format!("`{word}` is not a person, team or mail address");
            if self.dialect == OwnersDialect::GitHub || good.is_empty() {
                return Err(why);
            }
            self.unread.push(UnreadLine { line: number, why });
        }
        Ok(good.into_iter().map(str::to_owned).collect())
    }

    fn end(self) -> Result<OwnersFile, String> {
        let built = self.set.build();
        let globs = built.map_err(|error| format!("its patterns are too many: {error}"))?;
        Ok(OwnersFile { globs, ..self.file })
    }
}

/// Returns a pattern and the rest of the line. A `\` before a space makes the space a part of the
/// pattern.
fn first_word(line: &str) -> (String, &str) {
    let (mut word, mut letters) = (String::new(), line.char_indices());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((_, space)) if space.is_whitespace() => word.push(space),
                Some((_, other)) => word.extend(['\\', other]),
                None => word.push('\\'),
            },
            letter if letter.is_whitespace() => return (word, &line[at..]),
            letter => word.push(letter),
        }
    }
    (word, "")
}
