//! Reads the parameters in the head of a function, as languages write them.

use grounds_syntax::{languages, lists};

/// Limit on the bytes of a definition in which the list of parameters has to end.
const HEAD_BYTES_MAX: usize = 8192;

/// One parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Its name.
    pub(super) name: String,
    /// The value that it has without an argument, as written; `None` if it needs one.
    pub(super) default: Option<String>,
    /// Whether it collects all further arguments.
    pub(super) is_rest: bool,
}

impl Parameter {
    /// Returns the parameter in words: `depth`, `depth = 512`.
    pub(super) fn told(&self) -> String {
        match &self.default {
            Some(value) => format!("`{} = {value}`", self.name),
            None => format!("`{}`", self.name),
        }
    }
}

/// The parameters of a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParameterList {
    /// The parameters in order, without the receiver of a method.
    pub(super) parameters: Vec<Parameter>,
}

/// How a language writes a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// `name: Type = value`.
    NameFirst,
    /// `name Type`.
    NameThenType,
    /// `Type name = value`.
    TypeFirst,
    /// `name`, `name = value`, `name:`, `name: value`.
    Ruby,
}

impl Order {
    fn of(language: &str) -> Self {
        match language {
            "Go" => Self::NameThenType,
            "Ruby" => Self::Ruby,
            "Java" | "C#" | "C" | "C++" | "PHP" | "Dart" => Self::TypeFirst,
            _ => Self::NameFirst,
        }
    }
}

impl ParameterList {
    /// Reads a head; `None` if it has no list that can be read.
    pub(super) fn read(head: &str, name: &str, path: &str) -> Option<Self> {
        let file_name = path.rsplit('/').next().unwrap_or(path);
        let language = languages::of_name(file_name)?.name;
        let order = Order::of(language);
        let mut parameters = Vec::new();
        for part in lists::parts(&head[lists::of_definition(head, name, language)?], language)? {
            read(part, order, language, &mut parameters)?;
        }
        Some(Self { parameters })
    }

    /// Returns the parameter of a name.
    pub(super) fn find(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|one| one.name == name)
    }
}

/// Returns the beginning of a definition on one line, without comments at the ends of its lines.
pub(super) fn without_comments<'l>(lines: impl Iterator<Item = &'l str>, path: &str) -> String {
    let mark = match path.ends_with(".py") || path.ends_with(".rb") {
        true => "#",
        false => "//",
    };
    let mut head = String::new();
    for line in lines {
        let mut starts = line.match_indices(mark).map(|(at, _)| at);
        // Inside of a string, the mark has an odd number of quotation marks before it.
        let comment = starts.find(|at| line[..*at].matches(['"', '\'']).count().is_multiple_of(2));
        head.push_str(line[..comment.unwrap_or(line.len())].trim());
        head.push(' ');
        if head.len() > HEAD_BYTES_MAX {
            break;
        }
    }
    head
}

/// Adds the parameters of one part of a list; `None` if it cannot be read.
fn read(part: &str, order: Order, language: &str, parameters: &mut Vec<Parameter>) -> Option<()> {
    // `*` and `/` of Python only separate parameters, and `void` of C says that there are no
    // parameters.
    if matches!(part, "*" | "/" | "..." | "void") || is_object(part) {
        return Some(());
    }
    let part = without_attributes(part);
    // `{ a, b = 1 }: Props` takes an object apart: its keys are the parameters.
    if let Some(inside) = part.strip_prefix('{') {
        let inside = inside.split_once('}').map_or(inside, |(inside, _)| inside);
        for part in lists::parts(inside, language)? {
            let name = part.split(':').next().unwrap_or(part);
            read(name, order, language, parameters)?;
        }
        return Some(());
    }
    let (left, default) = halves(part, order);
    let is_rest = left.starts_with('*') && order != Order::TypeFirst
        || left.contains("...")
        || left.starts_with("vararg ");
    let left = left.trim_start_matches(['*', '&', '.', '$']);
    let words: Vec<&str> = left
        .split(|letter: char| !(is_letter(letter) || letter == '$'))
        .filter(|word| !word.is_empty())
        .collect();
    let name = match order {
        Order::TypeFirst | Order::NameFirst => words.last()?,
        Order::NameThenType | Order::Ruby => words.first()?,
    };
    parameters.push(Parameter {
        name: name.trim_start_matches('$').to_owned(),
        default: default.map(str::to_owned),
        is_rest,
    });
    Some(())
}

/// Returns the part before the type or value, and the value.
fn halves(part: &str, order: Order) -> (&str, Option<&str>) {
    let assigned = part
        .match_indices('=')
        .find(|(at, _)| !part[*at..].starts_with("=>") && !part[*at..].starts_with("=="))
        .map(|(at, _)| (part[..at].trim(), part[at + 1..].trim()));
    let (left, value) = assigned.map_or((part, None), |(left, value)| (left, Some(value)));
    match order {
        Order::NameFirst => (left.split(':').next().unwrap_or(left).trim(), value),
        Order::Ruby => match left.split_once(':') {
            Some((name, "")) => (name, value),
            Some((name, rest)) => (name, Some(rest.trim())),
            None => (left, value),
        },
        Order::NameThenType | Order::TypeFirst => (left, value),
    }
}

/// Reports whether a part is the receiver of a method, which is no parameter.
fn is_object(part: &str) -> bool {
    let name = part.split(':').next().unwrap_or(part).trim();
    let bare = name
        .trim_start_matches('&')
        .trim_start_matches("mut ")
        .trim();
    let bare = bare.rsplit(' ').next().unwrap_or(bare);
    matches!(bare, "self" | "cls" | "this")
}

/// Returns a part without its attributes: `final String name` of `@Nullable final String name`.
fn without_attributes(part: &str) -> &str {
    let mut rest = part;
    while rest.starts_with(['@', '#']) {
        let mut depth = 0_i32;
        let end = rest.char_indices().find(|(_, letter)| {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            depth == 0 && letter.is_whitespace()
        });
        let Some((end, _)) = end else { break };
        rest = rest[end..].trim_start();
    }
    rest
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::ParameterList;

    /// Heads, the names of the functions, and what is read of them.
    const HEADS: &[(&str, &str, &str, &str)] = &[
        (
            "a.py",
            "f",
            "def f(self, a, *, b: int = 3, **kwargs) -> None",
            "a|b=3|kwargs*",
        ),
        (
            "a.py",
            "g",
            "async def g[T](a: dict[str, int] = {}, b: T = \"a, b\")",
            "a={}|b=\"a, b\"",
        ),
        (
            "a.py",
            "__init__",
            "def __init__(self, sep: str | bytes = b\".\", kind: str = r',', *, d: t.Any | None = None)",
            "sep=b\".\"|kind=r','|d=None",
        ),
        (
            "a.rs",
            "get",
            "fn get<'a>(&'a self, key: &'a str, n: u8)",
            "key|n",
        ),
        (
            "a.rs",
            "new",
            "pub fn new<T: Fn(u8) -> u8>(&mut self, mut depth: usize, f: T) -> Self",
            "depth|f",
        ),
        (
            "a.go",
            "Do",
            "func (c *Doer) Do(a, b string, opts ...Option) error",
            "a|b|opts*",
        ),
        (
            "A.java",
            "Get",
            "public <T> List<T> Get(@Nullable final Map<String, T> map, int... more)",
            "map|more*",
        ),
        (
            "a.ts",
            "make",
            "export function make<T>({ a, b = 1 }: Props, c?: T): void",
            "a|b=1|c",
        ),
        (
            "a.ts",
            "constructor",
            "constructor(private readonly url: string, retries = 2)",
            "url|retries=2",
        ),
        (
            "a.js",
            "run",
            "const run = async (file, options = {}) =>",
            "file|options={}",
        ),
        (
            "a.rb",
            "call",
            "def call(env, limit = 10, deep: false, *rest, &block)",
            "env|limit=10|deep=false|rest*|block",
        ),
        (
            "a.c",
            "read",
            "static int read(const char *path, size_t n)",
            "path|n",
        ),
        (
            "a.kt",
            "load",
            "fun load(path: String, depth: Int = 3, vararg names: String)",
            "path|depth=3|names*",
        ),
    ];

    #[test]
    fn heads_are_read_as_their_languages_write_them() {
        for (path, name, head, wanted) in HEADS {
            let list = ParameterList::read(head, name, path).expect(head);
            let told: Vec<String> = list
                .parameters
                .iter()
                .map(|one| {
                    let value = one.default.as_ref().map(|value| format!("={value}"));
                    let rest = if one.is_rest { "*" } else { "" };
                    format!("{}{}{rest}", one.name, value.unwrap_or_default())
                })
                .collect();
            assert_eq!(told.join("|"), *wanted, "{head}");
        }
    }
}
