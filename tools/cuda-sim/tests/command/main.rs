//! The command as its users meet it: the built executable, run in a temporary folder.

mod check;
mod cmake;
mod compare;
mod driver;
mod folder;
mod formats;
mod launch;
mod modules;
mod new;
mod run;
mod step;
