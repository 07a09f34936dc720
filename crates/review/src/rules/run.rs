//! One run of the rules over a change.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use grounds_repo::git::GitError;

use super::callers::{Callers, ChainCallers};
use super::changes::ChangedLines;
use super::fix;
use super::git_blobs::GitBlobs;
use super::limits::RuleLimits;
use super::look::{self, Fault, RuleLook};
use super::native::{ChangePlace, ChangedSides};
use super::news::{self, Gone};
use super::report::{NotJudged, Open, RuleCoverage, RuleReport, Suppressed, SuppressedBy, Unread};
use super::rule::{DetectorKind, Rule, RuleOrigin};
use super::set::RuleSet;
use super::side::{Blobs, RulePlace, ScannedLines, Side, SideText};
use super::stated::{InDocuments, Stated, TreeWorld, World};
use super::suppression;
use super::worth;
use crate::diff::{ChangedFile, Diff, FileChange};
use crate::finding::{Anchor, Finding, Producer, Severity};
use crate::quality;
use crate::sides::Sides;

/// Maximum number of bytes of the quote in a finding.
const QUOTE_BYTES_MAX: usize = 2_000;

/// Judges a change by rules: finds what is new and wrong on its added lines, what a reason
/// silences, and what could not be judged. The result does not depend on threads.
pub fn run(rules: &RuleSet, diff: &Diff, blobs: &dyn Blobs) -> RuleReport {
    run_chosen(
        rules,
        &|rule| is_on_anywhere(rules, rule),
        diff,
        blobs,
        None,
    )
}

/// Reports whether a rule is on for some file. Findings of it are removed later where a folder
/// turns it off.
fn is_on_anywhere(rules: &RuleSet, rule: &Rule) -> bool {
    rule.is_on || rules.folders.has_on(&rule.name)
}

/// As [`run`], over the repository of a change.
///
/// # Errors
/// [`GitError`] if git fails or takes too long.
pub fn run_in_repository(rules: &RuleSet, sides: &Sides<'_>) -> Result<RuleReport, GitError> {
    let (diff, world) = (&sides.change().diff, TreeWorld::new(sides));
    let callers = ChainCallers::new(sides);
    let stated = InDocuments::new(&world, diff, &rules.limits);
    let around = ChangeSurroundings {
        callers: &callers,
        stated: &stated,
        world: &world,
    };
    let blobs = GitBlobs::new(sides)?;
    Ok(run_chosen(
        rules,
        &|rule| is_on_anywhere(rules, rule),
        diff,
        &blobs,
        Some(around),
    ))
}

/// Runs the chosen rules.
pub(crate) fn run_chosen(
    rules: &RuleSet,
    is_chosen: &dyn Fn(&Rule) -> bool,
    diff: &Diff,
    blobs: &dyn Blobs,
    around: Option<ChangeSurroundings<'_>>,
) -> RuleReport {
    let on: Vec<(usize, &Rule)> = rules
        .rules()
        .iter()
        .enumerate()
        .filter(|(_, rule)| is_chosen(rule))
        .collect();
    let run = RulesRun {
        set: rules,
        on: &on,
        diff,
        blobs,
        around,
        limits: &rules.limits,
    };
    let files = run.all_files();
    run.report(files)
}

/// Sources of facts about the code around a change.
#[derive(Clone, Copy)]
pub(crate) struct ChangeSurroundings<'a> {
    pub(crate) callers: &'a dyn Callers,
    pub(crate) stated: &'a dyn Stated,
    pub(crate) world: &'a dyn World,
}

struct RulesRun<'a> {
    set: &'a RuleSet,
    on: &'a [(usize, &'a Rule)],
    diff: &'a Diff,
    blobs: &'a dyn Blobs,
    around: Option<ChangeSurroundings<'a>>,
    limits: &'a RuleLimits,
}

/// The results of the rules in one file.
#[derive(Default)]
struct FileRun {
    found: Vec<NewPlace>,
    not_judged: Vec<NotJudged>,
    lines: usize,
    is_judged: bool,
}

/// A place that is new in its file, with its finding.
struct NewPlace {
    rule: usize,
    finding: Finding,
    suppressed: Option<(SuppressedBy, Option<String>)>,
}

impl RulesRun<'_> {
    /// Runs over every file of the change, with as many threads as there is work for.
    fn all_files(&self) -> Vec<FileRun> {
        let files = &self.diff.files;
        let threads = self.limits.threads_max.min(files.len().div_ceil(4)).max(1);
        if threads == 1 {
            return files
                .iter()
                .enumerate()
                .map(|(number, file)| self.file(number, file))
                .collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some((number, file)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, files.get(at)?)))
            {
                done.push((number, self.file(number, file)));
            }
            done
        };
        let mut all: Vec<(usize, FileRun)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_default())
                .collect()
        });
        all.sort_by_key(|(number, _)| *number);
        // A thread that panicked returns nothing, so its files are missing here.
        self.with_missing(all)
    }

    /// Adds the files of a thread that panicked: it judged nothing, and its files are reported, not
    /// left out.
    fn with_missing(&self, done: Vec<(usize, FileRun)>) -> Vec<FileRun> {
        let mut done = done.into_iter().peekable();
        let run =
            |(number, file): (usize, &ChangedFile)| match done.next_if(|(at, _)| *at == number) {
                Some((_, run)) => run,
                None => self.left_open(
                    file,
                    Open::Failure,
                    "a thread that judged it broke".to_owned(),
                ),
            };
        self.diff.files.iter().enumerate().map(run).collect()
    }

    fn left_open(&self, file: &ChangedFile, open: Open, reason: String) -> FileRun {
        let lines = ChangedLines::of(file).added.len();
        let left = NotJudged {
            path: file.path.clone(),
            rule: None,
            reason,
            lines,
            open,
        };
        FileRun {
            not_judged: vec![left],
            lines,
            ..FileRun::default()
        }
    }

    fn file(&self, number: usize, file: &ChangedFile) -> FileRun {
        let left = |open: Open, reason: &str| self.left_open(file, open, reason.to_owned());
        match file.change {
            FileChange::Binary => return left(Open::Kind, "it is not text"),
            FileChange::Submodule => return left(Open::Kind, "it is a submodule"),
            // A file whose mode alone changed has no line to judge. One that was only renamed may
            // have made a statement in a document false.
            FileChange::ModeOnly if file.hunks.is_empty() => return nothing_to_judge(),
            FileChange::Renamed if file.hunks.is_empty() => return self.renamed(number, file),
            FileChange::Added
            | FileChange::Modified
            | FileChange::Renamed
            | FileChange::Deleted
            | FileChange::ModeOnly => {}
        }
        let lines = ChangedLines::of(file);
        let head = match self.side(file, Side::Head) {
            // A deleted file has no text at the reviewed side either, but it has no added lines.
            Ok(head) if head.is_none() && !lines.added.is_empty() => {
                return left(Open::NoText, "its text is missing");
            }
            Ok(head) => head,
            Err(Unread { open, reason }) => return self.left_open(file, open, reason),
        };
        let judged = catch_unwind(AssertUnwindSafe(|| {
            self.judge(number, file, &lines, head.as_ref())
        }));
        judged.unwrap_or_else(|_| left(Open::Failure, "judging it broke"))
    }

    /// Judges a file that was only renamed: no line of it is new, but statements in documents about
    /// it may now be false.
    fn renamed(&self, number: usize, file: &ChangedFile) -> FileRun {
        let head = self.side(file, Side::Head);
        let Ok(Some(head)) = head else {
            return nothing_to_judge();
        };
        let lines = ChangedLines::default();
        let judged = catch_unwind(AssertUnwindSafe(|| {
            self.judge(number, file, &lines, Some(&head))
        }));
        judged
            .unwrap_or_else(|_| self.left_open(file, Open::Failure, "judging it broke".to_owned()))
    }

    /// Returns one side of a file, within the limits.
    fn side(&self, file: &ChangedFile, side: Side) -> Result<Option<SideText>, Unread> {
        let path = match side {
            Side::Base => file.path_old.as_deref().unwrap_or(&file.path),
            Side::Head => &file.path,
        };
        let Some(bytes) = self.blobs.read(file, side)? else {
            return Ok(None);
        };
        let most = self.limits.file_bytes_max;
        match bytes.len() > most {
            true => Err(Unread {
                open: Open::Bound,
                reason: format!(
                    "it has {} bytes, more than {most} (file_bytes_max)",
                    bytes.len()
                ),
            }),
            false => Ok(Some(SideText::new(path, bytes))),
        }
    }

    fn judge(
        &self,
        number: usize,
        file: &ChangedFile,
        lines: &ChangedLines,
        head: Option<&SideText>,
    ) -> FileRun {
        let mut run = FileRun {
            lines: lines.added.len(),
            is_judged: true,
            ..FileRun::default()
        };
        let looked = head
            .map(|head| {
                look::look(
                    head,
                    self.on,
                    &ScannedLines::These(&lines.added),
                    self.limits,
                )
            })
            .unwrap_or_default();
        self.tell_faults(file, &looked.faults, &mut run);
        let has_change_rules = self.on.iter().any(|(_, rule)| is_about_changes(rule));
        // The base is read only if a place has to be compared with it, or if a rule about changes
        // has removed lines to judge.
        let needs_base = !looked.places.is_empty() || has_change_rules && !lines.removed.is_empty();
        let base = needs_base.then(|| self.base(file, &mut run)).flatten();
        if let Some(head) = head {
            let new = self.new_places(lines, looked.places, base.as_ref());
            self.find(file, head, lines, new, &mut run);
        }
        self.find_in_change(
            &ChangedSides {
                diff: self.diff,
                number,
                file,
                lines,
                base: base.as_ref(),
                head,
                callers: self.around.map(|around| around.callers),
                stated: self.around.map(|around| around.stated),
                world: self.around.map(|around| around.world),
                mentions_bytes_max: self.limits.mentions_bytes_max,
                packs: &self.set.packs,
            },
            &mut run,
        );
        // A rule runs if it is on in any folder, so its findings elsewhere are removed here.
        run.found.retain(|found| self.is_on(found.rule, &file.path));
        run
    }

    /// Returns the base of a file. If it cannot be read, every place counts as new, and the report
    /// says that it may be old.
    fn base(&self, file: &ChangedFile, run: &mut FileRun) -> Option<SideText> {
        let read = self.side(file, Side::Base);
        read.unwrap_or_else(|Unread { open, reason }| {
            let fault = Fault {
                rule: None,
                reason: format!("the base: {reason}"),
                open,
            };
            self.tell_faults(file, &[fault], run);
            None
        })
    }

    fn tell_faults(&self, file: &ChangedFile, faults: &[Fault], run: &mut FileRun) {
        run.is_judged &= faults.is_empty();
        let lines = run.lines;
        let told = faults.iter().map(|fault| NotJudged {
            path: file.path.clone(),
            rule: fault.rule.map(|rule| self.set.rules()[rule].name.clone()),
            reason: fault.reason.clone(),
            lines,
            open: fault.open,
        });
        run.not_judged.extend(told);
    }

    fn new_places(
        &self,
        lines: &ChangedLines,
        places: Vec<(usize, RulePlace)>,
        base: Option<&SideText>,
    ) -> Vec<(usize, RulePlace)> {
        let Some(base) = base.filter(|_| !places.is_empty()) else {
            return places;
        };
        let asked: Vec<(usize, &Rule)> = self
            .on
            .iter()
            .filter(|(number, _)| places.iter().any(|(rule, _)| rule == number))
            .copied()
            .collect();
        // A place that touches an added line can begin on a kept one, so every line of the base is
        // searched.
        let RuleLook { places: old, .. } =
            look::look(base, &asked, &ScannedLines::All, self.limits);
        places
            .into_iter()
            .filter(|(rule, place)| !news::stood_there(*rule, place, &old, lines))
            .collect()
    }

    /// Makes findings of places, at most `findings_in_file_max` of one rule for a file.
    fn find(
        &self,
        file: &ChangedFile,
        head: &SideText,
        lines: &ChangedLines,
        places: Vec<(usize, RulePlace)>,
        run: &mut FileRun,
    ) {
        // Most files have no finding, and the parse is only for the names of the items around them.
        let parsed = if places.is_empty() {
            None
        } else {
            head.parse(self.limits).ok().flatten()
        };
        for (rule, place) in places {
            let symbol = look::symbol(parsed.as_ref(), &place);
            let anchor = Anchor::Lines {
                start: place.line_start,
                end: place.line_end,
            };
            let quote = head.text[place.range.clone()].trim_end();
            let quote = &quote[..quote.floor_char_boundary(QUOTE_BYTES_MAX.min(quote.len()))];
            let mut finding =
                self.finding(rule, file, anchor, quote, place.message.clone(), symbol);
            finding.severity = self
                .worth(rule, &place.message, head)
                .unwrap_or(finding.severity);
            finding.exact = Some(fix::exact(head, &place.range, place.edit.as_ref()));
            let suppressed = self.suppression(rule, file, Some(head), place.line_start, lines);
            run.found.push(NewPlace {
                rule,
                finding,
                suppressed,
            });
        }
        self.cut(file, run);
    }

    fn find_in_change(&self, change: &ChangedSides<'_>, run: &mut FileRun) {
        for (number, rule) in self.on {
            for detector in &rule.detectors {
                let DetectorKind::Native(native) = &detector.kind else {
                    continue;
                };
                let role = change.head.or(change.base).map(|side| side.role);
                if !role.is_some_and(|role| rule.reach.has(role))
                    || !detector.is_for(&change.file.path, None)
                {
                    continue;
                }
                // A rule that panics leaves this file open for itself alone; the other rules still
                // judge it.
                match catch_unwind(AssertUnwindSafe(|| native.on_change(change))) {
                    Ok(Ok(places)) => run.found.extend(
                        places
                            .into_iter()
                            .map(|place| self.found_in_change(*number, change, place)),
                    ),
                    Ok(Err(Unread { open, reason })) => self.tell_faults(
                        change.file,
                        &[Fault {
                            rule: Some(*number),
                            reason,
                            open,
                        }],
                        run,
                    ),
                    Err(_) => {
                        let fault = Fault {
                            rule: Some(*number),
                            reason: format!("the rule `{}` broke on it", rule.name),
                            open: Open::Failure,
                        };
                        self.tell_faults(change.file, &[fault], run);
                    }
                }
            }
        }
        self.cut(change.file, run);
    }

    /// Returns the severity that the table of notes gives to a finding of a built-in rule in this
    /// file, or `None`.
    fn worth(&self, rule: usize, message: &str, side: &SideText) -> Option<Severity> {
        let rule = &self.set.rules()[rule];
        let language = side.language.map_or("", |language| language.name);
        (rule.origin == RuleOrigin::BuiltIn)
            .then(|| worth::severity(&rule.name, message, side.role, language))
            .flatten()
    }

    fn found_in_change(
        &self,
        rule: usize,
        change: &ChangedSides<'_>,
        place: ChangePlace,
    ) -> NewPlace {
        let anchor = place
            .lines
            .map_or(Anchor::File, |(start, end)| Anchor::Lines { start, end });
        let mut finding = self.finding(
            rule,
            change.file,
            anchor,
            &place.quote,
            place.message,
            place.symbol,
        );
        let side = change.head.or(change.base);
        let worth = side.and_then(|side| self.worth(rule, &finding.title, side));
        finding.severity = place.severity.or(worth).unwrap_or(finding.severity);
        let line = place.lines.map_or(0, |(start, _)| start);
        let suppressed = self.suppression(rule, change.file, change.head, line, change.lines);
        NewPlace {
            rule,
            finding,
            suppressed,
        }
    }

    fn finding(
        &self,
        rule: usize,
        file: &ChangedFile,
        anchor: Anchor,
        quote: &str,
        title: String,
        symbol: String,
    ) -> Finding {
        let rule = &self.set.rules()[rule];
        let text = &rule.documentation;
        let message = [text.why.as_str(), text.instead.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n");
        Finding {
            id: String::new(),
            rule: Some(rule.name.clone()),
            path: file.path.clone(),
            anchor,
            severity: rule.severity,
            title: if title.is_empty() {
                text.what.clone()
            } else {
                title
            },
            message,
            quote: (!quote.is_empty()).then(|| quote.to_owned()),
            symbol,
            producers: vec![Producer::Rule(rule.name.clone())],
            quality: quality::of(self.set.basis(rule)),
            exact: None,
        }
    }

    /// Reports whether a rule is on in a file. A rule that was chosen for the run is on if no
    /// folder sets it.
    fn is_on(&self, rule: usize, path: &str) -> bool {
        let rule = &self.set.rules()[rule];
        let elsewhere = rule.is_on || !self.set.folders.has_on(&rule.name);
        self.set.folders.is_on(&rule.name, path, elsewhere)
    }

    fn suppression(
        &self,
        rule: usize,
        file: &ChangedFile,
        head: Option<&SideText>,
        line: u32,
        lines: &ChangedLines,
    ) -> Option<(SuppressedBy, Option<String>)> {
        let name = &self.set.rules()[rule].name;
        let comment = head
            .filter(|_| line > 0)
            .and_then(|head| suppression::at(head, name, line));
        if let Some(comment) = comment {
            let is_new = lines.added.binary_search(&comment.line).is_ok();
            return Some((
                SuppressedBy::Comment {
                    line: comment.line,
                    is_new,
                },
                comment.reason,
            ));
        }
        let is_meant = |silenced: &&super::set::Silenced| {
            silenced.rule == *name && silenced.is_about(&file.path)
        };
        let silenced = self.set.silenced.iter().find(is_meant)?;
        Some((SuppressedBy::Configuration, Some(silenced.reason.clone())))
    }

    /// Removes findings of a rule past the limit for a file, and records that they were removed.
    fn cut(&self, file: &ChangedFile, run: &mut FileRun) {
        let most = self.limits.findings_in_file_max;
        for (number, rule) in self.on {
            let count = run
                .found
                .iter()
                .filter(|found| found.rule == *number)
                .count();
            if count <= most {
                continue;
            }
            let mut kept = 0;
            run.found.retain(|found| {
                kept += usize::from(found.rule == *number);
                found.rule != *number || kept <= most
            });
            let reason = format!(
                "it found {count} places, of which {most} are shown (findings_in_file_max)"
            );
            run.not_judged.push(NotJudged {
                path: file.path.clone(),
                rule: Some(rule.name.clone()),
                reason,
                lines: run.lines,
                open: Open::Bound,
            });
            run.is_judged = false;
        }
    }

    fn report(&self, mut files: Vec<FileRun>) -> RuleReport {
        // Moved code is removed first, so that a change that only moves code is not taken for a
        // rewrite.
        self.leave_moved_out(&mut files);
        self.note_rewrites(&mut files);
        let mut report = RuleReport {
            judged: self.judged(&files),
            ..RuleReport::default()
        };
        let mut unmerged = Vec::new();
        for file in files {
            report.not_judged.extend(file.not_judged);
            for NewPlace {
                finding,
                suppressed,
                ..
            } in file.found
            {
                match suppressed {
                    // A change must not silence its own findings: a comment that it adds counts
                    // once it is merged.
                    Some((SuppressedBy::Comment { is_new: true, .. }, reason)) => {
                        unmerged.push((report.findings.len(), reason.unwrap_or_default()));
                        report.findings.push(finding);
                    }
                    Some((by, reason)) => report.suppressed.push(Suppressed {
                        finding,
                        by,
                        reason,
                    }),
                    None => report.findings.push(finding),
                }
            }
        }
        self.cut_all(&mut report);
        let all = report.findings.iter_mut().chain(
            report
                .suppressed
                .iter_mut()
                .map(|suppressed| &mut suppressed.finding),
        );
        all.enumerate()
            .for_each(|(index, finding)| finding.id = format!("R{}", index + 1));
        // Ids are given after the limit was applied, and a finding that was cut has none.
        let of_kept =
            |(index, reason)| Some((report.findings.get::<usize>(index)?.id.clone(), reason));
        report.silenced_by_change = unmerged.into_iter().filter_map(of_kept).collect();
        report
    }

    fn judged(&self, files: &[FileRun]) -> RuleCoverage {
        let done = || files.iter().filter(|file| file.is_judged);
        RuleCoverage {
            rules: self.on.len(),
            files: files.len(),
            files_judged: done().count(),
            lines: files.iter().map(|file| file.lines).sum(),
            lines_judged: done().map(|file| file.lines).sum(),
        }
    }

    fn cut_all(&self, report: &mut RuleReport) {
        let most = self.limits.findings_max;
        let count = report.findings.len();
        if count > most {
            report.findings.truncate(most);
            let reason =
                format!("there are {count} findings, of which {most} are shown (findings_max)");
            report.not_judged.push(NotJudged {
                path: String::new(),
                rule: None,
                reason,
                lines: 0,
                open: Open::Bound,
            });
        }
    }

    /// Lowers findings to info if the change has so many of one rule that they are its purpose.
    fn note_rewrites(&self, files: &mut [FileRun]) {
        for (number, rule) in self.on {
            let Some(most) = worth::most_in_change(&rule.name) else {
                continue;
            };
            let found = files.iter_mut().flat_map(|file| &mut file.found);
            let found: Vec<&mut NewPlace> = found.filter(|found| found.rule == *number).collect();
            if rule.origin == RuleOrigin::BuiltIn && found.len() > most {
                found
                    .into_iter()
                    .for_each(|found| found.finding.severity = Severity::Info);
            }
        }
    }

    /// Removes findings about code that the change only moved, from other lines of its file or from
    /// another file.
    fn leave_moved_out(&self, files: &mut [FileRun]) {
        // The base of another file is searched only if its removed lines contain the quote.
        let removed = RemovedLines::of(self.diff);
        let mut gone: Vec<Option<Gone>> = self.diff.files.iter().map(|_| None).collect();
        for (number, run) in files.iter_mut().enumerate() {
            run.found.retain(|found| {
                let Some(quote) = found
                    .finding
                    .quote
                    .as_deref()
                    .filter(|_| !is_about_changes(&self.set.rules()[found.rule]))
                else {
                    return true;
                };
                let sources = removed.with(quote, number);
                !sources.into_iter().any(|source| {
                    let gone = gone[source].get_or_insert_with(|| self.gone(source));
                    // Each removed place accounts for one new place only, so that a second copy is
                    // still reported.
                    gone.take(found.rule, &crate::fingerprint::normalised(quote))
                })
            });
        }
    }

    /// Returns the places at the base of a file that were on removed lines.
    fn gone(&self, number: usize) -> Gone {
        let file = &self.diff.files[number];
        let Ok(Some(base)) = self.side(file, Side::Base) else {
            return Gone::default();
        };
        let lines = ChangedLines::of(file);
        let RuleLook { places, .. } = look::look(
            &base,
            self.on,
            &ScannedLines::These(&lines.removed),
            self.limits,
        );
        Gone::of(&base, &places, &lines)
    }
}

/// Returns the result for a file without a line to judge.
fn nothing_to_judge() -> FileRun {
    FileRun {
        is_judged: true,
        ..FileRun::default()
    }
}

/// Reports whether a rule judges the change itself, and not one side.
fn is_about_changes(rule: &Rule) -> bool {
    rule.detectors.iter().any(|detector| match &detector.kind {
        DetectorKind::Native(native) => native.is_about_changes(),
        DetectorKind::Tree(_) | DetectorKind::Text(_) => false,
    })
}

/// The removed lines of a change as one text per file, to find quickly whether it contains some
/// words.
struct RemovedLines(Vec<String>);

impl RemovedLines {
    fn of(diff: &Diff) -> Self {
        let text = |file: &ChangedFile| {
            let lines = file
                .hunks
                .iter()
                .flat_map(|hunk| &hunk.lines)
                .filter(|line| line.kind == crate::diff::LineKind::Removed);
            lines
                .map(|line| crate::fingerprint::normalised(&line.text))
                .collect::<Vec<_>>()
                .join("\n")
        };
        Self(diff.files.iter().map(text).collect())
    }

    /// Returns the files that a place with this quote may come from: its own first, in which it may
    /// have been edited, then those whose removed lines contain the first line of the quote.
    fn with(&self, quote: &str, own: usize) -> Vec<usize> {
        let first = crate::fingerprint::normalised(quote.lines().next().unwrap_or_default());
        let has = |number: &usize| !first.is_empty() && self.0[*number].contains(&first);
        let others = (0..self.0.len()).filter(|number| *number != own);
        let own = std::iter::once(own).filter(|number| !self.0[*number].is_empty());
        own.chain(others.filter(has)).collect()
    }
}
