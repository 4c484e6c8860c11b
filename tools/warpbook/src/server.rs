//! The built site over HTTP, with live reload.
//!
//! A site is a folder that never changes: each build makes a new one, and [`Site::publish`] puts it
//! in the place of the one before. A build that fails publishes nothing, so the old pages stay.
//!
//! Live reload is a stream of server-sent events that tells a page the stamp of the newest build.
//! A page knows the stamp that it was built with, so it also notices what it slept through. It
//! listens only while it is visible: a browser opens six connections to a host, and a reader more
//! tabs than that.
//!
//! Drafts are for the user of this machine only. A browser lets a site's owner point its name at this machine (DNS
//! rebinding), so a request by a name that is not this server's is refused; GPU requests have stricter
//! rules of their own ([`crate::gpu`]). A page may load nothing from elsewhere but pictures
//! ([`POLICY`]), and a connection that sends nothing is closed.

use crate::gpu::Gpu;
use anyhow::Result;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::{IpAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tower_http::services::{ServeDir, ServeFile};

/// Where a page asks for the newest stamp.
pub(crate) const RELOAD_PATH: &str = "/__reload";

/// What a page may do. mdBook's pages have scripts and styles in their text, so `unsafe-inline` stays;
/// the lab compiles WebAssembly in a worker.
const POLICY: &str = "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; font-src 'self' data:; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// How long a client may take to send the head of a request, or to ask again.
const HEAD_LIMIT: Duration = Duration::from_secs(10);

/// Connections at a time, at most. A browser opens six.
const MOST_CONNECTIONS: usize = 256;

/// Connections at a time: half of the files that this process may open. The other half is for the builds,
/// which would fail otherwise.
fn most_connections() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        usize::try_from(files / 2).unwrap_or(usize::MAX).clamp(1, MOST_CONNECTIONS)
    }
    #[cfg(not(unix))]
    MOST_CONNECTIONS
}

/// What is being served.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Published {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// What its pages know it by.
    pub(crate) stamp: String,
}

/// The handle by which a new build takes the place of the old.
pub(crate) struct Site(watch::Sender<Published>);

impl Site {
    /// Serves this from now on, and lets the open pages reload.
    pub(crate) fn publish(&self, published: Published) {
        self.0.send_replace(published);
    }
}

/// Serves in a thread of its own until the process ends; a GPU too, where there is one. `name` is what
/// `--host` said.
pub(crate) fn start(
    listener: TcpListener,
    name: Option<&str>,
    first: Published,
    gpu: Option<Gpu>,
) -> Result<Site> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sender, receiver) = watch::channel(first);
    let router = router(receiver, name.map(str::to_owned), gpu);
    std::thread::spawn(move || {
        let served: Result<()> = runtime.block_on(async {
            accept(tokio::net::TcpListener::from_std(listener)?, router).await;
            Ok(())
        });
        if let Err(error) = served {
            crate::complaint::print(&error.context("the server stopped"));
            std::process::exit(2);
        }
    });
    Ok(Site(sender))
}

/// Answers each connection in a task of its own. `axum::serve` would wait for a client for ever.
async fn accept(listener: tokio::net::TcpListener, router: Router) {
    let room = Arc::new(Semaphore::new(most_connections()));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // No file handle is left, for example: one will be.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT);
            // A client that leaves early is no error of ours.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}

fn router(site: watch::Receiver<Published>, name: Option<String>, gpu: Option<Gpu>) -> Router {
    let events = site.clone();
    let gpu = gpu.map_or_else(Router::new, Gpu::routes);
    gpu.route(RELOAD_PATH, get(move || reload_events(events.clone())))
        .fallback(move |request| page(site.clone(), request))
        .layer(from_fn(move |request, next| guarded(name.clone(), request, next)))
}

/// Refuses requests by a foreign name, and tells the browser what pages may do.
async fn guarded(name: Option<String>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = host.is_some_and(|host| is_own_name(host, name.as_deref()));
    // A request for the GPU is answered in JSON, by stricter rules.
    if !is_own && request.uri().path() != crate::gpu::PATH {
        let words = "This server is not known by that name. Open it as http://localhost, by its \
                     number, or start it with `--host NAME`.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a `Host` names this server: `localhost`, a number, or the name that it was started with. The
/// port may be that of a tunnel.
fn is_own_name(host: &str, name: Option<&str>) -> bool {
    let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((number, _)) => number,
        None => host.rsplit_once(':').map_or(host, |(host, _)| host),
    };
    let same = |own: &str| host.eq_ignore_ascii_case(own);
    same("localhost") || host.parse::<IpAddr>().is_ok() || name.is_some_and(same)
}

async fn page(site: watch::Receiver<Published>, request: Request) -> Response {
    let folder = site.borrow().folder.clone();
    let missing = ServeFile::new(folder.join("404.html"));
    let answer = ServeDir::new(folder).not_found_service(missing).try_call(request).await;
    match answer {
        Ok(mut response) => {
            // Pages change under the reader's hands: the browser must ask each time.
            let headers = response.headers_mut();
            headers.insert("cache-control", HeaderValue::from_static("no-cache"));
            response.into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// The stamp of what is served now, and of each build after it.
async fn reload_events(mut site: watch::Receiver<Published>) -> impl IntoResponse {
    site.mark_changed();
    let events = stream::unfold(site, |mut site| async move {
        site.changed().await.ok()?;
        let stamp = site.borrow_and_update().stamp.clone();
        Some((Ok::<_, Infallible>(Event::default().data(stamp)), site))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

/// The script that each page of a served site carries.
pub(crate) fn reload_script(stamp: &str) -> String {
    format!(
        r#"<script>
(() => {{
  let events = null;
  const listen = () => {{
    if (events) events.close();
    events = null;
    if (document.hidden) return;
    events = new EventSource("{RELOAD_PATH}");
    events.onmessage = (event) => {{ if (event.data !== "{stamp}") location.reload(); }};
  }};
  document.addEventListener("visibilitychange", listen);
  listen();
}})();
</script>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_pointed_here_is_not_ours() {
        for host in ["localhost:3000", "LOCALHOST", "127.0.0.1:80", "[::1]:3000", "192.168.0.7:9"] {
            assert!(is_own_name(host, None), "{host}");
        }
        for host in ["evil.example:3000", "localhost.evil.example", "", "127.0.0.1.evil.example"] {
            assert!(!is_own_name(host, None), "{host}");
        }
        assert!(is_own_name("desk.local:3000", Some("desk.local")));
    }
}
