//! Go's interfaces: a type implements one if its methods have the names and shapes of all methods
//! of the interface.

use std::collections::{BTreeMap, BTreeSet};

use grounds_syntax::origins::{LanguageFamily, MemberKind, TypeKind};

use super::tree::{RelationIndex, TypeId};
use super::types::Ty;

/// Methods by name and shape.
type Methods = &'static [(&'static str, &'static str)];

/// Interfaces of the standard library that others implement most.
const STANDARD: &[(&str, Methods)] = &[
    ("error", &[("Error", "() (string)")]),
    ("fmt.Stringer", &[("String", "() (string)")]),
    ("io.Reader", &[("Read", "([]byte) (int,error)")]),
    ("io.Writer", &[("Write", "([]byte) (int,error)")]),
    ("io.Closer", &[("Close", "() (error)")]),
    ("io.ReaderFrom", &[("ReadFrom", "(Reader) (int64,error)")]),
    ("io.WriterTo", &[("WriteTo", "(Writer) (int64,error)")]),
    (
        "io.StringWriter",
        &[("WriteString", "(string) (int,error)")],
    ),
    (
        "http.Handler",
        &[("ServeHTTP", "(ResponseWriter,*Request) ()")],
    ),
    ("http.Flusher", &[("Flush", "() ()")]),
    (
        "http.Hijacker",
        &[("Hijack", "() (Conn,*ReadWriter,error)")],
    ),
    ("http.Pusher", &[("Push", "(string,*PushOptions) (error)")]),
    (
        "http.RoundTripper",
        &[("RoundTrip", "(*Request) (*Response,error)")],
    ),
    (
        "http.ResponseWriter",
        &[
            ("Header", "() (Header)"),
            ("Write", "([]byte) (int,error)"),
            ("WriteHeader", "(int) ()"),
        ],
    ),
    (
        "sort.Interface",
        &[
            ("Len", "() (int)"),
            ("Less", "(int,int) (bool)"),
            ("Swap", "(int,int) ()"),
        ],
    ),
    (
        "flag.Value",
        &[("String", "() (string)"), ("Set", "(string) (error)")],
    ),
    ("json.Marshaler", &[("MarshalJSON", "() ([]byte,error)")]),
    ("json.Unmarshaler", &[("UnmarshalJSON", "([]byte) (error)")]),
    (
        "encoding.TextMarshaler",
        &[("MarshalText", "() ([]byte,error)")],
    ),
    (
        "encoding.TextUnmarshaler",
        &[("UnmarshalText", "([]byte) (error)")],
    ),
    (
        "io.ReadCloser",
        &[("Read", "([]byte) (int,error)"), ("Close", "() (error)")],
    ),
    (
        "io.WriteCloser",
        &[("Write", "([]byte) (int,error)"), ("Close", "() (error)")],
    ),
    (
        "io.ReadWriter",
        &[
            ("Read", "([]byte) (int,error)"),
            ("Write", "([]byte) (int,error)"),
        ],
    ),
    ("io.Seeker", &[("Seek", "(int64,int) (int64,error)")]),
    ("io.ReaderAt", &[("ReadAt", "([]byte,int64) (int,error)")]),
    ("io.WriterAt", &[("WriteAt", "([]byte,int64) (int,error)")]),
    ("http.CloseNotifier", &[("CloseNotify", "() (<-chanbool)")]),
    (
        "context.Context",
        &[
            ("Deadline", "() (Time,bool)"),
            ("Done", "() (<-chanstruct{})"),
            ("Err", "() (error)"),
            ("Value", "(any) (any)"),
        ],
    ),
    ("sql.Scanner", &[("Scan", "(any) (error)")]),
    ("driver.Valuer", &[("Value", "() (Value,error)")]),
    (
        "heap.Interface",
        &[
            ("Len", "() (int)"),
            ("Less", "(int,int) (bool)"),
            ("Swap", "(int,int) ()"),
            ("Push", "(any) ()"),
            ("Pop", "() (any)"),
        ],
    ),
    (
        "net.Conn",
        &[
            ("Read", "([]byte) (int,error)"),
            ("Write", "([]byte) (int,error)"),
            ("Close", "() (error)"),
            ("LocalAddr", "() (Addr)"),
            ("RemoteAddr", "() (Addr)"),
            ("SetDeadline", "(Time) (error)"),
            ("SetReadDeadline", "(Time) (error)"),
            ("SetWriteDeadline", "(Time) (error)"),
        ],
    ),
];

/// Methods by their names, each with its shape.
pub(super) type Shapes<'t> = BTreeMap<&'t str, &'t str>;

/// Returns the methods of an interface of the standard library, by its name with or without the
/// package.
pub(super) fn standard(name: &str) -> Option<Methods> {
    let known = STANDARD.iter().find(|(full, _)| {
        *full == name
            || full
                .rsplit('.')
                .next()
                // `sort.Interface` and `heap.Interface` need their package.
                .is_some_and(|last| last == name && last != "Interface")
    });
    known.map(|(_, methods)| *methods)
}

/// Embedded types that are followed one after the other.
const EMBEDDED_MAX: usize = 8;

impl RelationIndex {
    /// Reports whether a type has every method of an interface of Go.
    pub(super) fn fits(&self, id: TypeId, interface: TypeId) -> bool {
        let is_go = |of: TypeId| self.files[of.0].family == LanguageFamily::Go;
        if !is_go(id) || !is_go(interface) || self.kind(interface).kind != TypeKind::Interface {
            return false;
        }
        let (wanted, is_whole) = self.shapes(interface);
        let (has, _) = self.shapes(id);
        // Every type fits an interface without methods, which shows nothing.
        is_whole
            && !wanted.is_empty()
            && wanted
                .iter()
                .all(|(name, shape)| has.get(name) == Some(shape))
    }

    /// Returns the methods of a type by name, embedded ones included, and whether all embedded
    /// types are known.
    pub(super) fn shapes(&self, id: TypeId) -> (Shapes<'_>, bool) {
        let mut shapes: Shapes<'_> = BTreeMap::new();
        let (mut seen, mut level, mut is_whole) = (BTreeSet::from([id]), vec![id], true);
        for _ in 0..EMBEDDED_MAX {
            for of in &level {
                for member in self.members_of.get(of).into_iter().flatten() {
                    let member = self.member(*member);
                    if member.kind == MemberKind::Function {
                        shapes
                            .entry(member.name.as_str())
                            // An outer method hides one of the same name in an embedded type.
                            .or_insert(member.shape.as_str());
                    }
                }
            }
            let mut next = Vec::new();
            for base in level
                .iter()
                .flat_map(|of| self.bases.get(of).into_iter().flatten())
            {
                match base {
                    Ty::Instance(id, _) | Ty::Type(id) => {
                        if seen.insert(*id) {
                            next.push(*id);
                        }
                    }
                    Ty::External(name, _) => match standard(name) {
                        Some(methods) => {
                            for (name, shape) in methods {
                                shapes.entry(name).or_insert(shape);
                            }
                        }
                        None => is_whole = false,
                    },
                    _ => is_whole = false,
                }
            }
            level = next;
        }
        (shapes, is_whole)
    }
}
