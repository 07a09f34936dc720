//! What a run may read in addition to its own folder: where systems keep programs and libraries,
//! the settings that programs ask for, and the folders of toolchains in a home. Nothing else exists
//! for it, so no list of secrets is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::process::Environment;

/// Where systems keep their programs. A link at the top (`/bin`) is made again.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// Settings that programs ask for, without the keys and passwords beside them.
const SETTINGS: &[&str] = &[
    "alternatives",
    "ca-certificates",
    "ca-certificates.conf",
    "crypto-policies",
    "debian_version",
    "fedora-release",
    "fonts",
    "gai.conf",
    "group",
    "host.conf",
    "hosts",
    "java",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "java-25-openjdk",
    "java-8-openjdk",
    "jvm",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "lsb-release",
    "magic",
    "maven",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "perl",
    "pki/ca-trust",
    "pki/java",
    "pki/tls/certs",
    "pki/tls/openssl.cnf",
    "protocols",
    "python3",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
    "redhat-release",
    "services",
    "shells",
    "ssl/certs",
    "ssl/openssl.cnf",
    "static",
    "terminfo",
    "timezone",
    "xml",
];

/// Folders of toolchains and of their downloads, in a home. Tokens lie beside some of them, and are
/// not named here.
const IN_HOME: &[&str] = &[
    ".asdf",
    ".bun/bin",
    ".bun/install/cache",
    ".cabal/packages",
    ".cache/coursier",
    ".cache/node/corepack",
    ".cargo/bin",
    ".cargo/git",
    ".cargo/registry",
    ".conan2/p",
    ".conda/envs",
    ".conda/pkgs",
    ".deno/bin",
    ".fnm",
    ".ghcup",
    ".goenv",
    ".gradle/caches",
    ".gradle/jdks",
    ".gradle/wrapper",
    ".ivy2/cache",
    ".jabba",
    ".jdks",
    ".jenv",
    ".local/bin",
    ".local/lib",
    ".local/pipx",
    ".local/share/fnm",
    ".local/share/mise/installs",
    ".local/share/mise/shims",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/uv/python",
    ".local/share/uv/tools",
    ".m2/repository",
    ".m2/wrapper",
    ".nodenv",
    ".npm-global",
    ".nvm",
    ".phpenv",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rvm",
    ".sbt/boot",
    ".sdkman",
    ".stack/programs",
    ".stack/snapshots",
    ".swiftly",
    ".volta",
    "anaconda3",
    "go/bin",
    "go/pkg",
    "mambaforge",
    "micromamba",
    "miniconda3",
    "miniforge3",
];

/// Variables that name a folder of a toolchain, or several with `:` between them.
const NAMING: &[&str] = &[
    "JAVA_HOME",
    "GOROOT",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "NVM_DIR",
    "VOLTA_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "SDKROOT",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
];
/// Variables that name the home of a toolchain, which may have tokens too, and the parts of it that
/// a run may read.
const HOMES: &[(&str, &[&str])] = &[
    ("CARGO_HOME", &["bin", "registry", "git"]),
    ("RUSTUP_HOME", &["toolchains", "settings.toml"]),
    ("GRADLE_USER_HOME", &["caches", "jdks", "wrapper"]),
    ("GOMODCACHE", &[""]),
    ("MAVEN_REPOSITORY", &[""]),
];
/// Folders beside the programs of a toolchain that is a folder of its own.
const BESIDE_PROGRAMS: &[&str] = &["lib", "lib64", "libexec", "include", "pkg", "share"];
/// Names that show that a folder is somebody's home.
const OF_A_HOME: &[&str] = &[
    ".bash_history",
    ".bashrc",
    ".config",
    ".gitconfig",
    ".gnupg",
    ".profile",
    ".ssh",
    ".zshrc",
];
/// Folders that contain programs as well as everything else of a person or a system.
const SHARED: &[&str] = &[".local", ".config", ".docker", ".cache"];

/// How a part of the machine is shown to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SandboxPlace {
    /// Readable, at its own place.
    Read(PathBuf),
    /// A link at the top of the system, with its aim.
    Link(PathBuf, PathBuf),
}

/// Returns everything that a run may read in addition to its own folder.
pub(super) fn readable(environment: &Environment) -> Vec<SandboxPlace> {
    let system = SYSTEM.iter().map(Path::new).filter_map(of_system);
    let settings = SETTINGS.iter().map(|name| Path::new("/etc").join(name));
    let settings = settings
        .filter(|path| path.exists())
        .map(SandboxPlace::Read);
    let home = environment.home();
    let home = home.as_deref();
    let of_toolchains: BTreeSet<PathBuf> = in_home(home)
        .chain(named())
        .chain(of_programs(environment, home))
        .filter(|path| is_fit(path, home))
        .collect();
    // A folder inside a shown one is shown with it.
    let is_inner = |path: &Path| {
        let mut outer = path.ancestors().skip(1);
        outer.any(|outer| of_toolchains.contains(outer) || outer == Path::new("/usr"))
    };
    let of_toolchains: Vec<SandboxPlace> = of_toolchains
        .iter()
        .filter(|path| !is_inner(path))
        .flat_map(|path| of_toolchain(path))
        .collect();
    system.chain(settings).chain(of_toolchains).collect()
}

fn of_system(path: &Path) -> Option<SandboxPlace> {
    match std::fs::read_link(path) {
        Ok(aim) => Some(SandboxPlace::Link(path.to_owned(), aim)),
        Err(_) => path.is_dir().then(|| SandboxPlace::Read(path.to_owned())),
    }
}

/// Shows a folder at its place. One that is a link is made again together with its target, because
/// links in it can be relative to that.
fn of_toolchain(path: &Path) -> Vec<SandboxPlace> {
    let real = path.canonicalize().ok();
    match real.filter(|_| path.is_symlink()) {
        // `/usr` is shown to every run, so the link alone is enough.
        Some(real) if real.starts_with("/usr") => vec![SandboxPlace::Link(path.to_owned(), real)],
        Some(real) => vec![
            SandboxPlace::Read(real.clone()),
            SandboxPlace::Link(path.to_owned(), real),
        ],
        None => vec![SandboxPlace::Read(path.to_owned())],
    }
}

fn in_home(home: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    home.into_iter()
        .flat_map(|home| IN_HOME.iter().map(move |name| home.join(name)))
}

fn named() -> impl Iterator<Item = PathBuf> {
    let of_variables = NAMING.iter().filter_map(std::env::var_os);
    let several = of_variables.flat_map(|value| std::env::split_paths(&value).collect::<Vec<_>>());
    let of_homes = HOMES.iter().flat_map(|(variable, names)| {
        let home = std::env::var_os(variable).map(PathBuf::from);
        home.into_iter()
            .flat_map(move |home| names.iter().map(move |name| home.join(name)))
    });
    several.chain(of_homes)
}

/// Returns the folders of the search path. A toolchain that is a folder of its own is returned as a
/// whole.
fn of_programs(environment: &Environment, home: Option<&Path>) -> Vec<PathBuf> {
    let path = environment.variable("PATH").unwrap_or_default();
    let whole = |folder: &PathBuf| {
        let outer = folder.parent()?;
        let name = outer.file_name()?;
        // `~/bin` and `~/.local/bin` do not make the home or `.local` a toolchain.
        let is_own = !SHARED.iter().any(|shared| name == *shared) && Some(outer) != home;
        let has_more = BESIDE_PROGRAMS
            .iter()
            .any(|beside| outer.join(beside).is_dir());
        (is_own && has_more).then(|| outer.to_owned())
    };
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let whole: Vec<PathBuf> = folders.iter().filter_map(whole).collect();
    folders.into_iter().chain(whole).collect()
}

/// Reports whether a folder can be shown: never one that contains a home, the whole system or one
/// of its top folders.
fn is_fit(path: &Path, home: Option<&Path>) -> bool {
    // The checks below compare names, which `/opt/tool/../..` would deceive.
    let is_plain = path.is_absolute()
        && path
            .components()
            .all(|part| !matches!(part, std::path::Component::ParentDir));
    let Ok(real) = path.canonicalize() else {
        return false;
    };
    // The folder and the home may both be links, so each is compared by its name and by its target.
    let real_home = home.and_then(|home| home.canonicalize().ok());
    let holds_home = |folder: &Path| {
        home.is_some_and(|home| home.starts_with(folder))
            || real_home
                .as_ref()
                .is_some_and(|home| home.starts_with(folder))
    };
    let is_deep = |folder: &Path| folder.components().count() > 2;
    let is_home = OF_A_HOME.iter().any(|name| real.join(name).exists());
    is_plain
        && !is_home
        && is_deep(path)
        && is_deep(&real)
        && !holds_home(path)
        && !holds_home(&real)
}
