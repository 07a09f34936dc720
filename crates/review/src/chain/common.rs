//! Names that say nothing of a repository: the words of languages and the names of
//! their standard libraries. The chain never looks for a definition of them.

/// Words that some language keeps for itself.
const KEYWORDS: &[&str] = &[
    "abstract", "alignas", "alignof", "and", "any", "as", "asm", "assert", "async", "auto", "await", "base", "begin", "bool", "boolean",
    "break", "byte", "case", "catch", "chan", "char", "checked", "class", "const", "consteval", "constexpr", "continue", "crate", "decimal",
    "declare", "def", "default", "defer", "defined", "del", "delegate", "delete", "do", "done", "double", "dyn", "each", "echo", "elif",
    "else", "elseif", "elsif", "end", "endif", "ensure", "enum", "esac", "event", "except", "explicit", "export", "extends", "extern",
    "false", "False", "fi", "final", "finally", "fixed", "float", "fn", "for", "foreach", "from", "func", "function", "get", "global", "go",
    "goto", "if", "ifdef", "ifndef", "impl", "implements", "implicit", "import", "in", "include", "inline", "instanceof", "int",
    "int16_t", "int32_t", "int64_t", "int8_t", "interface", "internal", "is", "lambda", "let", "local", "lock", "long", "loop", "match",
    "mod", "module", "move", "mut", "namespace", "native", "never", "new", "next", "nil", "noexcept", "None", "nonlocal", "not", "null",
    "NULL", "nullptr", "number", "object", "of", "operator", "or", "out", "override", "package", "params", "pass", "print", "private",
    "protected", "protocol", "pub", "public", "raise", "range", "readonly", "record", "ref", "register", "require", "rescue", "restrict",
    "return", "sbyte", "sealed", "select", "self", "Self", "set", "short", "signed", "sizeof", "static", "str", "string", "String", "struct",
    "super", "switch", "symbol", "synchronized", "template", "then", "this", "throw", "throws", "trait", "transient", "true", "True", "try",
    "type", "typedef", "typeof", "typename", "uint", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "ulong", "undefined", "union", "unknown",
    "unless", "unsafe", "unsigned", "until", "use", "using", "val", "var", "virtual", "void", "volatile", "when", "where", "while", "with",
    "xor", "yield", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "usize", "isize", "int8", "int16", "int32", "int64",
    "uint8", "uint16", "uint32", "uint64", "float32", "float64", "rune", "error", "size_t", "ssize_t", "define", "endfor", "it", "args",
];

/// Names of standard libraries that repositories define by chance.
const LIBRARY: &[&str] = &[
    "Array", "ArrayList", "Arc", "Box", "BTreeMap", "Boolean", "Class", "Clone", "Cow", "Date", "Debug", "Default", "Dict", "Err", "Error",
    "Exception", "Function", "HashMap", "HashSet", "Integer", "Iterator", "JSON", "List", "Long", "Map", "Math", "Number", "Object", "Ok",
    "Option", "Optional", "Override", "Path", "PathBuf", "Promise", "Rc", "Record", "RegExp", "Result", "Set", "Some", "Symbol", "Task",
    "Test", "Thread", "Tuple", "TypeError", "Union", "ValueError", "Vec", "add", "all", "append", "apply", "assign", "async", "at", "begin",
    "bind", "c_str", "call", "cap", "catch", "ceil", "charAt", "clear", "clone", "close", "collect", "concat", "console", "contains",
    "copy", "count", "data", "dict", "emit", "empty", "endsWith", "entries", "enumerate", "equals", "err", "error", "exec", "exists", "exit",
    "expect", "extend", "fill", "filter", "find", "findIndex", "first", "flat", "flatMap", "floor", "flush", "forEach", "format", "free",
    "front", "get", "getClass", "getattr", "handle", "has", "hash", "hashCode", "id", "includes", "index", "indexOf", "info", "init",
    "insert", "instance", "into", "isEmpty", "isinstance", "items", "iter", "join", "key", "keys", "last", "len", "length", "list", "load",
    "lock", "log", "lower", "main", "make", "malloc", "map", "max", "memcpy", "memset", "message", "min", "name", "next", "now", "ok",
    "open", "panic", "parse", "parseInt", "path", "pop", "pos", "print", "printf", "println", "process", "push", "push_back", "put", "range",
    "read", "reduce", "remove", "replace", "reserve", "reset", "resize", "resolve", "result", "reverse", "round", "run", "set", "setTimeout",
    "setattr", "shift", "size", "sleep", "slice", "some", "sort", "sorted", "splice", "split", "sprintf", "sqrt", "start", "startsWith",
    "status", "std", "stop", "strcmp", "stringify", "strip", "strlen", "sub", "substr", "substring", "sum", "super", "swap", "then", "toInt",
    "toLowerCase", "toString", "toUpperCase", "to_owned", "to_string", "trim", "tuple", "type", "unlock", "unwrap", "update", "upper", "url",
    "value", "valueOf", "values", "wait", "warn", "write", "zip", "__init__", "fmt", "os", "sys", "ctx", "nil", "fs", "key", "node",
    "vector", "optional", "move", "make_unique", "make_shared", "unique_ptr", "shared_ptr", "pair", "cout", "endl", "assertEquals",
    "assertEqual", "assertTrue", "assertFalse", "describe", "test", "Math", "Buffer", "window", "document", "module", "exports", "constructor",
];

/// Whether the chain leaves a name alone.
pub(super) fn is_common(name: &str) -> bool {
    KEYWORDS.contains(&name) || LIBRARY.contains(&name)
}
