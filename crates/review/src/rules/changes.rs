//! What the hunks of a file say about its lines: which were added and removed, and where a line of
//! one side is at the other.

use crate::diff::{ChangedFile, LineKind};

/// The lines of a file that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedLines {
    /// Added lines by their numbers at the reviewed side, in order.
    pub(crate) added: Vec<u32>,
    /// Removed lines by their numbers at the base, in order.
    pub(crate) removed: Vec<u32>,
}

impl ChangedLines {
    pub(crate) fn of(file: &ChangedFile) -> Self {
        let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
        let mut added: Vec<u32> = lines()
            .filter(|line| line.kind == LineKind::Added)
            .filter_map(|line| line.new_number)
            .collect();
        let mut removed: Vec<u32> = lines()
            .filter(|line| line.kind == LineKind::Removed)
            .filter_map(|line| line.old_number)
            .collect();
        added.sort_unstable();
        removed.sort_unstable();
        Self { added, removed }
    }

    /// Returns the number at the base of a line of the reviewed side; `None` for an added line.
    pub(crate) fn old_number(&self, new: u32) -> Option<u32> {
        if self.added.binary_search(&new).is_ok() {
            return None;
        }
        // The unchanged lines keep their order: this is the n-th of them on both sides.
        let rank = new - u32::try_from(self.added.partition_point(|line| *line < new)).unwrap_or(0);
        // Every removed line at or before this place moves the kept line one further down at the
        // base.
        let mut old = rank;
        for line in &self.removed {
            if *line > old {
                break;
            }
            old += 1;
        }
        Some(old)
    }
}

#[cfg(test)]
mod tests {
    use super::ChangedLines;

    #[test]
    fn unchanged_lines_keep_their_order() {
        let changed = ChangedLines {
            added: vec![2, 3, 7],
            removed: vec![2, 5, 6],
        };
        // base: 1 -2 3 4 -5 -6 7 8; head: 1 +2 +3 4(3) 5(4) 6(7) +7 8(8)
        let olds: Vec<Option<u32>> = (1..=8).map(|line| changed.old_number(line)).collect();
        assert_eq!(
            olds,
            [
                Some(1),
                None,
                None,
                Some(3),
                Some(4),
                Some(7),
                None,
                Some(8)
            ]
        );
    }
}
