//! How many commits somebody made. The list of them gives the number, and another wording asks for
//! that list.

use crate::words::is_in;

/// Words around the name.
const AROUND: &str =
    "did has have are there were by from make made author authored do push pushed write";
/// Words that select some of the commits, which the list of all does not.
const OF_OTHERS: &str = "touch touched change changed in on to of since until before after last between with without \
    per the this that we i you it they each year month week release file";
/// Largest number of words in a name.
const NAME_WORDS_MAX: usize = 3;

/// Rewrites "how many commits did Ann Lee make?" as a question for these commits; `None` if
/// something else is counted.
pub(crate) fn of_person(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['?', '.', '!']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let [how, many, commits, ..] = lower.as_slice() else {
        return None;
    };
    let is_asked = how == "how" && many == "many" && commits == "commits";
    let is_other = lower[3..].iter().any(|word| is_in(OF_OTHERS, word));
    let name: Vec<&str> = (3..words.len())
        .filter(|at| !is_in(AROUND, &lower[*at]))
        .map(|at| words[at])
        .collect();
    let is_name = !name.is_empty()
        && name.len() <= NAME_WORDS_MAX
        && name.iter().all(|word| word.starts_with(char::is_uppercase));
    (is_asked && !is_other && is_name).then(|| format!("commits by {}", name.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::of_person;

    #[test]
    fn only_all_commits_of_somebody_are_counted() {
        let cases = [
            (
                "How many commits did Ann Lee make?",
                Some("commits by Ann Lee"),
            ),
            ("how many commits are there by Bob", Some("commits by Bob")),
            ("how many commits has Ann Lee made to a.py?", None),
            ("How many commits are in 2020?", None),
            ("How many commits did Ann Lee make last year?", None),
            ("how many commits are there?", None),
        ];
        for (text, plain) in cases {
            assert_eq!(of_person(text).as_deref(), plain, "{text}");
        }
    }
}
