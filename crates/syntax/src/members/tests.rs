//! The outline of types and modules.

use crate::{Parser, languages};

fn members(file: &str, code: &str, from: &str) -> Vec<String> {
    let language = languages::of_name(file).expect("a language");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let range = match from {
        "" => 0..code.len(),
        name => {
            parse
                .definitions(100)
                .into_iter()
                .find(|(at, _)| &code[at.clone()] == name)
                .expect("the definition")
                .1
                .item
        }
    };
    let members = parse.members(range, 100);
    members
        .into_iter()
        .map(|member| {
            format!(
                "{} {} {}-{}",
                member.kind.as_str(),
                member.name,
                member.line,
                member.line_end
            )
        })
        .collect()
}

#[test]
fn a_type_lists_its_fields_and_methods_and_nothing_deeper() {
    let code = "class Ledger:\n    LIMIT = 1\n    def __init__(self):\n        self.size = 1\n        local = 2\n    class Inner:\n        def deep(self): pass\n    def push(self):\n        def nested(): pass\n";
    let expected = [
        "variable LIMIT 2-2",
        "method __init__ 3-5",
        "field size 4-4",
        "class Inner 6-7",
        "method push 8-9",
    ];
    assert_eq!(members("a.py", code, "Ledger"), expected);
    assert_eq!(members("a.py", code, ""), ["class Ledger 1-9"]);
}

#[test]
fn declared_methods_are_members() {
    let code = "class Ledger {\n  int size, count;\n  void push();\n  int pop() { return 1; }\n};";
    assert_eq!(
        members("a.cpp", code, "Ledger"),
        [
            "field size 2-2",
            "field count 2-2",
            "method push 3-3",
            "method pop 4-4"
        ]
    );
}

#[test]
fn a_module_lists_what_it_holds() {
    let code =
        "mod inner {\n    pub struct A { x: u8 }\n    impl A { fn f() {} }\n    fn g() {}\n}\n";
    assert_eq!(
        members("a.rs", code, "inner"),
        ["struct A 2-2", "method f 3-3", "function g 4-4"]
    );
}

#[test]
fn lines_may_end_with_a_carriage_return_alone() {
    let code = "// a comment\rfn first() {}\r/// Doc.\rfn second() {}\r";
    let language = languages::of_name("a.rs").expect("Rust");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let names: Vec<&str> = parse
        .definitions(9)
        .into_iter()
        .map(|(at, _)| &code[at])
        .collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn operators_are_members() {
    let code = concat!(
        "class Ring\n  def <<(item)\n    @all << item\n  end\n",
        "  def [](at) = @all[at]\n  def size=(size)\n  end\n  def empty?\n  end\nend\n"
    );
    let expected = [
        "method << 2-4",
        "method [] 5-5",
        "method size 6-7",
        "method empty? 8-9",
    ];
    assert_eq!(members("a.rb", code, "Ring"), expected);
}
