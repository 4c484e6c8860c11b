//! The date, the commit and the processor of a recording.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Today in UTC: `2026-11-21`.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The commit: as git has it, with `-dirty` where files differ; where there is no git, as
/// WARPBOOK_COMMIT says, else `uncommitted`.
pub(super) fn commit(root: &Path) -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if let Ok(named) = std::env::var("WARPBOOK_COMMIT")
        && !named.is_empty()
    {
        return named;
    }
    match git(&["rev-parse", "--short=12", "HEAD"]) {
        Some(hash) if git(&["status", "--porcelain"]).as_deref() == Some("") => hash,
        Some(hash) => format!("{hash}-dirty"),
        None => "uncommitted".to_owned(),
    }
}

/// The host's processor as Linux names it; empty where it does not.
pub(super) fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model_name(&text).unwrap_or_default().to_owned()
}

/// The first `model name` of `/proc/cpuinfo`.
fn model_name(text: &str) -> Option<&str> {
    let named = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(named.trim_start_matches([' ', '\t', ':']).trim())
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    // Counted from March 1st of the year 0, so that leap days come last in their year.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_778), (2026, 11, 21));
    }

    #[test]
    fn a_processor_has_its_own_name() {
        let text =
            "processor\t: 0\nmodel name\t: AMD EPYC 9654 96-Core Processor\nmodel name\t: b\n";
        assert_eq!(model_name(text), Some("AMD EPYC 9654 96-Core Processor"));
        assert_eq!(model_name("processor\t: 0\n"), None);
    }

    #[test]
    fn outside_a_repository_nothing_is_made_up() {
        let dir = tempfile::tempdir().unwrap();
        if std::env::var_os("WARPBOOK_COMMIT").is_none() {
            assert_eq!(commit(dir.path()), "uncommitted");
        }
    }
}
