//! The place of a ledger: a file of this machine, or the address of a server. No message of this
//! type contains a password.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::database::{Database, Fault, FaultKind, Result};
use crate::sqlite;

/// Most bytes of a file with a password or with certificates.
#[cfg(feature = "postgres")]
const SECRET_BYTES_MAX: u64 = 4 << 20;

/// The place of a ledger.
#[derive(Clone, PartialEq, Eq)]
pub enum LedgerPlace {
    /// A file of SQLite.
    File(PathBuf),
    /// A server of PostgreSQL.
    Server(Server),
}

/// A server of PostgreSQL.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    /// The address; it may have a password.
    address: String,
    /// A file with the password, read for each connection so that a new password applies at once;
    /// `None` if none is named.
    password_file: Option<PathBuf>,
    /// Certificates that are trusted instead of the common ones, or `None` for the common ones.
    certificates: Option<PathBuf>,
}

impl LedgerPlace {
    /// Reads a path, or an address that begins with `postgres://` or `postgresql://`.
    pub fn of(text: &str, password_file: Option<PathBuf>, certificates: Option<PathBuf>) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Self::Server(Server {
                address: text.to_owned(),
                password_file,
                certificates,
            })
        } else {
            Self::File(PathBuf::from(text))
        }
    }

    /// Opens the database.
    ///
    /// # Errors
    /// [`Fault`] when it cannot be opened.
    pub fn open(&self) -> Result<Box<dyn Database>> {
        self.check()?;
        match self {
            Self::File(path) => Ok(Box::new(sqlite::SqliteFile::open(path)?)),
            #[cfg(feature = "postgres")]
            Self::Server(server) => {
                let server = server.clone();
                Ok(Box::new(crate::postgres::Connection::open(server, None)?))
            }
            #[cfg(not(feature = "postgres"))]
            Self::Server(_) => Err(self.unusable("this program was built without PostgreSQL")),
        }
    }

    /// Opens the database only to read it: nothing is created or changed, and after this time every
    /// call fails.
    ///
    /// # Errors
    /// [`Fault`] when it cannot be opened.
    pub fn open_to_read(&self, within: Duration) -> Result<Box<dyn Database>> {
        let end = Instant::now() + within;
        self.check()?;
        match self {
            Self::File(path) => Ok(Box::new(sqlite::SqliteFile::open_to_read(path, end)?)),
            #[cfg(feature = "postgres")]
            Self::Server(server) => {
                let server = server.clone();
                Ok(Box::new(crate::postgres::Connection::open(
                    server,
                    Some(end),
                )?))
            }
            #[cfg(not(feature = "postgres"))]
            Self::Server(_) => Err(self.unusable("this program was built without PostgreSQL")),
        }
    }

    /// Refuses an address in another form than ours. As a path it would be created, and shown with
    /// its password.
    ///
    /// # Errors
    /// [`Fault`] that says which form is ours.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::File(path) if is_address(path) => Err(self
                .unusable("the address of a server begins with `postgres://` or `postgresql://`")),
            Self::File(_) | Self::Server(_) => Ok(()),
        }
    }

    fn unusable(&self, why: &str) -> Fault {
        Fault {
            kind: FaultKind::Usage,
            ledger: self.to_string(),
            why: why.to_owned(),
        }
    }

    /// Returns the file, or `None` for a server.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }
}

/// Reports whether somebody meant a server: an address of another scheme, or keys and values.
fn is_address(path: &Path) -> bool {
    let text = path.to_string_lossy().to_lowercase();
    text.contains("://") || text.contains("password=")
}

#[cfg(feature = "postgres")]
impl Server {
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the password of the file, or `None` if no file is named.
    pub(crate) fn password(&self) -> Result<Option<String>> {
        let Some(path) = &self.password_file else {
            return Ok(None);
        };
        let text = self.read(path)?;
        // Editors put a line break at the end of the file.
        Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
    }

    pub(crate) const fn has_certificates(&self) -> bool {
        self.certificates.is_some()
    }

    /// Returns the text of the certificates, or `None` if no file of them is named.
    pub(crate) fn certificates(&self) -> Result<Option<String>> {
        self.certificates
            .as_deref()
            .map(|path| self.read(path))
            .transpose()
    }

    fn read(&self, path: &Path) -> Result<String> {
        use std::io::Read as _;
        let read = || {
            let mut text = String::new();
            std::fs::File::open(path)?
                .take(SECRET_BYTES_MAX)
                .read_to_string(&mut text)
                .map(|_| text)
        };
        read().map_err(|error| Fault {
            kind: FaultKind::Denied,
            ledger: self.to_string(),
            why: format!("the file `{}` cannot be read: {error}", path.display()),
        })
    }
}

impl fmt::Display for LedgerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) if is_address(path) => f.write_str("an address that is not shown"),
            Self::File(path) => path.display().fmt(f),
            Self::Server(server) => server.fmt(f),
        }
    }
}

impl fmt::Debug for LedgerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Shows the address without the part before `@` and without parameters: a password can be in
/// either.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.address.split_once("://").map_or("", |(_, rest)| rest);
        let rest = match rest.rsplit_once('@') {
            // Either a password contains a `?`, or a parameter contains an `@`.
            Some((before, _)) if before.contains('?') => "",
            Some((_, host)) => host,
            None => rest,
        };
        write!(
            f,
            "postgres://{}",
            rest.split('?').next().unwrap_or_default()
        )
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for address in [
            "postgres://me:hunter2@db.example.org:5432/fleet",
            "postgres://db.example.org:5432/fleet?password=hunter2",
            "postgresql://me:hun@ter2@db.example.org:5432/fleet?user=hunter2",
        ] {
            let place = LedgerPlace::of(address, None, None);
            assert_eq!(place.to_string(), "postgres://db.example.org:5432/fleet");
            assert!(!format!("{place:?}").contains("hunter2"));
        }
        for address in [
            "postgres://db.example.org/fleet?password=hun@ter2",
            "postgres://me:hun?ter2@db.example.org/fleet",
            "host=db.example.org password=hunter2",
            "POSTGRES://me:hunter2@db.example.org/fleet",
        ] {
            let place = LedgerPlace::of(address, None, None);
            assert!(!place.to_string().contains("ter2"), "{place}");
            if place.file().is_some() {
                let fault = place.open().err().expect("no path");
                assert!(!fault.to_string().contains("ter2"), "{fault}");
                assert!(!Path::new(address).exists(), "{address} was made");
            }
        }
        assert_eq!(
            LedgerPlace::of("a.sqlite3", None, None).file(),
            Some(Path::new("a.sqlite3"))
        );
    }
}
