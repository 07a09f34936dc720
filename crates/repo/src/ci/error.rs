//! Why a CI service gave no evidence: each reason in its own words, with what to do next. An outage
//! is never "nothing found".

use crate::obstacle::Obstacle;
use crate::tool::ToolError;

/// Why a service gave no evidence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CiError {
    /// The person allowed no network.
    #[error("services of CI may not be asked: leave out --offline")]
    Offline,
    /// This program was built without the network.
    #[error("this build cannot ask services of CI: build it with the feature `ci`")]
    NotBuilt,
    /// There is no repository.
    #[error("the directory is not in a git repository, so no service of CI knows it")]
    NoGit,
    /// There is no commit.
    #[error("nothing is committed here, so no service of CI has run")]
    NoCommit,
    /// There is no remote.
    #[error(
        "the clone has no remote, so its service of CI is not known: add one with `git remote add origin URL`"
    )]
    NoRemote,
    /// The remote is no address of a repository.
    #[error(
        "git's remote names no repository of a host: set it with `git remote set-url origin https://HOST/OWNER/NAME`"
    )]
    StrangeRemote,
    /// The host is not known to be a service.
    #[error(
        "`{0}` is not known to be GitHub or GitLab: name its API with --ci-url https://{0}/api/v3 (GitHub Enterprise) or /api/v4 (GitLab)"
    )]
    UnknownHost(String),
    /// A repository of GitHub has an owner and a name, and nothing else.
    #[error("`{0}` is not a GitHub repository: its remote must end in OWNER/NAME")]
    NotOwnerAndName(String),
    /// The commit of the question is not in this clone.
    #[error(
        "the commit `{0}` of the question is not in this clone: fetch it, or give all 40 digits of its hash"
    )]
    UnknownCommit(String),
    /// 401.
    #[error("{host} does not accept the token (401): check that it is whole and has not expired")]
    BadToken {
        /// The host.
        host: String,
    },
    /// 401 without a token.
    #[error("{host} wants a token (401): {advice}")]
    WantsToken {
        /// The host.
        host: String,
        /// How to give one.
        advice: &'static str,
    },
    /// 403.
    #[error(
        "{host} forbids it (403{said}): the token needs leave to read the runs of this repository"
    )]
    Forbidden {
        /// The host.
        host: String,
        /// What it said.
        said: String,
    },
    /// 403 without a token.
    #[error("{host} forbids it without a token (403{said}): {advice}")]
    ForbiddenWithoutToken {
        /// The host.
        host: String,
        /// What it said.
        said: String,
        /// How to give one.
        advice: &'static str,
    },
    /// 404 with a token.
    #[error(
        "{host} does not know {what} (404), or the token may not see it: check the remote, and what the token may read"
    )]
    NotFound {
        /// The host.
        host: String,
        /// What was requested.
        what: String,
    },
    /// 404 without a token.
    #[error("{host} does not show {what} without a token (404): if it is private, {advice}")]
    NotShown {
        /// The host.
        host: String,
        /// What was requested.
        what: String,
        /// How to give a token.
        advice: &'static str,
    },
    /// 410.
    #[error("{host} does not keep {what} any more (410)")]
    Gone {
        /// The host.
        host: String,
        /// What was requested.
        what: String,
    },
    /// 403 or 429, with the headers of a limit.
    #[error("{host} answers no more for now (rate limit): {lifted}")]
    RateLimited {
        /// The host.
        host: String,
        /// When it is lifted, and what would raise it.
        lifted: String,
    },
    /// 5xx.
    #[error("{host} is out of order ({status}): ask again later")]
    OutOfOrder {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// Any other status.
    #[error(
        "{host} answered {what} with the status {status}, which has no meaning here: check that --ci-url names its API"
    )]
    StrangeStatus {
        /// The host.
        host: String,
        /// What was requested.
        what: String,
        /// The status.
        status: u16,
    },
    /// It took too long.
    #[error("{host} took too long (more than {ms} ms): ask again, or raise `ask.ci_ms_max`")]
    TimeUp {
        /// The host.
        host: String,
        /// Milliseconds.
        ms: u64,
    },
    /// The connection ended in the middle.
    #[error("the answer of {host} was cut short: ask again")]
    CutShort {
        /// The host.
        host: String,
    },
    /// It is not what the API gives.
    #[error(
        "what {host} answered for {what} is not what its API gives ({why}): check that --ci-url names its API"
    )]
    WrongAnswer {
        /// The host.
        host: String,
        /// What was requested.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// It is larger than what is read.
    #[error(
        "the answer of {host} for {what} has more than {bytes} bytes, which are the most that are read"
    )]
    TooLarge {
        /// The host.
        host: String,
        /// What was requested.
        what: String,
        /// The bound.
        bytes: u64,
    },
    /// Encryption could not be agreed.
    #[error(
        "the certificate of {host} cannot be trusted ({why}): for an authority of your own set SSL_CERT_FILE"
    )]
    Tls {
        /// The host.
        host: String,
        /// What is wrong.
        why: String,
    },
    /// The certificates that the person named cannot be used.
    #[error("the file of SSL_CERT_FILE holds no certificates that can be read")]
    Certificates,
    /// The name of the host cannot be resolved.
    #[error("there is no address for {host}: check its name, and that this machine is online")]
    NoSuchHost {
        /// The host.
        host: String,
    },
    /// There is no connection.
    #[error("{host} cannot be reached ({why}): check that this machine is online")]
    Unreachable {
        /// The host.
        host: String,
        /// What the system said.
        why: String,
    },
    /// The proxy does not work.
    #[error("the proxy of HTTPS_PROXY does not lead to {host}")]
    Proxy {
        /// The host.
        host: String,
    },
    /// A redirect or a next page that is not followed.
    #[error("{host} sends on to {to}, which is not followed")]
    SentElsewhere {
        /// The host.
        host: String,
        /// Where to, in words.
        to: &'static str,
    },
    /// More requests than one question may cost.
    #[error("the question would cost {host} more than {requests} requests")]
    TooManyRequests {
        /// The host.
        host: String,
        /// The bound.
        requests: u32,
    },
}

impl CiError {
    /// Returns the obstacle that kept the service from giving evidence.
    pub const fn obstacle(&self) -> Obstacle {
        match self {
            Self::Offline | Self::NotBuilt => Obstacle::CiNotAsked,
            Self::NoGit | Self::NoCommit | Self::NoRemote | Self::StrangeRemote => {
                Obstacle::CiUnknown
            }
            Self::UnknownHost(_) | Self::NotOwnerAndName(_) | Self::UnknownCommit(_) => {
                Obstacle::CiUnknown
            }
            Self::BadToken { .. }
            | Self::WantsToken { .. }
            | Self::Forbidden { .. }
            | Self::ForbiddenWithoutToken { .. } => Obstacle::CiToken,
            Self::NotFound { .. } | Self::NotShown { .. } | Self::Gone { .. } => {
                Obstacle::CiNotFound
            }
            Self::RateLimited { .. } | Self::TooManyRequests { .. } => Obstacle::CiLimit,
            Self::Certificates
            | Self::Tls { .. }
            | Self::NoSuchHost { .. }
            | Self::Unreachable { .. }
            | Self::Proxy { .. } => Obstacle::CiUnreachable,
            Self::OutOfOrder { .. } | Self::TimeUp { .. } | Self::CutShort { .. } => {
                Obstacle::CiOutOfOrder
            }
            Self::StrangeStatus { .. }
            | Self::WrongAnswer { .. }
            | Self::TooLarge { .. }
            | Self::SentElsewhere { .. } => Obstacle::CiNotUnderstood,
        }
    }

    /// Reports whether the answer of the service is unknown because something broke on the way.
    /// Otherwise something is missing here, or the request was refused.
    const fn is_broken(&self) -> bool {
        match self.obstacle() {
            Obstacle::CiOutOfOrder | Obstacle::CiNotUnderstood => true,
            Obstacle::CiUnreachable => !matches!(self, Self::Certificates),
            _ => false,
        }
    }
}

impl From<CiError> for ToolError {
    fn from(error: CiError) -> Self {
        Self {
            obstacle: error.obstacle(),
            why: error.to_string(),
            is_broken: error.is_broken(),
        }
    }
}
