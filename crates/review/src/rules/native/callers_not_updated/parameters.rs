//! How many arguments a function takes, and how many a call passes. Returns `None` if the text is
//! not clear.

use grounds_syntax::lists::parts;

/// The number of arguments that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules::native) struct Arity {
    least: usize,
    most: Option<usize>,
}

impl Arity {
    pub(in crate::rules::native) fn takes(self, count: usize) -> bool {
        self.least <= count && self.most.is_none_or(|most| count <= most)
    }

    /// Reports whether it takes every call that another one takes.
    pub(in crate::rules::native) fn takes_all_of(self, other: Self) -> bool {
        let has_room = |most: usize| other.most.is_some_and(|count| count <= most);
        self.least <= other.least && self.most.is_none_or(has_room)
    }

    /// Returns the same without an upper limit, for languages in which further arguments are no
    /// error.
    pub(in crate::rules::native) const fn without_most(self) -> Self {
        Self { most: None, ..self }
    }

    pub(in crate::rules::native) fn words(self) -> String {
        match self.most {
            Some(most) if most == self.least => self.least.to_string(),
            Some(most) => format!("{} to {most}", self.least),
            None => format!("{} or more", self.least),
        }
    }
}

/// Returns how many arguments parameters take, without the object of a method; `None` if that is
/// not clear.
pub(in crate::rules::native) fn arity(
    parameters: Option<Vec<&str>>,
    language: &str,
) -> Option<Arity> {
    let mut arity = Arity {
        least: 0,
        most: Some(0),
    };
    for (place, parameter) in parameters?.into_iter().enumerate() {
        if is_conditional(parameter, language) {
            return None;
        }
        // `*` and `/` only divide the parameters of Python, and `void` is an empty list of C.
        let is_mark = language == "Python" && matches!(parameter, "*" | "/")
            || language == "C" && parameter == "void"
            || place == 0 && is_object(parameter, language);
        // An argument with a name, or a block, has no place in the row; an extension method of C#
        // has another receiver.
        let is_named = language == "Ruby"
            && (parameter.contains(':') || parameter.starts_with(['&', '*']))
            || language == "C#" && parameter.starts_with("this ");
        if is_named {
            return None;
        }
        let is_rest = parameter.starts_with('*') && language == "Python"
            || parameter.contains("...")
            || language == "C#" && parameter.starts_with("params ");
        // TypeScript marks an optional parameter at its name: `b?: T`.
        let is_optional = parameter.contains('=')
            || language.starts_with('T') && parameter.split(':').next()?.trim_end().ends_with('?');
        match (is_mark, is_rest) {
            (true, _) => {}
            (false, true) => arity.most = None,
            (false, false) => {
                arity.least += usize::from(!is_optional);
                arity.most = arity.most.map(|most| most + 1);
            }
        }
    }
    // A function of PHP accepts more arguments than it names.
    Some(if language == "PHP" {
        arity.without_most()
    } else {
        arity
    })
}

/// Reports whether a first parameter is the object that a method is called on.
pub(in crate::rules::native) fn is_object(parameter: &str, language: &str) -> bool {
    let name = parameter.split(':').next().unwrap_or_default().trim();
    match language {
        "Python" => matches!(name, "self" | "cls"),
        "Rust" => matches!(name.rsplit([' ', '&']).next(), Some("self")),
        _ => false,
    }
}

/// Reports whether lines of the preprocessor decide which parts of a list exist.
fn is_conditional(part: &str, language: &str) -> bool {
    let is_mark = |line: &str| {
        let line = line.trim_start();
        ["#if", "#else", "#endif"]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    ["C", "C++", "C#"].contains(&language) && part.lines().any(is_mark)
}

/// Returns how many arguments a call passes; `None` if that is not clear.
pub(in crate::rules::native) fn given(text: &str, language: &str) -> Option<usize> {
    let given = parts(text, language)?;
    // A part that is spread (`*args`, `...args`), a generator or a named argument is not one
    // argument in the row. `*p` and `&p` are one in C, Go and Rust.
    let is_open = |part: &&str| {
        is_conditional(part, language)
            || part.starts_with(['*', '&'])
                && language != "Rust"
                && language != "C"
                && language != "Go"
            || part.starts_with("...")
            || part.ends_with("...")
            || part.contains(" for ")
            || language == "Ruby" && (part.contains(": ") || part.contains("=>"))
    };
    (!given.iter().any(is_open)).then_some(given.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parameters: &str, language: &str, expected: Option<(usize, Option<usize>)>) {
        let found =
            arity(parts(parameters, language), language).map(|arity| (arity.least, arity.most));
        assert_eq!(found, expected, "{parameters}");
    }

    #[test]
    fn parameters_are_counted() {
        check("a, b=1, *, c", "Python", Some((2, Some(3))));
        check("a, *rest, **named", "Python", Some((1, None)));
        check("self, a, b", "Python", Some((2, Some(2))));
        check("a='x, y'", "Python", Some((0, Some(1))));
        check(
            "a: Map<string, number>, b?: T, c = [1, 2]",
            "TypeScript",
            Some((1, Some(3))),
        );
        check("a, b int, c ...string", "Go", Some((2, None)));
        check(
            "a: impl Fn(u8, u8) -> u8, b: [u8; 3],",
            "Rust",
            Some((2, Some(2))),
        );
        check("&mut self, a: u8", "Rust", Some((1, Some(1))));
        check("void", "C", Some((0, Some(0))));
        check("a, /* , */ b", "C", None);
        check("a: &'a str, b: u8", "Rust", Some((2, Some(2))));
        check("String a, int... b", "Java", Some((1, None)));
        check("string a, int b = 2, params int[] c", "C#", Some((1, None)));
        check("this string a, int b", "C#", None);
        check("#if A\nint a,\n#endif\nint b", "C#", None);
        check("$a, $b = null", "PHP", Some((1, None)));
        check("a, b = 1", "Ruby", Some((1, Some(2))));
        check("a, b:", "Ruby", None);
    }

    #[test]
    fn arguments_are_counted() {
        assert_eq!(given("1, 'a, b', f(x, y)", "Python"), Some(3));
        assert_eq!(given("\"https://x\", 2", "TypeScript"), Some(2));
        assert_eq!(given("*all", "Python"), None);
        assert_eq!(given("&path, 1", "C"), Some(2));
        assert_eq!(given("1,\n#if A\n2,\n#endif\n3", "C"), None);
        assert_eq!(given("\"#if\"", "Python"), Some(1));
        assert_eq!(given("1, mode: 2", "Ruby"), None);
        assert_eq!(given("1 # one", "Python"), None);
    }
}
