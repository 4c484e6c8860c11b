//! `warpbook serve`: the book in a browser, rebuilt as it is written.
//!
//! The pages show the verdicts at the page size at once. The sizes of `//@ test` follow in the
//! background ([`crate::background`]). A page or kernel that is broken shows its error in its page;
//! what breaks the whole book leaves the old pages served. Both are printed.

use crate::Outcome;
use crate::background::{Background, Findings};
use crate::command::{Root, gpu_child, verify_child};
use crate::complaint::{self, Complaint};
use crate::gpu::{Gpu, Worker};
use crate::module;
use crate::place::{Lock, remove};
use crate::progress::{Progress, say};
use crate::server::{self, Published};
use crate::site::{self, Purpose};
use crate::watch::Watcher;
use anyhow::{Context, Result, anyhow};
use mdbook_driver::config::Config;
use std::net::{SocketAddr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use verify::trial::LocalGpu;
use verify::{Project, Workers};

/// Build, verify and serve the book (the default)
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Port to listen on; 0 takes a free one [default: 3000]
    #[arg(long)]
    port: Option<u16>,
    /// Address to listen on; 0.0.0.0 lets other machines read the book [default: 127.0.0.1]
    #[arg(long)]
    host: Option<String>,
    /// Open the book in a browser
    #[arg(long)]
    open: bool,
}

impl Arguments {
    /// The first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--port", self.port.is_some()),
            ("--host", self.host.is_some()),
            ("--open", self.open),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }
}

/// Why the main loop wakes up.
enum Wake {
    Changed(Vec<PathBuf>),
    Checked(Findings),
    /// The folder that is served is gone: somebody deleted `target`.
    Removed,
}

/// How often the served folder is looked for.
const LOOK: Duration = Duration::from_secs(2);

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = root.project()?;
    let listener = listen(arguments)?;
    let address = listener.local_addr()?;
    let gpu = own_gpu(&project, address);
    let gpu_name = gpu.as_ref().map(|gpu| gpu.name.clone());
    let workers = verify_child::workers(&project)?;
    let mut builder = Builder::new(&project, &workers, address.port(), gpu_name.clone())?;
    let (wake, woken) = mpsc::channel();
    // Before the first build, so that what is saved meanwhile is not missed.
    watch(watched(&project)?, wake.clone());

    let started = Instant::now();
    let mut shown = Findings::default();
    let first = match builder.build(&shown) {
        Ok(first) => first,
        Err(error) => {
            complaint::print(&error);
            return Ok(Outcome::Broken);
        }
    };
    let site = server::start(listener, arguments.host.as_deref(), first, gpu)?;
    let url = format!("http://{address}");
    say!("The book is at {url} (built in {:.1} s).", started.elapsed().as_secs_f64());
    if let Some(name) = gpu_name {
        say!("Kernels in its pages can be run on this machine's {name} too.");
    }
    say!("Save a page or a kernel and it reloads. Ctrl+C ends.");
    if arguments.open {
        open(&url);
    }

    let background = Background::start(&project, workers, move |findings| {
        // The main loop is gone only when the process is.
        let _ = wake.send(Wake::Checked(findings));
    });
    background.check();
    loop {
        let wake = match woken.recv_timeout(LOOK) {
            Ok(wake) => wake,
            Err(RecvTimeoutError::Timeout) if builder.is_there() => continue,
            Err(RecvTimeoutError::Timeout) => {
                say!("The served pages were removed: they are built again.");
                Wake::Removed
            }
            // The threads that send end only with the process.
            Err(RecvTimeoutError::Disconnected) => return Ok(Outcome::Kept),
        };
        let changed = match wake {
            Wake::Removed => Vec::new(),
            Wake::Changed(changed) => {
                shown.forget(changed.iter().map(|file| project.relative(file)));
                changed
            }
            Wake::Checked(findings) => {
                say!("{findings}");
                if findings.same_failures(&shown) {
                    continue;
                }
                shown = findings;
                Vec::new()
            }
        };
        let started = Instant::now();
        match builder.build(&shown) {
            Ok(fresh) => {
                site.publish(fresh);
                let seconds = started.elapsed().as_secs_f64();
                if let [first, rest @ ..] = changed.as_slice() {
                    let name = project.relative(first);
                    let more = if rest.is_empty() {
                        String::new()
                    } else {
                        format!(" and {} more", rest.len())
                    };
                    say!("{name}{more} changed: rebuilt in {seconds:.1} s");
                    background.check();
                }
            }
            Err(error) => {
                complaint::print(&error);
                cuda_sim::tell!("The pages from before this change stay served.");
            }
        }
    }
}

/// Builds one site after the other, each in a folder of its own.
struct Builder {
    project: Project,
    workers: Arc<Workers>,
    place: PathBuf,
    built: u64,
    gpu: Option<String>,
    /// The folder that is served, and the one before it: a browser may still be loading from it.
    kept: Vec<PathBuf>,
    /// Tells other servers that the folder is in use.
    _lock: Lock,
}

impl Builder {
    fn new(
        project: &Project,
        workers: &Arc<Workers>,
        port: u16,
        gpu: Option<String>,
    ) -> Result<Builder> {
        let servers = project.root.join("target/serve");
        remove_leftovers(&servers)?;
        let place = servers.join(format!("{port}-{}", std::process::id()));
        let lock = Lock::take(&place.with_extension("lock"), || {})?;
        Ok(Builder {
            project: project.clone(),
            workers: Arc::clone(workers),
            place,
            built: 0,
            gpu,
            kept: Vec::new(),
            _lock: lock,
        })
    }

    /// Whether the pages that are served are still there.
    fn is_there(&self) -> bool {
        self.kept.last().is_some_and(|folder| folder.join("index.html").is_file())
    }

    fn build(&mut self, findings: &Findings) -> Result<Published> {
        let mut progress = Progress::new();
        progress.step("building and verifying the book ...");
        self.built += 1;
        let into = self.place.join(self.built.to_string());
        // Unlike a counter, the time also tells a page from one of an earlier server.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let stamp = now.as_millis().to_string();
        let purpose = Purpose::Serve { stamp: &stamp, findings, gpu: self.gpu.as_deref() };
        // A defect of ours must not end the server either; it has been printed then.
        let build = || site::build(&self.project, &self.workers, &into, purpose);
        let built = catch_unwind(AssertUnwindSafe(build))
            .unwrap_or_else(|_| Err(anyhow!("the book could not be built")));
        match built {
            Ok(folder) => {
                self.kept.push(into);
                while self.kept.len() > 2 {
                    remove(&self.kept.remove(0))?;
                }
                Ok(Published { folder, stamp })
            }
            Err(error) => {
                remove(&into)?;
                Err(error)
            }
        }
    }
}

/// Removes the folders of servers that have ended, however they ended.
fn remove_leftovers(servers: &Path) -> Result<()> {
    for entry in std::fs::read_dir(servers).into_iter().flatten().flatten() {
        let lock = entry.path();
        if lock.extension().is_some_and(|e| e == "lock") && Lock::try_take(&lock)?.is_some() {
            remove(&lock.with_extension(""))?;
            // Another server that starts now may have removed it.
            let _ = std::fs::remove_file(&lock);
        }
    }
    Ok(())
}

/// The GPU for pages that are served at `address`. There is one only if this machine has a GPU and
/// a compiler for it, and no other machine can reach the server.
fn own_gpu(project: &Project, address: SocketAddr) -> Option<Gpu> {
    let machine = LocalGpu::find(project).ok()?;
    let worker = Worker {
        program: std::env::current_exe().ok()?,
        arguments: vec!["--root".into(), project.root.clone().into(), gpu_child::NAME.into()],
        limit: gpu_child::LIMIT,
    };
    Gpu::offer(machine.name, address, worker)
}

/// Listens on the port that was asked for. Where none was, the usual one may be taken (by another
/// `warpbook serve`, often): then one of the next.
fn listen(arguments: &Arguments) -> Result<TcpListener> {
    let host = arguments.host.as_deref().unwrap_or("127.0.0.1");
    let port = arguments.port.unwrap_or(3000);
    let candidates = if arguments.port.is_some() { port..=port } else { port..=port + 9 };
    for candidate in candidates.clone() {
        match TcpListener::bind((host, candidate)) {
            Ok(listener) => {
                if candidate != port {
                    cuda_sim::tell!(
                        "Port {port} is taken by another program, so this is {candidate}."
                    );
                }
                return Ok(listener);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(error).with_context(|| format!("listening on {host}:{candidate}"));
            }
        }
    }
    let ports = if arguments.port.is_some() {
        format!("port {port} is")
    } else {
        format!("ports {port} to {} are", candidates.end())
    };
    Err(Complaint::error(
        format!("{ports} taken by another program"),
        "choose one with `--port`, or let the system choose with `--port 0`",
    ))
}

/// What a reader of this book may edit: as for `mdbook serve`, the pages and what `book.toml` adds.
fn watched(project: &Project) -> Result<Vec<PathBuf>> {
    let file = project.root.join("book.toml");
    let config = Config::from_disk(&file).with_context(|| project.relative(&file))?;
    let mut roots = vec![file, project.root.join(&config.book.src)];
    roots.extend(config.build.extra_watch_dirs.iter().map(|folder| project.root.join(folder)));
    // `warpbook lab` writes it last.
    roots.push(project.root.join(module::BUILT).join(module::NOTE));
    Ok(roots)
}

fn watch(roots: Vec<PathBuf>, wake: mpsc::Sender<Wake>) {
    let mut watcher = Watcher::new(roots);
    std::thread::spawn(move || while wake.send(Wake::Changed(watcher.wait())).is_ok() {});
}

fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = std::process::Command::new(program);
    command.args(arguments).arg(url).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        cuda_sim::tell!("No browser could be opened ({program}: {error}). Open {url} yourself.");
    }
}
