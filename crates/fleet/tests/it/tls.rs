//! A server that encrypts: its certificate is checked by its chain and by its name, and what cannot
//! be checked gets no password.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use grounds_fleet::{Fault, FaultKind, Ledger, LedgerPlace};

use crate::server::{PASSWORD, Server, own};

/// An authority, and a key and a certificate that it gave to a server.
struct Certificates {
    folder: tempfile::TempDir,
}

impl Certificates {
    /// Has `openssl` make them for these names. Without it a test says so, and fails under CI.
    fn of(names: &str) -> Option<Self> {
        let is_there = Command::new("openssl").arg("version").output().is_ok();
        assert!(
            is_there || std::env::var_os("CI").is_none(),
            "`openssl` is needed here"
        );
        if !is_there {
            #[expect(clippy::print_stderr, reason = "a skipped test says why")]
            {
                eprintln!("skipped: there is no `openssl`");
            }
            return None;
        }
        let made = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        let new_key = "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
        made.openssl(&format!(
            "{new_key} -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"
        ));
        made.openssl(&format!(
            "{new_key} -subj /CN=server -keyout server.key -out server.csr"
        ));
        fs::write(made.path("names"), format!("subjectAltName={names}\n")).expect("a file");
        made.openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
             -extfile names -out server.pem",
        );
        Some(made)
    }

    fn openssl(&self, words: &str) {
        let done = Command::new("openssl")
            .args(words.split_whitespace())
            .current_dir(self.folder.path())
            .output()
            .expect("openssl starts");
        assert!(
            done.status.success(),
            "{words}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Has a server encrypt with them.
    fn give_to(&self, server: &Server) {
        for name in ["server.key", "server.pem"] {
            let to = server.data().join(name);
            fs::copy(self.path(name), &to).expect("a file");
            fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).expect("rights");
            own(&to);
        }
        let lines = "ssl = on\nssl_cert_file = 'server.pem'\nssl_key_file = 'server.key'\n";
        server.restart_with("ssl", lines);
    }
}

/// Opens the ledger of a server by a name of it, trusting these certificates.
fn open(server: &Server, host: &str, more: &str, trusted: Option<&Path>) -> Result<Ledger, Fault> {
    let address = server.address("postgres").replace("127.0.0.1", host) + more;
    let place = LedgerPlace::of(&address, None, trusted.map(Path::to_owned));
    place.open().and_then(Ledger::with_tables)
}

fn refusal(server: &Server, host: &str, trusted: Option<&Path>) -> String {
    let fault = open(server, host, "", trusted).err().expect("a refusal");
    assert_eq!(fault.kind, FaultKind::Unreachable, "{fault}");
    assert!(!fault.to_string().contains(PASSWORD), "{fault}");
    fault.to_string()
}

#[test]
fn a_server_is_known_by_its_chain_and_its_name() {
    let (Some(good), Some(foreign)) = (
        Certificates::of("DNS:localhost,IP:127.0.0.1"),
        Certificates::of("DNS:db.example.org"),
    ) else {
        return;
    };
    let Some(server) = Server::start() else {
        return;
    };
    good.give_to(&server);
    let (ours, theirs) = (good.path("ca.pem"), foreign.path("ca.pem"));
    for host in ["127.0.0.1", "localhost"] {
        let mut ledger = open(&server, host, "", Some(&ours)).expect("a ledger");
        let encrypted = server.sql(
            "postgres",
            "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
             WHERE ssl AND application_name = 'grounds fleet'",
        );
        assert_eq!(encrypted, "1", "{host}");
        assert!(ledger.status(None).expect("a status").runs.is_empty());
    }
    // Of another authority, and of a name that the certificate does not have.
    for (host, trusted) in [("127.0.0.1", &theirs), ("127.0.0.2", &ours)] {
        let said = refusal(&server, host, Some(trusted));
        assert!(said.contains("certificate"), "{host}: {said}");
    }
    foreign.give_to(&server);
    let said = refusal(&server, "127.0.0.1", Some(&theirs));
    assert!(said.contains("certificate"), "{said}");
}

#[test]
fn a_server_far_away_must_encrypt() {
    let Some(server) = Server::shared() else {
        return;
    };
    // This machine by a name that is not one of those of itself.
    let said = refusal(&server, "127.0.0.2", None);
    assert!(said.contains("TLS"), "{said}");
    open(&server, "127.0.0.2", "?sslmode=disable", None).expect("it was asked for");
}

#[test]
fn a_wrong_address_is_told_without_its_password() {
    let fault = LedgerPlace::of("postgres://h:hunter2@:x:/y", None, None)
        .open()
        .err()
        .expect("no address");
    assert!(
        fault.kind == FaultKind::Usage && !fault.to_string().contains("hunter2"),
        "{fault}"
    );
}
