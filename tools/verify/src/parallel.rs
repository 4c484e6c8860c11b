//! Independent pieces of work on all cores, reported in order.
//!
//! Not `rayon`: its parallel iterators hand results over either unordered or all at the end, and a
//! command prints each result as soon as those before it are there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does `work` on every item, on as many threads as there are cores. `report` gets each result in
/// the items' order, as soon as those before it are there.
pub fn for_each_in_order<Item: Sync, Done: Send>(
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

/// The results of `work` on every item, in the items' order.
pub fn map<Item: Sync, Done: Send>(
    items: &[Item],
    work: impl Fn(&Item) -> Done + Sync,
) -> Vec<Done> {
    let mut results = Vec::with_capacity(items.len());
    for_each_in_order(items, work, |_, done| results.push(done));
    results
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
        for_each_in_order(&items, work, |index, double| seen.push((index as u64, double)));
        let expected: Vec<(u64, u64)> = items.iter().map(|item| (*item, item * 2)).collect();
        assert_eq!(seen, expected);
        assert_eq!(map(&items, work), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        for_each_in_order(&[], work, |_, _: u64| unreachable!("there is nothing to do"));
    }
}
