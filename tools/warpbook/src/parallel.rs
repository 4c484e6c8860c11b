//! Independent pieces of work on all cores, reported in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does `work` on every item, on as many threads as there are cores. `report` hears of each result
/// in the items' order, as soon as those before it are there.
pub(crate) fn in_parallel<Item: Sync, Done: Send>(
    items: &[Item],
    work: impl Fn(&Item) -> Done + Sync,
    mut report: impl FnMut(usize, Done),
) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (work, next) = (&work, &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting: Vec<Option<Done>> = items.iter().map(|_| None).collect();
        let mut reported = 0;
        for (index, done) in results {
            waiting[index] = Some(done);
            while let Some(done) = waiting.get_mut(reported).and_then(Option::take) {
                report(reported, done);
                reported += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_work_takes() {
        let items: Vec<u64> = (0..20).collect();
        let mut seen = Vec::new();
        let work = |item: &u64| {
            std::thread::sleep(std::time::Duration::from_millis((20 - item) / 4));
            item * 2
        };
        in_parallel(&items, work, |index, double| seen.push((index as u64, double)));
        let expected: Vec<(u64, u64)> = items.iter().map(|item| (*item, item * 2)).collect();
        assert_eq!(seen, expected);
        in_parallel(&[], work, |_, _: u64| unreachable!("there is nothing to do"));
    }
}
