//! Diagrams: figures that are drawn from data, one file of [`crate::view`] each.
//!
//! A warp is always 32 boxes, filled where a lane is active; a resource is always a bar against its
//! limit; each memory space and each verdict has one colour. What a diagram shows is also said in
//! words beside it.

use super::frames;
use super::html::slug;
use super::options::Options;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::Needs;
use std::fmt;

/// A diagram that a page asks for.
pub(crate) trait Diagram: fmt::Debug {
    /// What must be known before it is drawn.
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    /// What tells it from the other diagrams of a page.
    fn name(&self) -> String;

    /// The diagram, with an id that is unique on the page.
    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String>;
}

/// A diagram, drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The figure.
    pub(crate) html: String,
    /// What it shows, in a sentence of HTML; empty where the figure is text already.
    pub(crate) sentence: String,
}

impl Drawn {
    /// A figure without a sentence.
    pub(crate) fn figure(html: String) -> Drawn {
        Drawn { html, sentence: String::new() }
    }
}

/// How a diagram's options are read.
pub(crate) type Read = fn(&mut Options<'_>) -> Result<Box<dyn Diagram>, String>;

/// Values that one option may list: as many as fit a slider.
const VALUES: usize = 16;

/// A diagram as a directive.
#[derive(Debug)]
struct Single(Box<dyn Diagram>);

/// One diagram for several values of an option, each with its value.
#[derive(Debug)]
struct Frames {
    option: String,
    frames: Vec<(String, Box<dyn Diagram>)>,
}

/// Reads a diagram's directive. One option may list values, as `stride=8,1,2`: then there is one
/// frame per value.
pub(crate) fn parse(arguments: &Arguments<'_>, read: Read) -> Result<Box<dyn Directive>, String> {
    let words = arguments.words;
    let lists: Vec<(usize, (&str, &str))> = words
        .iter()
        .enumerate()
        .filter_map(|(i, word)| Some((i, word.split_once('=')?)))
        .filter(|(_, (_, values))| values.contains(','))
        .collect();
    let (at, option, values) = match lists.as_slice() {
        [] => return Ok(Box::new(Single(read_one(arguments, words, read)?))),
        [(at, (option, values))] => (*at, *option, values.split(',').collect::<Vec<_>>()),
        [_, (_, (second, _)), ..] => {
            return Err(format!("`{second}=` lists values too: one option at most may do so"));
        }
    };
    if values.len() > VALUES {
        return Err(format!("`{option}=` lists {} values: at most {VALUES}", values.len()));
    }
    let frame = |value: &&str| {
        let mut one = words.to_vec();
        one[at] = format!("{option}={value}");
        read_one(arguments, &one, read).map(|diagram| ((*value).to_string(), diagram))
    };
    let frames = values.iter().map(frame).collect::<Result<_, _>>()?;
    Ok(Box::new(Frames { option: option.to_string(), frames }))
}

fn read_one(
    arguments: &Arguments<'_>,
    words: &[String],
    read: Read,
) -> Result<Box<dyn Diagram>, String> {
    let mut options = Options::new(arguments, words);
    let diagram = read(&mut options)?;
    options.finish()?;
    Ok(diagram)
}

fn draw(diagram: &dyn Diagram, page: &Context<'_>) -> Result<Drawn, String> {
    diagram.draw(page, &slug(&format!("picture-{}", diagram.name())))
}

impl Directive for Single {
    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(draw(self.0.as_ref(), page)?.html)
    }
}

impl Directive for Frames {
    fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.frames.iter().for_each(|(_, diagram)| needs.add(diagram.needs()));
        needs
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let drawn = self
            .frames
            .iter()
            .map(|(value, diagram)| Ok((value.clone(), draw(diagram.as_ref(), page)?)));
        Ok(frames::html(&self.option, &drawn.collect::<Result<Vec<_>, String>>()?))
    }
}
