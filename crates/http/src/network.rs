//! The network settings of a user, from the variables that other programs read as well.

use std::path::PathBuf;

/// The proxy and the certificates of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The proxy for https; `None` without one.
    pub proxy: Option<String>,
    /// Hosts that are reached without it; `*` means all.
    pub no_proxy: Vec<String>,
    /// A file of certificates that are trusted instead of the default ones; `None` for the default.
    pub certificates: Option<PathBuf>,
}

impl Network {
    /// Reads `HTTPS_PROXY`, `NO_PROXY` and `SSL_CERT_FILE`.
    pub fn from_environment(variables: &dyn Fn(&str) -> Option<String>) -> Self {
        let first = |names: &[&str]| {
            names
                .iter()
                .filter_map(|name| variables(name))
                .find(|value| !value.trim().is_empty())
        };
        let hosts = |list: String| {
            list.split(',')
                .map(|host| host.trim().to_ascii_lowercase())
                .filter(|host| !host.is_empty())
                .collect()
        };
        Self {
            proxy: first(&["HTTPS_PROXY", "https_proxy"]),
            no_proxy: first(&["NO_PROXY", "no_proxy"])
                .map(hosts)
                .unwrap_or_default(),
            certificates: first(&["SSL_CERT_FILE"]).map(PathBuf::from),
        }
    }

    /// Returns the proxy for a host; `None` for this machine and for hosts that the user excepted.
    pub fn proxy_to(&self, host: &str, is_local: bool) -> Option<&str> {
        let excepted = |known: &String| {
            // `example.org`, `.example.org` and `*.example.org` all except the domain and its
            // subdomains.
            let known = known.trim_start_matches("*.").trim_start_matches('.');
            known == "*"
                || host == known
                || host
                    .strip_suffix(known)
                    .is_some_and(|rest| rest.ends_with('.'))
        };
        self.proxy
            .as_deref()
            .filter(|_| !is_local && !self.no_proxy.iter().any(excepted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_are_excepted_are_reached_without_the_proxy() {
        let variables = |name: &str| match name {
            "https_proxy" => Some("http://proxy:3128".to_owned()),
            "NO_PROXY" => Some(" Example.org, .corp ,".to_owned()),
            _ => None,
        };
        let network = Network::from_environment(&variables);
        let cases = [
            ("api.github.com", Some("http://proxy:3128")),
            ("example.org", None),
            ("api.example.org", None),
            ("myexample.org", Some("http://proxy:3128")),
            ("git.corp", None),
        ];
        for (host, through) in cases {
            assert_eq!(network.proxy_to(host, false), through, "{host}");
        }
        assert_eq!(network.proxy_to("api.github.com", true), None);
    }
}
