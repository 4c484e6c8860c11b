//! What several views share: text, badges, listings, tables, charts and diagrams.
//!
//! A part imports facts and other parts, never a view.

// Text and numbers.
pub(crate) mod html;
pub(crate) mod number;
pub(crate) mod quantity;
pub(crate) mod words;

// Verdicts and problems.
pub(crate) mod badge;
pub(crate) mod problem;
pub(crate) mod verdicts;

// A kernel's figure.
pub(crate) mod counter_table;
pub(crate) mod excerpt;
pub(crate) mod fold;
pub(crate) mod heading;
pub(crate) mod highlight;
pub(crate) mod key_figures;
pub(crate) mod lab;
pub(crate) mod listing;
pub(crate) mod measurement;
pub(crate) mod quiz_item;
pub(crate) mod sweep;

// Drawings.
pub(crate) mod axis;
pub(crate) mod bar_chart;
pub(crate) mod block;
pub(crate) mod diagram;
pub(crate) mod frames;
pub(crate) mod ladder_panel;
pub(crate) mod lanes;
pub(crate) mod line_chart;
pub(crate) mod options;
pub(crate) mod svg;
pub(crate) mod warp;
