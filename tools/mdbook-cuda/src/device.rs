//! `{{#device}}`: the GPUs that the book's numbers come from, by what their driver says of them.

use crate::facts::Facts;
use crate::html::escape;
use crate::number;
use crate::verdicts::Badge;
use std::fmt::Write;
use verify::results::Machine;

/// A column a machine, a row a property.
pub(crate) fn html(facts: &Facts) -> String {
    let mut machines: Vec<&Machine> = Vec::new();
    for (_, recording) in &facts.book.recordings {
        let machine = &recording.results.machine;
        if !machines.iter().any(|known| known.gpu == machine.gpu) {
            machines.push(machine);
        }
    }
    if machines.is_empty() {
        return format!("<p>{} No GPU was recorded.</p>\n", Badge::NotMeasured.html(""));
    }
    let mut out = String::from(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>\
         <th scope=\"col\">property</th>",
    );
    for machine in &machines {
        let name = machine.gpu.strip_prefix("NVIDIA ").unwrap_or(&machine.gpu);
        let _ = write!(out, "<th scope=\"col\" class=\"cuda-num\">{}</th>", escape(name));
    }
    out.push_str("</tr></thead><tbody>\n");
    let mut row = |name: &str, value: &dyn Fn(&Machine) -> String| {
        let cells = machines.iter().map(|m| format!("<td class=\"cuda-num\">{}</td>", value(m)));
        let cells: String = cells.collect();
        let _ = writeln!(out, "<tr><th scope=\"row\">{name}</th>{cells}</tr>");
    };
    row("compute capability", &|m| escape(&m.compute_capability));
    row("multiprocessors", &|m| number::count(m.multiprocessors.into()));
    row("highest clock", &|m| format!("{} MHz", number::significant(m.clock_mhz)));
    row("peak of the memory", &|m| format!("{} GB/s", number::significant(m.memory_peak_gbps)));
    row("driver", &|m| escape(&m.driver));
    out.push_str("</tbody></table></div>\n");
    out
}
