//! The built site over HTTP, with live reload.
//!
//! A site is a folder that never changes: each build makes a new one, and [`Site::publish`] puts it
//! in the place of the one before. A build that fails publishes nothing, so the old pages stay.
//!
//! Live reload is a stream of server-sent events that tells a page the stamp of the newest build.
//! A page knows the stamp that it was built with, so it also notices what it slept through. It
//! listens only while it is visible: a browser opens six connections to a host, and a reader more
//! tabs than that.

use crate::gpu::Gpu;
use anyhow::Result;
use axum::Router;
use axum::extract::Request;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use std::convert::Infallible;
use std::net::TcpListener;
use std::path::PathBuf;
use tokio::sync::watch;
use tower_http::services::{ServeDir, ServeFile};

/// Where a page asks for the newest stamp.
pub(crate) const RELOAD_PATH: &str = "/__reload";

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

/// Serves in a thread of its own until the process ends; a GPU too, where there is one.
pub(crate) fn start(listener: TcpListener, first: Published, gpu: Option<Gpu>) -> Result<Site> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sender, receiver) = watch::channel(first);
    std::thread::spawn(move || {
        let served: Result<()> = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, router(receiver, gpu)).await?;
            Ok(())
        });
        if let Err(error) = served {
            crate::complaint::print(&error.context("the server stopped"));
            std::process::exit(2);
        }
    });
    Ok(Site(sender))
}

fn router(site: watch::Receiver<Published>, gpu: Option<Gpu>) -> Router {
    let events = site.clone();
    let gpu = gpu.map_or_else(Router::new, Gpu::routes);
    gpu.route(RELOAD_PATH, get(move || reload_events(events.clone())))
        .fallback(move |request| page(site.clone(), request))
}

async fn page(site: watch::Receiver<Published>, request: Request) -> Response {
    let folder = site.borrow().folder.clone();
    let missing = ServeFile::new(folder.join("404.html"));
    let answer = ServeDir::new(folder).not_found_service(missing).try_call(request).await;
    match answer {
        Ok(mut response) => {
            // Pages change under the reader's hands: the browser must ask each time.
            let headers = response.headers_mut();
            headers.insert("cache-control", axum::http::HeaderValue::from_static("no-cache"));
            response.into_response()
        }
        Err(error) => {
            (axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response()
        }
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
