use super::*;
use crate::chain::imports;

/// What the index finds is what each path says when it is asked by itself.
#[test]
fn the_index_finds_what_asking_every_path_finds() {
    let paths = [
        "a/b/c.ts",
        "a/b/index.ts",
        "a/b.test.ts",
        "a/b/c/d/e.ts",
        "b/c.h",
        "include/linux/slab.h",
        "linux/mod.rs",
        "lib.rs",
        "src/x/mod.rs",
        "src/x/y.rs",
        "pkg/__init__.py",
        "pkg/sub/__init__.py",
        "pkg/sub/thing.py",
        "Makefile",
        "a.b/c",
        "views/Login.vue",
        "types.d.ts",
    ];
    let mut paths = paths.map(str::to_owned).to_vec();
    paths.sort();
    let files: Vec<TreeFile> = paths
        .iter()
        .map(|path| TreeFile {
            path: path.clone(),
            mode: 0o100_644,
            object: None,
        })
        .collect();
    let texts = [
        (
            "a/main.ts",
            "JavaScript",
            "import x from './b'\nimport y from './b/c'\nimport z from '@/views/Login.vue'\nimport t from '../types'\nimport u from './b.test'\nimport v from '..'\n",
        ),
        (
            "a/main.c",
            "C",
            "#include <linux/slab.h>\n#include \"b/c.h\"\n#include \"slab.h\"\n",
        ),
        (
            "src/main.rs",
            "Rust",
            "use crate::x::y::Z;\nuse crate::x::y;\nmod x;\nuse linux::a;\n",
        ),
        (
            "pkg/sub/main.py",
            "Python",
            "from . import thing\nfrom .thing import a\nfrom pkg.sub import thing\nimport pkg\nfrom .. import sub\n",
        ),
    ];
    let imports: Vec<Import> = texts
        .iter()
        .flat_map(|(path, family, text)| imports::of_file(path, family, text))
        .collect();
    let ends = Ends::of(&files, imports.iter());
    let mut found = 0;
    for import in &imports {
        let mut by_index = ends.brought_by(import);
        by_index.sort_unstable();
        by_index.dedup();
        let each: Vec<u32> = (0_u32..)
            .zip(&files)
            .filter(|(_, file)| import.is_in(&file.path))
            .map(|(place, _)| place)
            .collect();
        assert_eq!(by_index, each, "{import:?}");
        found += each.len();
    }
    assert!(found > 10, "{found} files are brought in");
}

#[test]
fn names_that_are_imported_from_a_folder_are_its_files() {
    let check = |text: &str, path: &str, is_in: bool| {
        let imports = imports::of_file("pkg/sub/main.py", "Python", text);
        let found = imports.iter().any(|import| import.is_in(path));
        assert_eq!(found, is_in, "{text} {path}");
    };
    check("from . import thing", "pkg/sub/thing.py", true);
    check("from . import thing", "pkg/sub/__init__.py", true);
    check("from . import thing", "pkg/sub/other.py", false);
    check("from . import (\n    thing,\n)", "pkg/sub/thing.py", true);
    check("from .. import sub", "pkg/sub/__init__.py", true);
    check("from .. import other", "pkg/third/thing.py", false);
}
