//! Which ledger: a file of this machine, or the address of a server. A password never leaves this
//! type by a message.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::database::{Database, Fault, FaultKind, Result};
use crate::sqlite;

/// Bytes of a file with a password or with certificates.
#[cfg(feature = "postgres")]
const SECRET_BYTES_MAX: u64 = 4 << 20;

/// Where a ledger is.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
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
    /// A file with the password, read for each connection, so that a new password counts at once.
    password_file: Option<PathBuf>,
    /// Certificates that are trusted instead of the common ones.
    certificates: Option<PathBuf>,
}

impl Place {
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
        match self {
            Self::File(path) => Ok(Box::new(sqlite::File::open(path)?)),
            #[cfg(feature = "postgres")]
            Self::Server(server) => {
                Ok(Box::new(crate::postgres::Connection::open(server.clone())?))
            }
            #[cfg(not(feature = "postgres"))]
            Self::Server(server) => Err(Fault {
                kind: FaultKind::Usage,
                ledger: server.to_string(),
                why: "this program was built without PostgreSQL".to_owned(),
            }),
        }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }
}

#[cfg(feature = "postgres")]
impl Server {
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The password of the file, if one is named.
    pub(crate) fn password(&self) -> Result<Option<String>> {
        let Some(path) = &self.password_file else {
            return Ok(None);
        };
        let text = self.read(path)?;
        Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
    }

    pub(crate) const fn has_certificates(&self) -> bool {
        self.certificates.is_some()
    }

    /// The text of the certificates, if a file of them is named.
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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(server) => server.fmt(f),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The address without what stands before `@` and without parameters: a password can be in either.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.address.split_once("://").map_or("", |(_, rest)| rest);
        let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
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
            let place = Place::of(address, None, None);
            assert_eq!(place.to_string(), "postgres://db.example.org:5432/fleet");
            assert!(!format!("{place:?}").contains("hunter2"));
        }
        assert_eq!(
            Place::of("a.sqlite3", None, None).file(),
            Some(Path::new("a.sqlite3"))
        );
    }
}
