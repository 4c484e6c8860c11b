//! `{{#device}}`: the properties of the GPUs that the book's numbers come from, as their driver
//! reports them; while the book is served, also of the reader's own GPU.

use super::part::badge::Badge;
use super::part::html::escape;
use super::part::number;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{BookFacts, Device as Gpu, Needs};
use std::fmt::Write;

#[derive(Debug)]
struct Device;

/// Reads `{{#device}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(Device))
}

impl Directive for Device {
    fn needs(&self) -> Needs {
        Needs { book: true, own_device: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(table(&page.facts.book))
    }
}

/// The rows: a label, and the property that it shows, or several with a sign between them.
const ROWS: [(&str, &[&str]); 24] = [
    ("multiprocessors", &["multiprocessors"]),
    ("threads per multiprocessor", &["max_threads_per_sm"]),
    ("blocks per multiprocessor", &["max_blocks_per_sm"]),
    ("registers per multiprocessor", &["registers_per_sm"]),
    ("shared memory per multiprocessor", &["shared_per_sm_bytes"]),
    ("threads per warp", &["warp_size"]),
    ("threads per block", &["max_threads_per_block"]),
    ("registers per block", &["registers_per_block"]),
    ("shared memory per block", &["shared_per_block_bytes"]),
    ("shared memory per block, opt-in", &["shared_per_block_optin_bytes"]),
    ("block dimensions", &["max_block_dim_x", "max_block_dim_y", "max_block_dim_z"]),
    ("grid dimensions", &["max_grid_dim_x", "max_grid_dim_y", "max_grid_dim_z"]),
    ("constant memory", &["constant_memory_bytes"]),
    ("L2 cache", &["l2_cache_bytes"]),
    ("memory", &["memory_bytes"]),
    ("memory bus", &["memory_bus_bits"]),
    ("memory clock", &["memory_clock_khz"]),
    ("clock", &["clock_khz"]),
    ("copy engines", &["copy_engines"]),
    ("concurrent kernels", &["concurrent_kernels"]),
    ("memory pools", &["memory_pools"]),
    ("error correction", &["ecc_enabled"]),
    ("compute mode", &["compute_mode"]),
    ("peak memory bandwidth", &["memory_peak_mbps"]),
];

/// One column per GPU, one row per property that any of them has.
fn table(book: &BookFacts) -> String {
    let mut devices: Vec<Gpu> = Vec::new();
    for (_, recording) in &book.recordings {
        let m = &recording.results.machine;
        let mut properties = m.properties.clone();
        properties.entry("multiprocessors".to_string()).or_insert(m.multiprocessors.into());
        properties.entry("clock_khz".to_string()).or_insert((m.clock_mhz * 1e3) as i64);
        properties.insert("memory_peak_mbps".to_string(), (m.memory_peak_gbps * 1e3) as i64);
        let name = m.gpu.strip_prefix("NVIDIA ").unwrap_or(&m.gpu).to_string();
        let (capability, driver) = (m.compute_capability.clone(), m.driver.clone());
        let device = Gpu { name, capability, driver, properties };
        // Of several recordings of a machine, the one with the most properties counts.
        match devices.iter_mut().find(|other| other.name == device.name) {
            Some(other) if other.properties.len() < device.properties.len() => *other = device,
            Some(_) => {}
            None => devices.push(device),
        }
    }
    devices.extend(book.own_device.clone());
    if devices.is_empty() {
        return format!("<p>{} No GPU was recorded.</p>\n", Badge::NotMeasured.html(""));
    }
    let mut out = String::from(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table cuda-device\"><thead><tr>\
         <th scope=\"col\">property</th>",
    );
    for device in &devices {
        let _ = write!(out, "<th scope=\"col\" class=\"cuda-num\">{}</th>", escape(&device.name));
    }
    out.push_str("</tr></thead><tbody>\n");
    row(&mut out, "compute capability", &devices, |d| Some(escape(&d.capability)));
    for (label, names) in ROWS {
        if devices.iter().any(|d| names.iter().all(|name| d.properties.contains_key(*name))) {
            row(&mut out, label, &devices, |d| value(d, names));
        }
    }
    row(&mut out, "driver", &devices, |d| Some(escape(&d.driver)));
    out.push_str("</tbody></table></div>\n");
    out
}

fn row(out: &mut String, label: &str, devices: &[Gpu], value: impl Fn(&Gpu) -> Option<String>) {
    let cell = |d: &Gpu| value(d).unwrap_or_else(|| "–".to_string());
    let cells: String =
        devices.iter().map(|d| format!("<td class=\"cuda-num\">{}</td>", cell(d))).collect();
    let _ = writeln!(out, "<tr><th scope=\"row\">{label}</th>{cells}</tr>");
}

fn value(device: &Gpu, names: &[&str]) -> Option<String> {
    let parts = names.iter().map(|name| Some(text(name, *device.properties.get(*name)?)));
    Some(parts.collect::<Option<Vec<String>>>()?.join(" × "))
}

/// A property in the unit that its name ends in.
fn text(name: &str, value: i64) -> String {
    let count = number::count(value.unsigned_abs());
    let yes = if value != 0 { "yes" } else { "no" };
    match name {
        "concurrent_kernels" | "memory_pools" | "ecc_enabled" => yes.to_string(),
        "memory_bytes" => number::bytes(value.unsigned_abs()),
        "l2_cache_bytes" => format!("{} MiB", number::significant(value as f64 / 1_048_576.0)),
        "memory_peak_mbps" => format!("{} GB/s", number::significant(value as f64 / 1e3)),
        _ if name.ends_with("_bytes") => format!("{count} B"),
        _ if name.ends_with("_khz") => {
            format!("{} MHz", number::count(value.unsigned_abs() / 1000))
        }
        _ if name.ends_with("_bits") => format!("{count} bits"),
        _ => count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn properties_carry_their_units() {
        for (name, value, wanted) in [
            ("clock_khz", 1_980_000, "1,980 MHz"),
            ("memory_bus_bits", 6144, "6,144 bits"),
            ("shared_per_sm_bytes", 233_472, "233,472 B"),
            ("l2_cache_bytes", 62_914_560, "60.0 MiB"),
            ("ecc_enabled", 1, "yes"),
            ("copy_engines", 3, "3"),
        ] {
            assert_eq!(text(name, value), wanted);
        }
    }

    #[test]
    fn the_readers_own_stands_beside_the_recorded_ones() {
        let mut book = BookFacts::default();
        assert!(table(&book).contains("not measured"));
        let recording = crate::tests::fixture::recording(&["1_a"]);
        book.recordings.push(("ch05".to_string(), recording));
        let own = BTreeMap::from([("warp_size".to_string(), 32)]);
        book.own_device = Some(Gpu {
            name: "yours: <X>".to_string(),
            capability: "8.6".to_string(),
            driver: String::new(),
            properties: own,
        });
        let page = table(&book);
        assert!(page.contains(">H200</th>") && page.contains("yours: &lt;X&gt;"), "{page}");
        let warp = page.lines().find(|line| line.contains("threads per warp")).unwrap();
        assert!(warp.contains(">–</td>") && warp.contains(">32</td>"), "{warp}");
        assert!(!page.contains("constant memory"), "nobody has it");
    }
}
