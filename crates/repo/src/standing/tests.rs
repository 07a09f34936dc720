use super::*;

fn standing(line: &str) -> NameStanding {
    standing_in(line, Dialect::Other)
}

fn standing_in(line: &str, dialect: Dialect) -> NameStanding {
    let text = format!("\n{line}\n");
    let at = text.find("name").expect("the line holds `name`");
    of(text.as_bytes(), at..at + 4, dialect)
}

#[test]
fn uses_are_seen_without_a_parse() {
    for line in [
        "    x = name(y);",
        "    return name(y);",
        " * name() sleeps",
        "    // name",
        "    f(name(x), 1);",
        "  if (a && name)",
        "\tb += name;",
        "  new name()",
        "use a::name;",
        "  x: &name,",
        "  fn f(x: &mut name) {",
        "fn f() -> &name {",
        "  x = 1; /* name */",
        "  x(); // no name",
        "  log(\"name failed\");",
        "  p = (struct foo *)name(GFP);",
        "  if (name(x,",
        "    parse::name,",
        "from a import name",
        "  x: name,",
        "fn f() -> name {",
        "impl name {",
        "impl A for name {",
        "  Vec<name>",
    ] {
        assert_eq!(standing(line), NameStanding::Use, "{line}");
    }
    assert_eq!(standing("  self.name()"), NameStanding::Member);
    assert_eq!(standing("  p->name = 1;"), NameStanding::Member);
}

/// What no language may lose: every way of introducing a name.
#[test]
fn no_definition_is_called_a_use() {
    let definitions = [
        "fn name() {}",
        "    pub(crate) async fn name(&self) {",
        "  def name(self):",
        "static int name(void)",
        "name(void)",
        "*name(void)",
        "  name() {",
        "  name(a,",
        "    name,",
        "    name = 3,",
        "  int a, name;",
        "  name: 1,",
        "DEFINE_MUTEX(name);",
        "SYSCALL_DEFINE3(name, int, fd)",
        "  int (*name)(void);",
        "#define name(x) x",
        "  public Foo name(String s) {",
        "  Foo<Bar> name;",
        "  get name() {",
        "  const name = () => 1;",
        "name=1",
        "name() {",
        "  alias name",
        "(defun name ()",
        "  attr_reader :name",
        "  operator name",
        "name ::",
        "  type name = x",
        "func (r *T) name() {",
        "  | name of int",
        "  var a = 1, name = 2",
        "  \"name\": {",
        "  &name",
        "  'name' => 1",
        "  template <> name",
        "typedef struct {} name;",
        "} name;",
        "  int &name = x;",
        "  Foo &name() {",
        "  API(int) name(void) {",
        "  define(\"name\", 1)",
        "/* x */ int name;",
        "  public: name() {}",
        "import name = require('x')",
        "static mut name: u8 = 0;",
        "  attr_reader :name",
        "name :: Int",
        "  : name(1)",
        "using name = x;",
        "pub mod name;",
        "  case name",
        "  and name : sig",
        "  JAN(1), name(2), MAR(3),",
        "  name(\"awaitSingle\");",
        "  public object? name { get; }",
        "  a && name=1",
        "int A::name;",
        "  macro_rules! name {",
        "  a = name = 1",
        "  F(a, /* b */ name) \\",
    ];
    for line in definitions {
        assert!(standing(line) > NameStanding::Member, "{line}");
    }
}

/// What a language adds: lines that only use a name there, and lines that must not be lost.
#[test]
fn each_dialect_knows_its_shapes() {
    use Dialect as D;
    let uses = [
        (D::Rust, "    let x = foo(a, name::new());"),
        (D::Rust, "    x.push(name, 1);"),
        (D::Rust, "    foo::{Bar, name, Baz},"),
        (D::C, "\tname(HZ);"),
        (D::C, "\tif (name == 1)"),
        (D::C, "\tx = y - name;"),
        (D::C, "\tcase name:"),
        (D::Python, "    f(name)"),
        (D::Python, "    f(name, x)"),
        (D::Python, "    name.x = 1"),
        (D::Python, "    f(x, name=1)"),
        (D::Go, "\tx := []name{}"),
        (D::Go, "\tf(name)"),
        (D::Go, "func (r *name) f() {"),
        (D::JavaScript, "  f(name)"),
        (D::JavaScript, "  name.f()"),
        (D::Dotted, "  name.f();"),
    ];
    for (dialect, line) in uses {
        assert_eq!(
            standing_in(line, dialect),
            NameStanding::Use,
            "{dialect:?}: {line}"
        );
    }
    let definitions = [
        (D::Rust, "    name,"),
        (D::Rust, "    A, name(u8), B"),
        (D::Rust, "    static ref name: u8 = 1;"),
        (D::Rust, "doc! {macro_rules! name {"),
        (D::C, "\tint a, name;"),
        (D::C, "\tDECLARE_BITMAP(name, 10);"),
        (D::C, "\tname = 3,"),
        (D::C, "  void name(int x);"),
        (D::Python, "    a, name = f()"),
        (D::Python, "    a = name = b"),
        (D::Python, "    name: int"),
        (D::Python, "    for name in x:"),
        (D::Go, "\tname(x int) error"),
        (D::Go, "\ta, name := f()"),
        (D::Go, "\tx := struct{ name int }{}"),
        (D::Go, "func (r *T) name() {"),
        (D::JavaScript, "const {a: name} = x"),
        (D::JavaScript, "export const [name, b] = x"),
        (D::JavaScript, "  name(x) {"),
        (D::JavaScript, "  f({a, name() {} })"),
        (D::JavaScript, "  name: 1,"),
    ];
    for (dialect, line) in definitions {
        assert!(
            standing_in(line, dialect) > NameStanding::Member,
            "{dialect:?}: {line}"
        );
    }
}

#[test]
fn a_call_over_several_lines_is_a_use() {
    for text in [
        "    name(LEVEL,\n        \"a) %s\",\n        b(')', c));",
        "  name(\n    &'a b,\n  );",
        "\tname(a,\n\t     b) ;",
    ] {
        assert_eq!(standing_in(text, Dialect::C), NameStanding::Use, "{text}");
        assert_eq!(
            standing_in(text, Dialect::Rust),
            NameStanding::Use,
            "{text}"
        );
    }
    for text in [
        "  name(int a,\n       int b) {",
        "  name(int a,\n    int b) = 0;",
        "name(a,\n b);",
        "  name(a, // )\n  b);",
        "  Name(\n    A,\n  ),",
    ] {
        assert!(
            standing_in(&text.replace("Name", "name"), Dialect::C) > NameStanding::Use,
            "{text}"
        );
    }
}

#[test]
fn the_body_of_a_macro_and_a_name_in_backticks_define_nothing() {
    let macro_body = "#define LOG(f) \\\n    name(LEVEL, f)\n";
    let at = macro_body.find("name").expect("a name");
    assert_eq!(
        of(macro_body.as_bytes(), at..at + 4, Dialect::C),
        NameStanding::Use
    );
    assert_ne!(
        of(macro_body.as_bytes(), at..at + 4, Dialect::Other),
        NameStanding::Use
    );
    assert_eq!(
        standing_in("    for ``name``.", Dialect::Python),
        NameStanding::Use
    );
    assert_ne!(
        standing_in("    fun `name`() {", Dialect::Dotted),
        NameStanding::Use
    );
}

#[test]
fn a_call_that_is_longer_than_the_pass_looks_is_one_for_the_second_look() {
    let text = format!(
        "void f() {{\n    name(1,\n{}    2);\n}}\n",
        "    \"text\"\n".repeat(200)
    );
    let at = text.find("name").expect("a name");
    assert_eq!(
        of(text.as_bytes(), at..at + 4, Dialect::C),
        NameStanding::Possible
    );
    assert_eq!(
        in_whole(text.as_bytes(), at..at + 4, Dialect::C),
        NameStanding::Use
    );
}
