//! What the person provides for CI services: which hosts are services, their tokens, and the proxy.
//! It comes from the command line and the environment, never from the repository: a clone may name
//! any host as its remote, and a host that the person did not name gets no request and no token.

use grounds_http::Network;

use super::address::{Address, AddressError, is_host};
use super::error::CiError;
use super::gh;
use super::remote::Remote;
use super::secret::CiToken;

/// The interface of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceKind {
    /// GitHub Actions, of github.com or of GitHub Enterprise.
    GitHub,
    /// GitLab pipelines, of gitlab.com or of one's own.
    GitLab,
}

/// A service that the person named, or a common one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its interface.
    pub kind: ServiceKind,
    /// The host that remotes name.
    pub host: String,
    /// Where its API is.
    pub root: Address,
    /// The token for it; `None` without one.
    pub token: Option<CiToken>,
}

/// Whether services may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CiReach {
    /// The network is not used.
    #[default]
    Offline,
    /// A question about CI may ask the service of the repository.
    Online,
}

/// What the person provides for services of CI. By default nothing.
#[derive(Clone, Debug, Default)]
pub struct CiAccess {
    /// Whether services may be asked.
    pub reach: CiReach,
    /// The service that is asked whatever the remote's host is (`--ci-url`); `None` if the option
    /// is not given.
    pub chosen: Option<Service>,
    /// The services that are known by their host; the first that fits counts.
    pub services: Vec<Service>,
    /// Whether `gh` may be asked for the token of a host that it is logged in to.
    pub ask_gh: Asking,
    /// The proxy and the certificates.
    pub network: Network,
}

/// Whether another program may be asked for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Asking {
    /// It is not asked.
    #[default]
    Never,
    /// It is asked if the environment has no token.
    Allowed,
}

/// What is wrong with a value from the person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// An address that cannot be used.
    #[error("use {name} for CI: {error}")]
    Address {
        /// The option or variable.
        name: &'static str,
        /// What is wrong with it.
        error: AddressError,
    },
    /// An address that does not say which interface it has.
    #[error(
        "tell from --ci-url whether it is GitHub or GitLab: end it in /api/v3 (GitHub Enterprise) or /api/v4 (GitLab)"
    )]
    UnknownKind,
}

/// How the values of variables are read: the environment, or a list in tests.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;

impl CiAccess {
    /// Reads the environment and the command line.
    ///
    /// # Errors
    /// [`AccessError`] when an address in them cannot be used.
    pub fn from_environment(
        variables: Variables<'_>,
        ci_url: Option<&str>,
    ) -> Result<Self, AccessError> {
        let chosen = ci_url.map(|text| chosen(text, variables)).transpose()?;
        let named = [
            of_gh_host(variables),
            of_github_variables(variables)?,
            of_gitlab_variables(variables)?,
        ];
        let services: Vec<Service> = named.into_iter().flatten().collect();
        // The common services come last, because the first service with the host of a remote is
        // used: in a job of github.com that is the one of the job's variables.
        let common = common(variables, &services);
        Ok(Self {
            reach: CiReach::Online,
            chosen,
            services: services.into_iter().chain(common).collect(),
            ask_gh: Asking::Allowed,
            network: Network::from_environment(variables),
        })
    }

    /// Returns the service of a repository, with a token if there is one.
    ///
    /// # Errors
    /// [`CiError`] when the network may not be used, or nobody named the host as a service.
    pub fn service_of(&self, remote: &Remote) -> Result<Service, CiError> {
        if self.reach == CiReach::Offline {
            return Err(CiError::Offline);
        }
        let known = self.chosen.as_ref().or_else(|| {
            self.services
                .iter()
                .find(|service| service.host == remote.host)
        });
        let asked = |host: &str| {
            if self.ask_gh == Asking::Allowed {
                gh::token_for(host)
            } else {
                None
            }
        };
        match known {
            Some(service) if service.token.is_none() && service.kind == ServiceKind::GitHub => {
                Ok(Service {
                    token: asked(&service.host),
                    ..service.clone()
                })
            }
            Some(service) => Ok(service.clone()),
            // `gh` keeps a token for each host that the person logged in to, so the person named
            // this host.
            None => match asked(&remote.host) {
                Some(token) => Ok(Service {
                    token: Some(token),
                    ..github(&remote.host, None)
                }),
                None => Err(CiError::UnknownHost(remote.host.clone())),
            },
        }
    }

    /// Returns the proxy on the way to an address; `None` for this machine and for hosts that the
    /// person excepted.
    pub fn proxy_to(&self, address: &Address) -> Option<&str> {
        self.network
            .proxy_to(&address.host, address.is_this_machine())
    }
}

fn first(variables: Variables<'_>, names: &[&str]) -> Option<String> {
    names
        .iter()
        .filter_map(|name| variables(name))
        .find(|value| !value.trim().is_empty())
}

fn token(variables: Variables<'_>, names: &[&str]) -> Option<CiToken> {
    names
        .iter()
        .filter_map(|name| variables(name))
        .find_map(|value| CiToken::new(&value))
}

/// Variables with a token of github.com, or of a tenant at `ghe.com`.
const OF_GITHUB: [&str; 2] = ["GH_TOKEN", "GITHUB_TOKEN"];
/// Variables with a token of another host of GitHub.
const OF_ENTERPRISE: [&str; 2] = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
/// Variables with a token of whatever host the person names, in the order of their priority.
const OF_ANY_GITHUB: [&str; 4] = [
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
];
const OF_GITLAB: [&str; 1] = ["GITLAB_TOKEN"];

/// Returns a service of GitHub. github.com and its tenants have their API at a host of its own; an
/// enterprise has it below a path of its host.
fn github(host: &str, token: Option<CiToken>) -> Service {
    let is_tenant = host == "github.com" || host.ends_with(".ghe.com");
    let (api, path) = if is_tenant {
        (format!("api.{host}"), "")
    } else {
        (host.to_owned(), "/api/v3")
    };
    Service {
        kind: ServiceKind::GitHub,
        host: host.to_owned(),
        root: https(api, path),
        token,
    }
}

fn gitlab(host: &str, token: Option<CiToken>) -> Service {
    Service {
        kind: ServiceKind::GitLab,
        host: host.to_owned(),
        root: https(host.to_owned(), "/api/v4"),
        token,
    }
}

fn https(host: String, path: &str) -> Address {
    Address {
        scheme: super::address::Scheme::Https,
        host,
        port: 443,
        path: path.to_owned(),
    }
}

/// Returns the service that `--ci-url` names: its API, or the host of a common service.
fn chosen(text: &str, variables: Variables<'_>) -> Result<Service, AccessError> {
    let root = Address::parse(text).map_err(|error| AccessError::Address {
        name: "--ci-url",
        error,
    })?;
    let path = root.path.trim_end_matches('/');
    let of_host = |word: &str| {
        root.host == format!("{word}.com") || root.host.starts_with(&format!("{word}."))
    };
    match path {
        // The API of github.com is at a host of its own, and a token for an enterprise is not for
        // it.
        "" if ["github.com", "api.github.com"].contains(&root.host.as_str()) => {
            Ok(github("github.com", token(variables, &OF_GITHUB)))
        }
        _ if path.ends_with("/api/v3") => Ok(at(
            ServiceKind::GitHub,
            &root,
            path,
            token(variables, &OF_ANY_GITHUB),
        )),
        _ if path.ends_with("/api/v4") => Ok(at(
            ServiceKind::GitLab,
            &root,
            path,
            token(variables, &OF_GITLAB),
        )),
        // `github.example.org` says by its name which interface it has, so it needs no path.
        "" if of_host("github") => Ok(at(
            ServiceKind::GitHub,
            &root,
            "/api/v3",
            token(variables, &OF_ANY_GITHUB),
        )),
        "" if of_host("gitlab") => Ok(at(
            ServiceKind::GitLab,
            &root,
            "/api/v4",
            token(variables, &OF_GITLAB),
        )),
        _ => Err(AccessError::UnknownKind),
    }
}

fn at(kind: ServiceKind, root: &Address, path: &str, token: Option<CiToken>) -> Service {
    Service {
        kind,
        host: root.host.clone(),
        root: Address {
            path: path.to_owned(),
            ..root.clone()
        },
        token,
    }
}

/// Returns the service of `GH_HOST`. Unless it is a tenant at `ghe.com`, its token is one for
/// enterprises: that of github.com is not sent to it.
fn of_gh_host(variables: Variables<'_>) -> Option<Service> {
    // github.com is one of the common services in any case.
    let host = variables("GH_HOST")
        .map(|host| host.trim().to_ascii_lowercase())
        .filter(|host| is_host(host) && host != "github.com")?;
    let names = if host.ends_with(".ghe.com") {
        OF_GITHUB
    } else {
        OF_ENTERPRISE
    };
    Some(github(&host, token(variables, &names)))
}

/// Returns the service in the variables of a job of GitHub Actions. The token in them is for the
/// host that they name.
fn of_github_variables(variables: Variables<'_>) -> Result<Option<Service>, AccessError> {
    let Some(root) = first(variables, &["GITHUB_API_URL"]) else {
        return Ok(None);
    };
    let parse = |name, text: &str| {
        Address::parse(text).map_err(|error| AccessError::Address { name, error })
    };
    let root = parse("GITHUB_API_URL", &root)?;
    let server = first(variables, &["GITHUB_SERVER_URL"])
        .map(|text| parse("GITHUB_SERVER_URL", &text))
        .transpose()?;
    // The API of github.com is at `api.github.com`.
    let host = server.map_or_else(
        || root.host.trim_start_matches("api.").to_owned(),
        |server| server.host,
    );
    let path = root.path.trim_end_matches('/').to_owned();
    Ok(Some(Service {
        host,
        ..at(
            ServiceKind::GitHub,
            &root,
            &path,
            token(variables, &OF_ANY_GITHUB),
        )
    }))
}

/// Returns the service in `CI_SERVER_URL` of a job of GitLab, or in `GITLAB_HOST`.
fn of_gitlab_variables(variables: Variables<'_>) -> Result<Option<Service>, AccessError> {
    let Some(text) = first(variables, &["CI_SERVER_URL", "GITLAB_HOST"]) else {
        return Ok(None);
    };
    // `GITLAB_HOST` may be a host without a scheme.
    let text = if text.contains("://") {
        text
    } else {
        format!("https://{text}")
    };
    let root = Address::parse(&text).map_err(|error| AccessError::Address {
        name: "CI_SERVER_URL or GITLAB_HOST",
        error,
    })?;
    let path = format!("{}/api/v4", root.path.trim_end_matches('/'));
    Ok(Some(at(
        ServiceKind::GitLab,
        &root,
        &path,
        token(variables, &OF_GITLAB),
    )))
}

/// Returns the two common services. A token that a variable binds to another host is not for them.
fn common(variables: Variables<'_>, named: &[Service]) -> [Service; 2] {
    let is_elsewhere = |kind, host| {
        named
            .iter()
            .any(|service| service.kind == kind && service.host != host)
    };
    // In a job of GitHub Enterprise, `GITHUB_TOKEN` is a token of the job's server. `GH_HOST` alone
    // does not claim that variable: a token for its host has variables of its own.
    let in_a_job_elsewhere = first(variables, &["GITHUB_API_URL"]).is_some()
        && is_elsewhere(ServiceKind::GitHub, "github.com");
    let of_github = if in_a_job_elsewhere {
        None
    } else {
        token(variables, &OF_GITHUB)
    };
    // GitLab has one variable for all hosts, so the host that is named has its token.
    let of_gitlab = if is_elsewhere(ServiceKind::GitLab, "gitlab.com") {
        None
    } else {
        token(variables, &OF_GITLAB)
    };
    [
        github("github.com", of_github),
        gitlab("gitlab.com", of_gitlab),
    ]
}
