//! The opening of a kernel's figure: its file, and the verdicts on it.

use super::badge;
use super::html::{escape, slug};
use crate::facts::Kernel;

/// The opening, with these classes, and a link to the source at this address.
pub(crate) fn html(kernel: &Kernel, classes: &str, address: &str) -> String {
    format!(
        "<figure class=\"{classes}\" id=\"{}\">\n<figcaption class=\"cuda-title\">\
         <a href=\"{}\"><code>{}</code></a> {}</figcaption>\n",
        slug(kernel.stem()),
        escape(address),
        escape(kernel.file_name()),
        badge::badges(kernel)
    )
}
