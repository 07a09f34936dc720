use super::*;

fn standing(line: &str) -> Standing {
    let text = format!("\n{line}\n");
    let at = text.find("name").expect("the line holds `name`");
    of(text.as_bytes(), at..at + 4)
}

#[test]
fn uses_are_seen_without_a_parse() {
    for line in [
        "\tname(HZ);",
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
        assert_eq!(standing(line), Standing::Use, "{line}");
    }
    assert_eq!(standing("  self.name()"), Standing::Member);
    assert_eq!(standing("  p->name = 1;"), Standing::Member);
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
    ];
    for line in definitions {
        assert!(standing(line) > Standing::Member, "{line}");
    }
}
