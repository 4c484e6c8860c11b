//! A model of the machine as a timetable. There are three engines: one copies to the device, one
//! computes, one copies back. An engine does one thing at a time, in the order in which things were
//! issued to it; a stream does one thing at a time, in the order in which they were issued to *it*.
//! Each thing starts as soon as both allow.
//!
//! That is all. The model knows nothing of what launching costs, of two copies that get in each
//! other's way, or of two kernels that share the multiprocessors. Where the clock and the model
//! part, one of these is the reason.

/// Who does a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Copies from the host to the device.
    In,
    /// Runs kernels.
    Compute,
    /// Copies from the device to the host.
    Out,
}

/// The engines, in the order in which a piece meets them.
pub const STAGES: [Engine; 3] = [Engine::In, Engine::Compute, Engine::Out];

/// The order in which the host issues the work of all pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All three stages of a piece, then the next piece.
    DepthFirst,
    /// One stage of a group of pieces, one for each stream, then their next stage.
    BreadthFirst,
}

/// A stage of a piece: when it ran, where, in which stream. Microseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Which piece, from 0.
    pub piece: usize,
    /// Which stream, from 0.
    pub stream: usize,
    /// Which engine.
    pub engine: Engine,
    /// When it began.
    pub start: f64,
    /// When it ended.
    pub end: f64,
}

/// The (piece, stage) pairs in the order in which the host issues them. Piece `p` is in stream
/// `p % streams`.
pub fn issue_order(pieces: usize, streams: usize, order: Order) -> Vec<(usize, Engine)> {
    let group = match order {
        Order::DepthFirst => 1,
        Order::BreadthFirst => streams.max(1),
    };
    let mut issued = Vec::with_capacity(3 * pieces);
    for first in (0..pieces).step_by(group) {
        for engine in STAGES {
            issued.extend((first..pieces.min(first + group)).map(|piece| (piece, engine)));
        }
    }
    issued
}

/// The timetable of `pieces` equal pieces. `whole` is how long each stage takes for all of the data
/// at once, in microseconds: in, compute, out.
pub fn timetable(whole: [f64; 3], pieces: usize, streams: usize, order: Order) -> Vec<Span> {
    let streams = streams.max(1);
    let mut engine_free = [0.0_f64; 3];
    let mut stream_free = vec![0.0_f64; streams];
    issue_order(pieces, streams, order)
        .into_iter()
        .map(|(piece, engine)| {
            let stream = piece % streams;
            let stage = engine as usize;
            let start = engine_free[stage].max(stream_free[stream]);
            let end = start + whole[stage] / pieces as f64;
            engine_free[stage] = end;
            stream_free[stream] = end;
            Span { piece, stream, engine, start, end }
        })
        .collect()
}

/// When the last thing of a timetable ends; 0 for an empty one.
pub fn makespan(spans: &[Span]) -> f64 {
    spans.iter().map(|span| span.end).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EQUAL: [f64; 3] = [300.0, 300.0, 300.0];

    fn total(whole: [f64; 3], pieces: usize, streams: usize, order: Order) -> f64 {
        makespan(&timetable(whole, pieces, streams, order))
    }

    #[test]
    fn one_stream_overlaps_nothing() {
        for pieces in [1, 2, 10] {
            assert!((total(EQUAL, pieces, 1, Order::DepthFirst) - 900.0).abs() < 1e-9);
        }
        assert_eq!(total(EQUAL, 0, 1, Order::DepthFirst), 0.0);
    }

    #[test]
    fn enough_streams_leave_the_slowest_engine_and_one_piece_of_the_others() {
        // max + (sum - max) / pieces, whatever is slowest.
        for whole in [EQUAL, [500.0, 200.0, 100.0], [100.0, 800.0, 300.0], [1.0, 2.0, 900.0]] {
            let longest = whole.iter().copied().fold(0.0, f64::max);
            let rest: f64 = whole.iter().sum::<f64>() - longest;
            for pieces in [1, 4, 9] {
                let expected = longest + rest / pieces as f64;
                let got = total(whole, pieces, pieces, Order::DepthFirst);
                assert!((got - expected).abs() < 1e-9, "{whole:?} {pieces}: {got} {expected}");
            }
        }
    }

    #[test]
    fn the_third_stream_is_the_last_that_helps_when_the_stages_are_equal() {
        let by_streams: Vec<f64> =
            [1, 2, 3, 4, 8].map(|s| total(EQUAL, 24, s, Order::DepthFirst)).to_vec();
        assert!(by_streams[0] > by_streams[1] && by_streams[1] > by_streams[2], "{by_streams:?}");
        assert!((by_streams[2] - by_streams[4]).abs() < 1e-9, "{by_streams:?}");
    }

    #[test]
    fn streams_and_engines_keep_their_order_and_never_do_two_things() {
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let spans = timetable([300.0, 700.0, 200.0], 12, 4, order);
            assert_eq!(spans.len(), 36);
            for (at, span) in spans.iter().enumerate() {
                for later in &spans[at + 1..] {
                    if span.engine == later.engine || span.stream == later.stream {
                        assert!(span.end <= later.start + 1e-9, "{span:?} {later:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn depth_and_breadth_issue_the_same_work() {
        let mut depth = issue_order(7, 3, Order::DepthFirst);
        let mut breadth = issue_order(7, 3, Order::BreadthFirst);
        assert_ne!(depth, breadth);
        assert_eq!(depth[..3], [(0, Engine::In), (0, Engine::Compute), (0, Engine::Out)]);
        assert_eq!(breadth[..3], [(0, Engine::In), (1, Engine::In), (2, Engine::In)]);
        let key = |(piece, engine): &(usize, Engine)| (*piece, *engine as usize);
        depth.sort_by_key(key);
        breadth.sort_by_key(key);
        assert_eq!(depth, breadth);
    }
}
