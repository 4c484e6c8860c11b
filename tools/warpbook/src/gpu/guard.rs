//! Who may have a kernel run.
//!
//! A browser lets every site send requests to this machine, and lets a site's owner point its name
//! at 127.0.0.1. So each request must bear out that a page of this server sent it:
//!
//! - `Host` is a loopback name with this port: a name that was pointed here (DNS rebinding) is not.
//! - `Origin`, which browsers put on every POST and no script can change, is `http://` and that very
//!   host. It may not be missing.
//! - `Sec-Fetch-Site`, another header that only the browser writes, is `same-origin`. A GET has no
//!   `Origin`, so for the token it may not be missing.
//! - The token of this start, which only a page of this origin can read, is in a header of its own.
//!   Another site's script may not send that without a preflight, which this server does not answer.

use axum::http::{HeaderMap, StatusCode};

/// The header that carries the token.
const TOKEN: &str = "x-warpbook-token";

/// One server's rules.
pub(super) struct Guard {
    hosts: Vec<String>,
    token: String,
}

/// Why a request is not carried out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// What HTTP calls it.
    pub(super) status: StatusCode,
    /// In a sentence.
    pub(super) why: String,
}

impl Refusal {
    /// A request that makes no sense.
    pub(super) fn nonsense(why: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, why: why.into() }
    }

    fn forbidden(why: &str) -> Refusal {
        Refusal { status: StatusCode::FORBIDDEN, why: why.to_owned() }
    }
}

impl Guard {
    /// For a server at this port, with a new token.
    pub(super) fn new(port: u16) -> Guard {
        let names = ["localhost", "127.0.0.1", "[::1]"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
        }
        Guard { hosts, token: super::secret() }
    }

    /// The token of this start.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Whether the token may be told.
    ///
    /// # Errors
    /// Where it may not.
    pub(super) fn admits_reader(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.host(headers)?;
        match only(headers, "sec-fetch-site") {
            Some("same-origin") => Ok(()),
            _ => Err(Refusal::forbidden("only a page of this server may ask for the token")),
        }
    }

    /// Whether a kernel may be run.
    ///
    /// # Errors
    /// Where it may not.
    pub(super) fn admits_order(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = self.host(headers)?;
        if only(headers, "origin") != Some(format!("http://{host}").as_str()) {
            return Err(Refusal::forbidden("`Origin` is not this server"));
        }
        if headers.contains_key("sec-fetch-site")
            && only(headers, "sec-fetch-site") != Some("same-origin")
        {
            return Err(Refusal::forbidden("`Sec-Fetch-Site` is not `same-origin`"));
        }
        if !same(only(headers, TOKEN).unwrap_or(""), &self.token) {
            let why = "not the token of this server, which may have been started anew: \
                       load the page again";
            return Err(Refusal::forbidden(why));
        }
        let kind = only(headers, "content-type").unwrap_or("");
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Refusal { status, why: "a request is `application/json`".to_owned() });
        }
        Ok(())
    }

    /// The name by which the server is asked.
    fn host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, Refusal> {
        let host = only(headers, "host").filter(|host| self.hosts.iter().any(|own| own == host));
        host.ok_or_else(|| Refusal::forbidden("`Host` is no name of this server"))
    }
}

/// The value of a header that occurs once.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    all.next().filter(|_| all.next().is_none())?.to_str().ok()
}

/// Compares in a time that does not tell where they differ.
fn same(given: &str, own: &str) -> bool {
    let differ = given.bytes().zip(own.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == own.len() && differ == 0
}
