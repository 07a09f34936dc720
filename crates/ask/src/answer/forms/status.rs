//! Status: what happened, from the history: the direct answer in one sentence, then the commits and
//! files that support it.

use grounds_evidence::{
    EntryId, EvidenceClass, ObservationSource, QuestionTarget, TargetKind, WantedRelation,
};
use grounds_repo::history::{
    Authors, Branch, ChangedFiles, Commit, CommitAuthors, CommitList, Findings, HistoryAspect,
    Home, Introduction, Removal,
};
use grounds_repo::history::{Tag, Tags, TargetHistory, What, WorkTree};
use grounds_repo::path::RepoPath;

use crate::answer::citation::{AnswerCitation, CitedPart, Resource, on_one_line};
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm, places};

/// Files that are listed.
const FILES_SHOWN: usize = 20;
/// Lines of the text of a place in the work tree.
const PLACE_LINES_MAX: u32 = 3;

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let history = desk.bench.history();
    let Ok(findings) = history.as_ref() else {
        return Vec::new();
    };
    let writer = StatusWriter {
        evidence: desk
            .ledger
            .about(EvidenceClass::GitLog, "")
            .map(|(id, _)| id)
            .collect(),
        desk,
        findings,
    };
    let mut sections: Vec<AnswerSection> = findings
        .told
        .iter()
        .flat_map(|told| writer.told(told))
        .collect();
    // What could not be seen limits the direct answer, which is the first sentence.
    if let Some(last) = sections.first_mut() {
        findings
            .unseen
            .iter()
            .for_each(|sentence| last.text = format!("{} {sentence}", last.text));
    }
    sections
}

struct StatusWriter<'w, 'd, 'b> {
    desk: &'w AnswerDesk<'d, 'b>,
    findings: &'w Findings,
    evidence: Vec<EntryId>,
}

/// Limit on the names of files that git assumes unchanged.
const UNASKED_NAMED_MAX: usize = 3;

/// Returns the sentence about files that git was asked to assume unchanged; empty if there are no
/// such files.
fn unasked(paths: &[String]) -> String {
    let named = paths.iter().take(UNASKED_NAMED_MAX);
    let names: Vec<String> = named
        .map(|path| format!("`{}`", on_one_line(path)))
        .collect();
    let more = if paths.len() > names.len() {
        ", …"
    } else {
        ""
    };
    match paths.len() {
        0 => String::new(),
        1 => format!(
            " Git was asked to assume 1 file unchanged, so it is unknown whether it differs: {}.",
            names.join(", ")
        ),
        count => format!(
            " Git was asked to assume {count} files unchanged, so it is unknown whether they differ: {}{more}.",
            names.join(", ")
        ),
    }
}

impl StatusWriter<'_, '_, '_> {
    fn told(&self, told: &TargetHistory) -> Vec<AnswerSection> {
        let name = code(&told.name);
        match &told.what {
            // Neither has a commit that could be cited.
            What::Nothing | What::StillThere => Vec::new(),
            What::Uncommitted(homes) => self.uncommitted(&name, homes),
            What::Commits(listed) => vec![self.commits(&told.name, listed)],
            What::OneCommit(commit, files) => self.one_commit(commit, files),
            What::About {
                changing,
                mentioning,
            } => self.about(&name, changing, mentioning),
            What::Introduced(found) => self.introduced(&name, found),
            What::Removed(found) => self.removed(&name, found),
            What::LastChanged {
                places,
                uncommitted,
            } => self.last_changed(&name, places, uncommitted),
            What::AuthorsOfLines { places, authors } => {
                self.authors_of_lines(&name, places, authors)
            }
            What::AuthorsOfCommits(authors) => vec![self.authors_of_commits(&told.name, authors)],
            What::Changes { commits, files } => self.changes(&told.name, commits, files.as_ref()),
            What::WorkTree(tree) => self.work_tree(tree),
            What::Branch(branch) => self.branch(branch),
            What::Tags(tags) => vec![self.tags(tags)],
            What::TagsWith(commit, tags) => vec![self.tags_with(commit, tags)],
        }
    }

    fn introduced(&self, name: &str, found: &Introduction) -> Vec<AnswerSection> {
        let released = released("first tag with it:", found.tag.as_ref());
        let more = if found.files > 1 {
            format!(" and {}", count(found.files - 1, "other file"))
        } else {
            String::new()
        };
        let place = if found.path.is_empty() {
            String::new()
        } else {
            format!(", as {}{more}", code(&found.path))
        };
        let mut text = format!(
            "{name} came in with {}{released}{place}.",
            by(&found.commit)
        );
        let mut commits = vec![self.commit(&found.commit)];
        // The file in which a name began need not be the one that has it today.
        if let Some(home) = &found.home {
            let from = home
                .from
                .as_ref()
                .map_or_else(String::new, |from| match home.is_file {
                    true => format!(" (it was {} before)", code(from)),
                    false => format!(" (it left {} then)", code(from)),
                });
            let place = match home.is_file {
                true => format!("called {}", code(&home.path)),
                false => format!("in {}, which defines it today,", code(&home.path)),
            };
            let since = by(&home.commit);
            text.push_str(&format!(" It has been {place} since {since}{from}."));
            commits.push(self.commit(&home.commit));
        }
        if found.is_cut {
            text.push_str(
                " Older commits were not all searched: a bound (`history_ms_max`) was reached.",
            );
        }
        vec![AnswerSection {
            text,
            citations: commits,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }]
    }

    fn removed(&self, name: &str, found: &Removal) -> Vec<AnswerSection> {
        let released = released("first tag without it:", found.tag.as_ref());
        let place = if found.path.is_empty() {
            String::new()
        } else {
            format!(", from {}", code(&found.path))
        };
        let text = format!(
            "{name} went out with {}{released}{place}.{}",
            by(&found.commit),
            still(&found.still)
        );
        vec![AnswerSection {
            text,
            citations: vec![self.commit(&found.commit)],
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }]
    }

    fn uncommitted(&self, name: &str, homes: &[Home]) -> Vec<AnswerSection> {
        let text =
            format!("{name} is in no commit: it is part of uncommitted changes in the work tree.");
        vec![AnswerSection {
            text,
            citations: self.places(homes),
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }]
    }

    fn last_changed(
        &self,
        name: &str,
        places: &[(Home, CommitList)],
        uncommitted: &[Home],
    ) -> Vec<AnswerSection> {
        let of_place = |(home, listed): &(Home, CommitList)| {
            let newest = listed.commits.first()?;
            let mut citations: Vec<AnswerCitation> = listed
                .commits
                .iter()
                .map(|commit| self.commit(commit))
                .collect();
            citations.extend(self.places(std::slice::from_ref(home)));
            let text = format!(
                "{name} ({}) was last changed with {}.",
                lines_of(home),
                by(newest)
            ) + &self.cut(listed);
            Some(AnswerSection {
                text,
                citations,
                shown: PlaceForm::Listed,
                ..AnswerSection::default()
            })
        };
        // The newest comes first, since the question asks for the last change. The stub of an
        // overload often did not change with it.
        let mut places: Vec<&(Home, CommitList)> = places.iter().collect();
        places.sort_by_key(|(_, listed)| {
            std::cmp::Reverse(listed.commits.first().map(|commit| commit.committed_s))
        });
        let mut sections: Vec<AnswerSection> = places.into_iter().filter_map(of_place).collect();
        if !uncommitted.is_empty() {
            sections.extend(self.uncommitted(name, uncommitted));
        }
        sections
    }

    fn about(
        &self,
        name: &str,
        changing: &CommitList,
        mentioning: &CommitList,
    ) -> Vec<AnswerSection> {
        let mut sections = Vec::new();
        if let Some(newest) = changing.commits.first() {
            let text = format!(
                "{name} was changed in {}{}, last with {}.",
                self.counted(changing),
                self.range(),
                by(newest)
            );
            sections.push(self.listing(text, changing));
        }
        // A commit that names it in its message need not change it, so the two lists stay apart.
        if let Some(newest) = mentioning.commits.first() {
            let text = format!(
                "{}{} speak of {name}, the newest {}.",
                capital(&self.counted(mentioning)),
                self.range(),
                by(newest)
            );
            sections.push(AnswerSection {
                title: title(&sections, "Commits that speak of it"),
                ..self.listing(text, mentioning)
            });
        }
        sections
    }

    fn commits(&self, name: &str, listed: &CommitList) -> AnswerSection {
        let newest = listed.commits.first().map_or_else(String::new, by);
        if self.desk.bench.enquiry.history.aspect == HistoryAspect::Oldest {
            return self.oldest(&newest, listed);
        }
        let of = if name.is_empty() {
            self.within()
        } else {
            format!(" of {}", code(name))
        };
        let author = self
            .desk
            .bench
            .enquiry
            .history
            .author
            .as_ref()
            .map_or_else(String::new, |author| format!(" by {}", code(author)));
        // Without an author or a range, the last commit is asked for; with one, a number of commits
        // answers better.
        let text = if author.is_empty() && self.findings.range.is_everything() {
            match self.desk.bench.enquiry.history.aspect {
                HistoryAspect::LastChanged if !of.is_empty() => {
                    format!("The last change{of} is {newest}.")
                }
                _ => format!("The newest commit{of} is {newest}."),
            }
        } else {
            format!(
                "There are {}{author}{of}{}, the newest {newest}.",
                self.counted(listed),
                self.range()
            )
        };
        self.listing(text, listed)
    }

    fn oldest(&self, oldest: &str, listed: &CommitList) -> AnswerSection {
        let author = self.desk.bench.enquiry.history.author.as_ref();
        let author = author.map_or_else(String::new, |author| format!(" by {}", code(author)));
        // A history has several first commits if unrelated histories were merged.
        let others = match listed.count {
            0 | 1 => String::new(),
            more => format!(
                " {} without a parent began later histories that were merged.",
                capital(&count(more - 1, "other commit"))
            ),
        };
        let unsure = if listed.is_cut {
            " Older commits were not all read: a bound (`history_ms_max`) was reached."
        } else {
            ""
        };
        let text = format!(
            "The first commit{author}{}{} is {oldest}.{others}{unsure}",
            self.within(),
            self.range()
        );
        self.listing(text, listed)
    }

    fn one_commit(&self, commit: &Commit, files: &ChangedFiles) -> Vec<AnswerSection> {
        // The oldest commit of a shallow clone has no parent there to compare with.
        let changed = if files.is_cut {
            "its files are not known here".to_owned()
        } else {
            lines(files)
        };
        let text = format!("It is {}: {changed}.", by(commit));
        let mut sections = vec![AnswerSection {
            text,
            citations: vec![self.commit(commit)],
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }];
        sections.extend(self.files("Files", files));
        sections
    }

    fn changes(
        &self,
        name: &str,
        commits: &CommitList,
        files: Option<&ChangedFiles>,
    ) -> Vec<AnswerSection> {
        let of = if name.is_empty() {
            self.within()
        } else {
            format!(" in {}", code(name))
        };
        let changed = files.map_or_else(
            || "which files, this clone cannot tell: the state before is not in it".to_owned(),
            lines,
        );
        // A search that was cut off may have missed commits, so it does not say "no commit".
        let text = if commits.commits.is_empty() && !commits.is_cut {
            let newest = self
                .findings
                .head
                .as_ref()
                .map_or_else(String::new, |head| {
                    format!("; the newest commit is {}", by(head))
                });
            format!("No commit{of}{}{newest}.", self.range())
        } else {
            format!(
                "{}{of}{}: {changed}.",
                capital(&self.counted(commits)),
                self.range()
            )
        };
        let mut sections = vec![self.listing(text, commits)];
        if commits.commits.is_empty() {
            // A range without commits is shown by the commit at which it ends.
            sections[0].citations = self
                .desk
                .bench
                .checkout
                .git_top()
                .and(self.findings.head.as_ref())
                .map(|head| self.commit(head))
                .into_iter()
                .collect();
        }
        sections.extend(files.and_then(|files| self.files("Files", files)));
        sections
    }

    fn authors_of_lines(
        &self,
        name: &str,
        homes: &[Home],
        authors: &Authors,
    ) -> Vec<AnswerSection> {
        let share = |lines: u64| {
            format!(
                "{} %",
                (lines * 100 + authors.lines / 2) / authors.lines.max(1)
            )
        };
        let place = places_in_words(homes);
        let first = authors.shares.first().map_or_else(String::new, |first| {
            format!("{} wrote {}", plain(&first.author), share(first.lines))
        });
        let mut text = format!(
            "{first} of the {} of {name}{place} as they are; {} in all.",
            count(authors.lines, "line"),
            count(authors.count, "author")
        );
        // The shares do not add up to 100 % if lines are not committed, or older than a shallow
        // clone.
        for (lines, why) in [
            (authors.uncommitted, "not committed yet"),
            (authors.older, "older than this shallow clone"),
        ] {
            if lines > 0 {
                text.push_str(&format!(
                    " {} {} {why}.",
                    count(lines, "line"),
                    if lines == 1 { "is" } else { "are" }
                ));
            }
        }
        if authors.without_form {
            text.push_str(" Commits that `.git-blame-ignore-revs` lists are passed over.");
        }
        let cite = |share_of: &grounds_repo::history::Share| {
            let what = format!(
                "{} wrote {} ({}), last on {}: {}",
                share_of.author,
                count(share_of.lines, "line"),
                share(share_of.lines),
                share_of.newest.day(),
                share_of.newest.subject
            );
            AnswerCitation {
                what,
                ..self.commit(&share_of.newest)
            }
        };
        let mut citations: Vec<AnswerCitation> = authors.shares.iter().map(cite).collect();
        // Counted before the places are added, which are no authors.
        let more = authors.count - citations.len() as u64;
        citations.extend(self.places(homes));
        vec![AnswerSection {
            text,
            citations,
            more,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }]
    }

    fn authors_of_commits(&self, name: &str, authors: &CommitAuthors) -> AnswerSection {
        let of = if name.is_empty() {
            self.within()
        } else {
            format!(" of {}", code(name))
        };
        let at_least = if authors.is_cut { "at least " } else { "" };
        let all = format!("{at_least}{}", count(authors.commits, "commit"));
        let first = authors
            .authors
            .first()
            .map_or_else(String::new, |(name, made, _)| {
                format!("{} made {made} of", plain(name))
            });
        let text = format!(
            "{first} {all}{of}{}; {} in all.",
            self.range(),
            count(authors.count, "author")
        );
        let cite = |(author, made, newest): &(String, u64, Commit)| {
            let what = format!(
                "{author} made {}, the newest on {}: {}",
                count(*made, "commit"),
                newest.day(),
                newest.subject
            );
            AnswerCitation {
                what,
                ..self.commit(newest)
            }
        };
        let citations: Vec<AnswerCitation> = authors.authors.iter().map(cite).collect();
        AnswerSection {
            text,
            more: authors.count - citations.len() as u64,
            citations,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }
    }

    fn work_tree(&self, tree: &WorkTree) -> Vec<AnswerSection> {
        let along = tree
            .branch
            .upstream
            .as_ref()
            .map_or_else(String::new, |_| upstream(&tree.branch));
        let on = on_branch(&tree.branch) + &along;
        // A filter is a program that the repository may choose, so it was not run for a question.
        let unsure = if tree.unsure {
            " The configuration names filter programs, which were not run: a file that they convert may count as changed."
        } else {
            ""
        };
        let unsure = format!("{unsure}{}", unasked(&tree.unasked));
        let parts = [
            (tree.conflicted.len() as u64, "in conflict"),
            (tree.staged.count, "staged"),
            (tree.unstaged.count, "changed and not staged"),
            (tree.untracked_count, "untracked"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let text = if tree.is_clean() {
            format!(
                "Nothing{} differs from the commit that is checked out: the work tree is clean, {on}.{unsure}",
                self.within()
            )
        } else {
            format!(
                "{} {} from what is committed{}: {}; {on}.{unsure}",
                count(tree.count(), "file"),
                if tree.count() == 1 {
                    "differs"
                } else {
                    "differ"
                },
                self.within(),
                parts.join(", ")
            )
        };
        // A clean tree is shown by the commit that it equals.
        let tip = tree.branch.tip.iter().map(|tip| self.commit(tip)).collect();
        let mut sections = vec![AnswerSection {
            text,
            citations: tip,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }];
        sections.extend(self.names(
            "In conflict",
            &tree.conflicted,
            tree.conflicted.len() as u64,
        ));
        sections.extend(self.files("Staged", &tree.staged));
        sections.extend(self.files("Changed and not staged", &tree.unstaged));
        sections.extend(self.names("Untracked", &tree.untracked, tree.untracked_count));
        sections
    }

    fn branch(&self, branch: &Branch) -> Vec<AnswerSection> {
        let tip = branch
            .tip
            .as_ref()
            .map_or_else(String::new, |tip| format!(" at {}", by(tip)));
        let text = match &branch.name {
            Some(name) => format!("The branch is {}{tip}{}.", code(name), upstream(branch)),
            None => format!("No branch is checked out (HEAD is detached){tip}."),
        };
        let citations = branch.tip.iter().map(|tip| self.commit(tip)).collect();
        let mut sections = vec![AnswerSection {
            text,
            citations,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }];
        let cite = |(name, commit): &(String, Commit)| AnswerCitation {
            what: format!("{name}: {}", about(commit)),
            ..self.commit(commit)
        };
        let others: Vec<AnswerCitation> = branch.others.iter().map(cite).collect();
        if !others.is_empty() {
            let more = branch.others_count - others.len() as u64;
            sections.push(AnswerSection {
                title: "Other branches".to_owned(),
                citations: others,
                more,
                shown: PlaceForm::Listed,
                ..AnswerSection::default()
            });
        }
        sections
    }

    fn tags(&self, tags: &Tags) -> AnswerSection {
        let said = self.desk.bench.enquiry.question.to_lowercase();
        let asks_release = said.contains("release") || said.contains("version");
        // The newest tag may be a release candidate, which is no answer to a question for a
        // release.
        let full = tags.tags.iter().position(|tag| !tag.is_candidate());
        let shown = |tag: &Tag| format!("{} ({})", code(&tag.name), tag.day);
        let newest = match (tags.tags.first(), full) {
            (None, _) => String::new(),
            (Some(first), Some(0)) => format!(", the newest {}", shown(first)),
            (Some(first), Some(at)) if asks_release => format!(
                ", the newest release {}; newer and no full release is {}",
                shown(&tags.tags[at]),
                shown(first)
            ),
            (Some(first), Some(at)) => format!(
                ", the newest {}; the newest full release is {}",
                shown(first),
                shown(&tags.tags[at])
            ),
            (Some(first), None) => format!(
                ", the newest {}, which is no full release by its name",
                shown(first)
            ),
        };
        let text = format!(
            "There {} {}{newest}.",
            if tags.count == 1 { "is" } else { "are" },
            count(tags.count, "tag")
        );
        let mut section = self.tag_listing(text, tags);
        if let Some(at) = full.filter(|_| asks_release) {
            // The full release that the sentence names is cited first; the others keep their order.
            section.citations[..=at].rotate_right(1);
        }
        section
    }

    fn tags_with(&self, commit: &Commit, tags: &Tags) -> AnswerSection {
        let text = match tags.tags.first() {
            Some(first) => {
                format!(
                    "{} is in {}, first in {} ({}).",
                    capital(&by(commit)),
                    count(tags.count, "tag"),
                    code(&first.name),
                    first.day
                )
            }
            None => format!("{} is in no tag.", capital(&by(commit))),
        };
        let mut section = self.tag_listing(text, tags);
        section.citations.insert(0, self.commit(commit));
        section
    }

    fn tag_listing(&self, text: String, tags: &Tags) -> AnswerSection {
        let cite = |tag: &Tag| {
            let what = format!("{} — {}, {}", tag.name, tag.subject, tag.day);
            AnswerCitation {
                resource: Resource::Commit,
                path: tag.hash.clone(),
                what,
                cited: CitedPart::Whole,
                evidence: self.evidence.clone(),
                language: "",
            }
        };
        let citations: Vec<AnswerCitation> = tags.tags.iter().map(cite).collect();
        AnswerSection {
            text,
            more: tags.count - citations.len() as u64,
            citations,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }
    }

    /// Returns commits under a sentence, with the number of further ones.
    fn listing(&self, text: String, listed: &CommitList) -> AnswerSection {
        let citations: Vec<AnswerCitation> = listed
            .commits
            .iter()
            .map(|commit| self.commit(commit))
            .collect();
        let more = listed.count - citations.len() as u64;
        let text = text
            + if listed.left_out {
                " Where this shallow clone ends, what changed is not known."
            } else {
                ""
            };
        AnswerSection {
            text,
            citations,
            more,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        }
    }

    /// "12 commits", "at least 10 commits".
    fn counted(&self, listed: &CommitList) -> String {
        format!(
            "{}{}",
            if listed.is_cut { "at least " } else { "" },
            count(listed.count, "commit")
        )
    }

    fn cut(&self, listed: &CommitList) -> String {
        if listed.is_cut {
            " There are more changes than are listed.".to_owned()
        } else {
            String::new()
        }
    }

    /// " since `v1.2`"; empty for everything.
    fn range(&self) -> String {
        let words = self.findings.range.in_words();
        if words.is_empty() {
            words
        } else {
            format!(" {}", on_one_line(&words))
        }
    }

    /// " in `src/net`"; empty for everything.
    fn within(&self) -> String {
        let within = &self.desk.bench.enquiry.within;
        let roles = within.roles.iter().map(|role| role.as_str().to_owned());
        let parts: Vec<String> = within
            .folders
            .iter()
            .map(|folder| code(folder))
            .chain(roles)
            .collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!(" in {}", parts.join(", "))
        }
    }

    fn files(&self, title: &str, files: &ChangedFiles) -> Option<AnswerSection> {
        let cite = |file: &grounds_repo::history::ChangedFile| {
            let number = |sign: char, number: Option<u64>| {
                number.map_or_else(|| "binary".to_owned(), |number| format!("{sign}{number}"))
            };
            // git counts no lines in a binary file.
            let counts = if file.added.is_none() {
                "binary".to_owned()
            } else {
                format!("{} {}", number('+', file.added), number('-', file.removed))
            };
            let renamed = file
                .renamed_from
                .as_ref()
                .map_or_else(String::new, |from| format!(", was {from}"));
            self.file(&file.path, format!("{counts}{renamed}"))
        };
        let citations: Vec<AnswerCitation> =
            files.files.iter().take(FILES_SHOWN).map(cite).collect();
        let more = files.count.saturating_sub(citations.len() as u64);
        (!citations.is_empty()).then(|| AnswerSection {
            title: title.to_owned(),
            citations,
            more,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        })
    }

    fn names(&self, title: &str, names: &[String], count: u64) -> Option<AnswerSection> {
        let citations: Vec<AnswerCitation> = names
            .iter()
            .take(FILES_SHOWN)
            .map(|name| self.file(name, String::new()))
            .collect();
        let more = count.saturating_sub(citations.len() as u64);
        (!citations.is_empty()).then(|| AnswerSection {
            title: title.to_owned(),
            citations,
            more,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        })
    }

    /// Cites a file by its name alone.
    fn file(&self, path: &str, what: String) -> AnswerCitation {
        let checkout = self.desk.bench.checkout;
        // git names paths from the top of its work tree; the checkout may be a folder below it.
        let below = checkout
            .git_top()
            .and_then(|top| checkout.root().strip_prefix(top).ok())
            .and_then(RepoPath::relative);
        let inside = below.and_then(|below| path.strip_prefix(below.as_str())?.strip_prefix('/'));
        let path = inside.unwrap_or(path).to_owned();
        AnswerCitation {
            resource: Resource::File,
            path,
            what,
            cited: CitedPart::Whole,
            evidence: self.evidence.clone(),
            language: "",
        }
    }

    /// Cites places of the work tree, with the text of their lines.
    fn places(&self, homes: &[Home]) -> Vec<AnswerCitation> {
        let target = QuestionTarget {
            text: String::new(),
            kind: TargetKind::Commit,
            wanted: WantedRelation::Occurrence,
        };
        let cite = |home: &Home| {
            let place = home.place.as_deref()?;
            let source = ObservationSource {
                path: place.path.as_str().to_owned(),
                line_start: home.line_start,
                line_end: home.line_end,
            };
            let known = std::slice::from_ref(place);
            let citation = places::cite(self.desk, &target, &source, known, PLACE_LINES_MAX);
            Some(AnswerCitation {
                evidence: self.evidence.clone(),
                ..citation
            })
        };
        homes.iter().filter_map(cite).collect()
    }

    fn commit(&self, commit: &Commit) -> AnswerCitation {
        AnswerCitation {
            resource: Resource::Commit,
            path: commit.hash.clone(),
            what: about(commit),
            cited: CitedPart::Whole,
            evidence: self.evidence.clone(),
            language: "",
        }
    }
}

/// "the subject — author, 2021-04-02".
fn about(commit: &Commit) -> String {
    format!("{} — {}, {}", commit.subject, commit.author, commit.day())
}

/// Digits of a hash in a sentence, as many as web pages of repositories show. The whole hash is
/// cited below it.
const HASH_DIGITS: usize = 7;

/// "`3fce3b5` on 2021-04-02 by A".
fn by(commit: &Commit) -> String {
    format!(
        "`{}` on {} by {}",
        commit.hash.get(..HASH_DIGITS).unwrap_or(&commit.hash),
        commit.day(),
        plain(&commit.author)
    )
}

fn code(text: &str) -> String {
    format!("`{}`", on_one_line(text))
}

/// Returns a name for a sentence, without the characters of Markdown and without line breaks.
fn plain(text: &str) -> String {
    on_one_line(text).replace(['`', '*', '[', ']', '<', '>'], "")
}

fn released(words: &str, tag: Option<&Tag>) -> String {
    tag.map_or_else(String::new, |tag| {
        format!(" ({words} {}, {})", code(&tag.name), tag.day)
    })
}

/// Returns the first place whose lines are counted, and how many more there are: each definition
/// with the name counts.
fn places_in_words(homes: &[Home]) -> String {
    match homes {
        [first, rest @ ..] if first.line_end > 0 => {
            let more = match rest.len() as u64 {
                0 => String::new(),
                more => format!(" and {}", count(more, "other place")),
            };
            format!(" ({}{more})", lines_of(first))
        }
        _ => String::new(),
    }
}

fn lines_of(home: &Home) -> String {
    let path = home
        .place
        .as_ref()
        .map_or(home.path.as_str(), |place| place.path.as_str());
    let end = if home.line_end > home.line_start {
        format!("-{}", home.line_end)
    } else {
        String::new()
    };
    code(&format!("{path}:{}{end}", home.line_start))
}

/// "1 commit", "12 commits".
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// "3 files, +12 -4 lines".
fn lines(files: &ChangedFiles) -> String {
    let at_least = if files.is_cut { "at least " } else { "" };
    format!(
        "{at_least}{}, +{} -{} lines",
        count(files.count, "file"),
        files.added,
        files.removed
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Returns a heading if another section comes before; otherwise an empty text.
fn title(before: &[AnswerSection], title: &str) -> String {
    if before.is_empty() {
        String::new()
    } else {
        title.to_owned()
    }
}

fn on_branch(branch: &Branch) -> String {
    match (&branch.name, &branch.tip) {
        (Some(name), Some(_)) => format!("on branch {}", code(name)),
        (Some(name), None) => format!("on branch {}, which has no commit yet", code(name)),
        (None, _) => "on no branch (HEAD is detached)".to_owned(),
    }
}

fn upstream(branch: &Branch) -> String {
    let Some(upstream) = &branch.upstream else {
        return "; it follows no other branch".to_owned();
    };
    let upstream = code(upstream);
    match branch.ahead_behind {
        None => format!("; it follows {upstream}, which is gone"),
        Some((0, 0)) => format!("; it is even with {upstream}"),
        Some((ahead, 0)) => format!("; it is {} ahead of {upstream}", count(ahead, "commit")),
        Some((0, behind)) => format!("; it is {} behind {upstream}", count(behind, "commit")),
        Some((ahead, behind)) => format!(
            "; it is {} ahead of {upstream} and {behind} behind",
            count(ahead, "commit")
        ),
    }
}

/// Returns the sentence about files other than code that still name what was removed.
fn still(files: &[String]) -> String {
    let more = match files.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    files.first().map_or_else(String::new, |file| {
        format!(" It is still named in {}{more}.", code(file))
    })
}
