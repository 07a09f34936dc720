use std::path::Path;

use grounds_evidence::{FileRole, Relation};
use grounds_syntax::languages;

use super::*;
use crate::needles::OccurrenceForm;
use crate::path::RepoPath;

/// Files in which every use of the name says by a mark at the end of its line what it is: `it`, `other` or `open`; the asked
/// definition says `here`.
fn check(name: &str, files: &[(&str, &str)]) {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    let marked = |mark: &str| {
        let mut found = Vec::new();
        for (path, text) in files {
            for (number, line) in text.lines().enumerate() {
                if line.trim_end().ends_with(mark) {
                    found.push(((*path).to_owned(), number as u32 + 1));
                }
            }
        }
        found
    };
    let places: Vec<LabelledPlace> = marked(" here").iter().map(place).collect();
    let definitions: Vec<&LabelledPlace> = places.iter().collect();
    let relations = decide(&checkout, name, &definitions, &Limits::default()).expect("a language");
    for (mark, verdict) in [
        (" it", MemberVerdict::ResolvedToIt),
        (" other", MemberVerdict::ResolvedToAnother),
        (" open", MemberVerdict::Open),
    ] {
        for (path, line) in marked(mark) {
            let said: Vec<&Decided> = relations
                .sites
                .iter()
                .filter(|((file, at, _), _)| *file == path && *at == line)
                .map(|(_, decided)| decided)
                .collect();
            assert!(!said.is_empty(), "{path}:{line} is not seen");
            assert_eq!(
                said[0].verdict, verdict,
                "{path}:{line}: {}",
                said[0].reason
            );
        }
    }
}

fn place((path, line): &(String, u32)) -> LabelledPlace {
    let path = RepoPath::relative(Path::new(path)).expect("a path");
    LabelledPlace {
        role: FileRole::Source,
        relation: Relation::Defines,
        kind: None,
        form: OccurrenceForm::Asked,
        name: String::new(),
        containers: Vec::new(),
        line: *line,
        column: 1,
        line_end: *line,
        language: languages::of_name(path.file_name())
            .expect("a language")
            .name,
        test: None,
        path,
    }
}

#[test]
fn python_follows_imports_annotations_self_and_results() {
    check(
        "open",
        &[
            (
                "shop/store.py",
                "class Store:\n    def open(self): # here\n        return self.open() # it\n\
                 class Shelf(Store):\n    pass\nclass Safe(Store):\n    def open(self):\n        super().open() # it\n\
                 def default() -> Store:\n    return Store()\n",
            ),
            (
                "shop/__init__.py",
                "from .store import Store as Depot, Safe, default\n",
            ),
            (
                "app.py",
                "import shop\nfrom shop import Depot, default as make\n\n\
                 def run(a: Depot, b, c: shop.Safe, path):\n    a.open() # it\n    b.open() # open\n    c.open() # other\n    open(path) # other\n    \
                 make().open() # it\n    x = Depot()\n    x.open() # it\n    x = 'text'\n    \"a\".open() # other\n    \
                 if isinstance(b, shop.Safe):\n        b.open() # other\n",
            ),
        ],
    );
}

#[test]
fn a_use_through_a_base_may_be_the_asked_one() {
    check(
        "draw",
        &[(
            "a.py",
            "class Shape:\n    def draw(self):\n        pass\nclass Round(Shape):\n    def draw(self): # here\n        pass\n\
             class Square(Shape):\n    def draw(self):\n        pass\n\
             def show(shape: Shape, square: Square, round: Round):\n    shape.draw() # open\n    square.draw() # other\n    round.draw() # it\n",
        )],
    );
}

#[test]
fn typescript_follows_reexports_fields_and_awaited_results() {
    check(
        "send",
        &[
            (
                "src/client.ts",
                "export class Client {\n  send(): void {} // here\n  again() { this.send() // it\n  }\n}\n\
                 export async function connect(): Promise<Client> { return new Client(); }\n",
            ),
            (
                "src/index.ts",
                "export {Client as Http, connect} from './client.js';\n",
            ),
            (
                "src/app.ts",
                "import {Http, connect} from './index.js';\nclass Other { send() {} }\n\
                 class App {\n  private readonly http: Http;\n  constructor(readonly other: Other) {\n    this.http = new Http();\n  }\n  \
                 async run(unknown: any) {\n    this.http.send(); // it\n    this.other.send(); // other\n    (await connect()).send(); // it\n    \
                 const c = await connect();\n    c.send(); // it\n    unknown.send(); // open\n  }\n}\n",
            ),
        ],
    );
}

#[test]
fn rust_tells_impls_traits_and_macros_apart() {
    check(
        "next",
        &[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            (
                "src/lib.rs",
                "pub mod plan;\nuse plan::Planner;\nstruct Other { next: u8 }\nimpl Other { fn next(&self) {} }\n\
                 fn run(planner: &mut Planner, other: Other, any: impl Fn()) {\n    planner.next(); // it\n    other.next(); // other\n    \
                 assert_eq!(planner.next(), None); // it\n    let made = Planner::new();\n    made.next(); // it\n    \
                 if let Some(p) = Planner::find() {\n        p.next(); // it\n    }\n    any().next(); // open\n}\n",
            ),
            (
                "src/plan.rs",
                "pub struct Planner;\nimpl Planner {\n    pub fn new() -> Self { Self }\n    pub fn find() -> Option<Self> { None }\n    \
                 pub fn next(&mut self) -> Option<u8> { None } // here\n}\n",
            ),
        ],
    );
}

#[test]
fn go_follows_receivers_packages_results_and_interfaces() {
    check(
        "Serve",
        &[
            ("go.mod", "module example.com/shop\n"),
            (
                "mux/mux.go",
                "package mux\n\ntype Handler interface{ Serve(path string) error }\n\ntype Mux struct{}\n\n\
                 func New() (*Mux, error) { return &Mux{}, nil }\n\nfunc (m *Mux) Serve(path string) error { return nil } // here\n\n\
                 type Wide struct{}\n\nfunc (w *Wide) Serve(a, b int) {}\n",
            ),
            (
                "main.go",
                "package main\n\nimport m \"example.com/shop/mux\"\n\ntype App struct{ *m.Mux }\n\n\
                 func run(h m.Handler, w *m.Wide, app App) {\n\tx, _ := m.New()\n\tx.Serve(\"a\") // it\n\tw.Serve(1, 2) // other\n\t\
                 h.Serve(\"b\") // open\n\tapp.Serve(\"c\") // it\n}\n",
            ),
        ],
    );
}

#[test]
fn java_and_kotlin_see_each_other() {
    check(
        "load",
        &[
            (
                "src/shop/Store.java",
                "package shop;\npublic class Store {\n  void load() {} // here\n  void again() { load(); // it\n  }\n  static Store of() { return new Store(); }\n}\n",
            ),
            (
                "src/app/Main.java",
                "package app;\nimport shop.Store;\nclass Main {\n  void load() {}\n  void run(Store s) {\n    s.load(); // it\n    load(); // other\n    \
                 Store.of().load(); // it\n    var made = new Store();\n    made.load(); // it\n  }\n}\n",
            ),
            (
                "src/app/App.kt",
                "package app\nimport shop.Store\nclass App(val store: Store) {\n  fun run(other: Main) {\n    store.load() // it\n    other.load() // other\n    \
                 val made = Store()\n    made.load() // it\n  }\n}\n",
            ),
        ],
    );
}

#[test]
fn csharp_follows_fields_bases_and_var() {
    check(
        "Load",
        &[(
            "Shop.cs",
            "namespace Shop;\nclass Store {\n  public void Load() {} // here\n}\nclass Other {\n  public void Load() {}\n}\n\
             class App : Store {\n  private readonly Other other;\n  void Run(Store store) {\n    store.Load(); // it\n    Load(); // it\n    \
             other.Load(); // other\n    var made = new Store();\n    made.Load(); // it\n    store?.Load(); // it\n  }\n}\n",
        )],
    );
}

#[test]
fn kotlin_reads_the_receivers_of_scope_functions() {
    check(
        "load",
        &[(
            "Shop.kt",
            "package shop\nclass Store {\n  fun load() {} // here\n}\nclass Other {\n  fun load() {}\n}\n\
             class App {\n  fun run(store: Store, other: Other, count: Int) {\n    \
             with(store) {\n      load() // it\n    }\n    \
             store.apply {\n      this.load() // it\n      count.run {\n        load() // it\n      }\n    }\n    \
             other.run {\n      load() // other\n    }\n    \
             given().apply {\n      load() // open\n    }\n    \
             store.let {\n      load() // other\n    }\n  }\n}\n",
        )],
    );
}

#[test]
fn scripts_use_static_members_on_the_constructor() {
    check(
        "join",
        &[(
            "bag.js",
            "class Bag {\n  static join(one) { // here\n    return one;\n  }\n  add(one) {\n    \
             return this.constructor.join(one); // it\n  }\n}\nclass Box {\n  static join() {}\n  add() {\n    \
             return this.constructor.join(); // other\n  }\n}\n",
        )],
    );
}

#[test]
fn csharp_reads_defaults_of_parameters_and_arguments_of_attributes() {
    check(
        "Top",
        &[(
            "Shop.cs",
            "namespace Shop;\nstatic class Levels {\n  public const int Top = 9; // here\n}\nstatic class Heights {\n  \
             public const int Top = 3;\n}\nclass App(\n  int most = Levels.Top // it\n) {\n  \
             [Limit(Most = Levels.Top)] // it\n  void Run(\n    [Limit(Levels.Top)] int first, // it\n    \
             int least = Levels.Top, // it\n    int high = Heights.Top) { // other\n  }\n  \
             [Limit(Levels.Top)] // it\n  int Size { get; }\n}\nenum Kind {\n  Big = Levels.Top, // it\n}\n",
        )],
    );
}

#[test]
fn types_are_known_by_their_names_with_packages() {
    check(
        "Load",
        &[
            (
                "Store.cs",
                "namespace Shop.Stores;\nclass Store {\n  public static void Load() {} // here\n}\n",
            ),
            (
                "Tests.cs",
                "namespace Shop.Tests;\nclass Tests {\n  void Run() {\n    Shop.Stores.Store.Load(); // it\n    \
                 Stores.Store.Load(); // it\n    Other.Stores.Store.Load(); // other\n  }\n}\n",
            ),
        ],
    );
    check(
        "load",
        &[
            (
                "shop/Store.java",
                "package shop;\npublic class Store {\n  static void load() {} // here\n}\n",
            ),
            (
                "app/Main.java",
                "package app;\nclass Main {\n  void run() {\n    shop.Store.load(); // it\n    \
                 other.Store.load(); // other\n  }\n}\n",
            ),
        ],
    );
}

#[test]
fn a_module_of_ruby_is_one_in_all_files_that_open_it() {
    check(
        "load",
        &[
            (
                "lib/shop.rb",
                "module Shop\n  def self.load(path) # here\n  end\nend\n",
            ),
            (
                "lib/shop/client.rb",
                "module Shop\n  class Client\n    def run\n      Shop.load(1) # it\n      \
                 Other.load(1) # other\n    end\n  end\n  \
                 module Other\n    def self.load(path)\n    end\n  end\nend\n",
            ),
        ],
    );
}

#[test]
fn parts_of_a_type_in_several_files_are_one_type() {
    check(
        "restLonger",
        &[
            (
                "common/Clock.kt",
                "package shop\nexpect open class Clock() {\n}\n",
            ),
            (
                "jvm/Clock.kt",
                "package shop\nactual open class Clock {\n  fun restLonger() {} // here\n}\n",
            ),
            (
                "js/Clock.kt",
                "package shop\nactual open class Clock {\n}\n",
            ),
            (
                "jvm/Shelf.kt",
                "package shop\nclass Shelf {\n  private val clock = Clock()\n  fun clock(): Clock = clock\n  \
                 val rack = Rack()\n  fun run() {\n    \
                 clock.restLonger() // it\n    rack.restLonger() // other\n  }\n}\n\
                 class Rack {\n  fun restLonger() {}\n}\n",
            ),
        ],
    );
    check(
        "Fill",
        &[
            (
                "Shelf.cs",
                "namespace Shop;\npartial class Shelf {\n  void Fill() {} // here\n}\n",
            ),
            (
                "Shelf.Rows.cs",
                "namespace Shop;\npartial class Shelf {\n  void Run() {\n    Fill(); // it\n    this.Fill(); // it\n  \
                 }\n}\nclass Shelf<T> {\n  void Fill() {}\n  void Run() {\n    Fill(); // other\n  }\n}\n",
            ),
        ],
    );
}

#[test]
fn imports_of_the_first_edition_of_rust_begin_at_the_crate() {
    check(
        "squeeze",
        &[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            ("src/main.rs", "mod text;\nmod run;\nfn main() {}\n"),
            ("src/text.rs", "pub fn squeeze() {} // here\n"),
            (
                "src/run.rs",
                "use text;\nuse far::text as other;\nfn run() {\n    text::squeeze(); // it\n    \
                 other::squeeze(); // other\n}\n",
            ),
        ],
    );
}

#[test]
fn imports_and_aliases_that_go_in_circles_end() {
    check(
        "turn",
        &[
            (
                "a.py",
                "from b import Wheel\nfrom b import *\ndef f(w: Wheel):\n    w.turn() # open\n",
            ),
            (
                "b.py",
                "from a import Wheel\nfrom a import *\nWheel = Wheel\n",
            ),
            (
                "c.py",
                "class Real:\n    def turn(self): # here\n        pass\n",
            ),
        ],
    );
}

#[test]
fn interfaces_of_go_are_implemented_by_method_sets() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "package shop\n\nimport (\n\t\"net/http\"\n\t\"io\"\n)\n\ntype Store interface {\n\tio.Closer\n\tPut(key string, value any) error\n}\n\n\
                type base struct{}\n\nfunc (b *base) Close() error { return nil }\n\n\
                type Disk struct{ base }\n\nfunc (d Disk) Put(k string, v interface{}) error { return nil }\n\n\
                type Wide struct{ base }\n\nfunc (w Wide) Put(k, v, w string) error { return nil }\n\n\
                type writer struct{ http.ResponseWriter }\n";
    std::fs::write(folder.path().join("shop.go"), text).expect("a file");
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    let names = |asked: &str, kind, line| {
        let target = grounds_evidence::QuestionTarget {
            text: asked.to_owned(),
            kind,
            wanted: grounds_evidence::WantedRelation::Implementations,
        };
        let labelled = crate::labels::Places {
            places: vec![place(&("shop.go".to_owned(), line))],
            ..crate::labels::Places::default()
        };
        implementers(&checkout, &target, &labelled, &Limits::default())
            .into_iter()
            .map(|place| place.name)
            .collect::<Vec<String>>()
    };
    use grounds_evidence::TargetKind as Kind;
    assert_eq!(names("Store", Kind::Identifier, 8), ["Disk"]);
    assert_eq!(
        names("io.Closer", Kind::SymbolPath, 1),
        ["base", "Disk", "Wide"]
    );
    assert_eq!(
        names("http.ResponseWriter", Kind::SymbolPath, 1),
        ["writer"]
    );
}

#[test]
fn heirs_and_overrides_of_a_type_with_its_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        (
            "a/Base.java",
            "package a;\npublic class Base {\n  void run() {}\n}\n",
        ),
        (
            "b/Base.java",
            "package b;\npublic class Base {\n  void run() {}\n}\n",
        ),
        (
            "c/One.java",
            "package c;\nimport a.Base;\nclass One extends Base {\n  void run() {}\n}\n",
        ),
        (
            "c/Two.java",
            "package c;\nclass Two extends b.Base {\n  void run() {}\n}\n",
        ),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    let lines = |asked: &str, line| {
        let target = grounds_evidence::QuestionTarget {
            text: asked.to_owned(),
            kind: grounds_evidence::TargetKind::SymbolPath,
            wanted: grounds_evidence::WantedRelation::Implementations,
        };
        let labelled = crate::labels::Places {
            places: vec![place(&("a/Base.java".to_owned(), line))],
            ..crate::labels::Places::default()
        };
        implementers(&checkout, &target, &labelled, &Limits::default())
            .into_iter()
            .map(|place| {
                let kind = place.kind.map_or("", grounds_evidence::SymbolKind::as_str);
                format!("{}:{} {kind}", place.path.as_str(), place.line)
            })
            .collect::<Vec<String>>()
    };
    assert_eq!(lines("a.Base", 2), ["c/One.java:3 class"]);
    assert_eq!(lines("Base.run", 3), ["c/One.java:4 method"]);
}

#[test]
fn a_call_in_the_rules_of_a_macro_stays_open() {
    check(
        "never_once",
        &[
            (
                "src/interest.rs",
                "pub struct Interest;\nimpl Interest {\n    pub fn never_once() {} // here\n}\n\
                 pub struct Other;\nimpl Other {\n    pub fn never_once() {}\n}\n",
            ),
            (
                "src/rules.rs",
                "#[macro_export]\nmacro_rules! event {\n    () => {\n        \
                 $crate::interest::Interest::never_once() // open\n    };\n}\n",
            ),
        ],
    );
}

#[test]
fn values_of_two_packages_are_two() {
    check(
        "ErrNotFound",
        &[
            ("go.mod", "module example.com/shop\n"),
            (
                "silence/silence.go",
                "package silence\n\nvar ErrNotFound = New() // here\n\n\
                 func get() error {\n\treturn ErrNotFound // it\n}\n",
            ),
            (
                "store/store.go",
                "package store\n\nimport \"example.com/shop/silence\"\n\nvar ErrNotFound = New()\n\n\
                 func find() error {\n\tuse(silence.ErrNotFound) // it\n\treturn ErrNotFound // other\n}\n",
            ),
        ],
    );
}

#[test]
fn a_package_of_the_tree_is_followed_by_its_name() {
    check(
        "fetchAll",
        &[
            ("kit/package.json", "{\"name\": \"@shop/kit\"}"),
            (
                "kit/src/query/index.ts",
                "export { fetchAll } from \"./fetch\";\n",
            ),
            (
                "kit/src/query/fetch.ts",
                "export function fetchAll() {} // here\n",
            ),
            (
                "site/page.ts",
                "import { fetchAll } from \"@shop/kit/query\";\n\nfetchAll(); // it\n",
            ),
            (
                "site/other.ts",
                "import { fetchAll } from \"elsewhere\";\n\nfetchAll(); // other\n",
            ),
        ],
    );
}

#[test]
fn an_extension_is_called_on_literals_and_on_types_below() {
    let kotlin = "package app\n\
                  fun String.countWords(): Int = 1 // here\n\
                  fun String.countWords(from: Int): Int = 1 // here\n\
                  class Page { fun countWords(): Int = 2 }\n\
                  fun go(name: String, page: Page, file: File, any: List<String>) {\n  \
                  \"a b\".countWords() // it\n  \
                  \"a $name\".countWords() // it\n  \
                  name.countWords() // it\n  \
                  page.countWords() // other\n  \
                  3.countWords() // other\n  \
                  file.countWords() // other\n\
                  }\n";
    check("countWords", &[("a.kt", kotlin)]);
    let wide = "package app\n\
                fun CharSequence.countWords(): Int = 1 // here\n\
                class Page : Closeable { fun other() {} }\n\
                class Text : CharSequence { fun other() {} }\n\
                class Sheet { fun other() {} }\n\
                fun go(name: String, page: Page, text: Text, sheet: Sheet, built: StringBuilder) {\n  \
                \"a b\".countWords() // it\n  \
                name.countWords() // it\n  \
                built.countWords() // open\n  \
                text.countWords() // it\n  \
                page.countWords() // open\n  \
                sheet.countWords() // other\n\
                }\n";
    check("countWords", &[("a.kt", wide)]);
    let all = "package app\n\
               fun <T> T.twice(): T = this // here\n\
               class Page { fun other() {} }\n\
               fun go(name: String, page: Page) {\n  \
               \"a b\".twice() // it\n  \
               name.twice() // it\n  \
               page.twice() // it\n\
               }\n";
    check("twice", &[("a.kt", all)]);
    let sharp = "static class Ext {\n  \
                 public static int CountWords(this string text) => 1; // here\n\
                 }\n\
                 class Page { public int CountWords() => 2; }\n\
                 class User {\n  void Go(string name, int n, Page page) {\n    \
                 Ext.CountWords(name); // it\n    \
                 \"a b\".CountWords(); // it\n    \
                 $\"x{n}\".CountWords(); // it\n    \
                 name.CountWords(); // it\n    \
                 true.CountWords(); // other\n    \
                 page.CountWords(); // other\n  }\n}\n";
    check("CountWords", &[("a.cs", sharp)]);
    let own = "static class Ext {\n  \
               public static void Fill(this Page page) {} // here\n  \
               public static void Fill<T>(this IList<T> list) {} // here\n\
               }\n\
               class Page {}\n\
               class Other { public void Fill() {} }\n\
               class User {\n  void Go(Page page, IList<int> list, List<int> other, Other last, string text) {\n    \
               page.Fill(); // it\n    \
               list.Fill(); // it\n    \
               other.Fill(); // open\n    \
               text.Fill(); // other\n    \
               last.Fill(); // other\n  }\n}\n";
    check("Fill", &[("a.cs", own)]);
    let ruby = "class String\n  def shout # here\n    upcase\n  end\nend\n\
                class Page\n  def shout\n  end\nend\n\
                \"a\".shout # it\n\
                [1].shout # other\n\
                Page.new.shout # other\n";
    check("shout", &[("a.rb", ruby)]);
}

#[test]
fn the_body_of_an_extension_sees_what_it_extends_and_the_class_around() {
    let text = "package app\n\
                fun String.countWords(): Int = 1 // here\n\
                fun String.more() {\n  countWords() // it\n}\n\
                fun Int.more() {\n  countWords() // other\n}\n";
    check("countWords", &[("a.kt", text)]);
    let text = "package app\n\
                class Disk {\n  fun exists(path: Path): Boolean = true // here\n  \
                private fun Path.ensure() {\n    exists(this) // it\n  }\n  \
                private fun String.ensure() {\n    exists(this) // it\n  }\n}\n\
                class Path\n\
                class Other {\n  fun exists(path: Path): Boolean = true\n  \
                private fun Path.ensure() {\n    exists(this) // other\n  }\n}\n\
                fun Disk.again(path: Path) {\n  exists(path) // it\n}\n";
    check("exists", &[("a.kt", text)]);
}

#[test]
fn an_object_hands_on_functions_of_its_file() {
    check(
        "flatten",
        &[
            (
                "lib/utils.js",
                "const flatten = (list) => list; // here\n\nexport default {\n  flatten, // it\n  other: 1\n};\n",
            ),
            (
                "lib/both.js",
                "import utils from './utils.js';\nexport default { ...utils };\n",
            ),
            (
                "lib/more.js",
                "const flatten = 1;\nexport default { flatten }; // other\n",
            ),
            (
                "lib/app.js",
                "import utils from './utils.js';\nimport both from './both.js';\nimport more from './more.js';\n\
                 utils.flatten([]); // it\nboth.flatten([]); // it\nmore.flatten([]); // other\n",
            ),
        ],
    );
}
