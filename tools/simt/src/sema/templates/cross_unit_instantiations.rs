//! Undefined references to templates: one translation unit uses an instance, and only another sees the
//! definition. A linker finds the instance if that unit uses it, too, or instantiates it explicitly.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::body::Body;
use crate::sema::symbols::symbol_table::{Declared, Instance};
use crate::sema::{Sema, Side};
use crate::syntax::ast::TranslationUnit;
use crate::syntax::name::Name;
use std::collections::{HashMap, HashSet};

/// Where an instance is needed.
struct Need {
    /// The use, and the definition of the template.
    at: Span,
    definition: Span,
    /// The functions that need it; `None` for the program itself.
    inside: Vec<Option<Instance>>,
}

/// The uses of templates so far.
#[derive(Default)]
pub(in crate::sema) struct CrossUnitInstantiations {
    needed: HashMap<Instance, Need>,
    /// Instances that a unit makes.
    made: HashSet<Instance>,
}

impl Sema<'_> {
    /// Notes the use of a function, if it is of a template.
    pub(in crate::sema) fn note_use_of_template(&mut self, instance: &Instance, at: Span) {
        if self.units.is_empty()
            || self.instances.unevaluated
            || self.cross_unit_instantiations.made.contains(instance)
        {
            return;
        }
        let Some((name, definition)) = self.template_defined(&self.definitions[instance.0]) else {
            return;
        };
        if at.is_built_in() || definition.is_built_in() || self.is_made(name, definition, at) {
            self.cross_unit_instantiations.made.insert(instance.clone());
            return;
        }
        let inside = self.instances.active.last().cloned();
        let needed = self.cross_unit_instantiations.needed.entry(instance.clone());
        let need = needed.or_insert_with(|| Need { at, definition, inside: Vec::new() });
        if !need.inside.contains(&inside) {
            need.inside.push(inside);
        }
    }

    /// The template that a function is an instance of, or whose class is one, and where its body is.
    fn template_defined(&self, declared: &Declared) -> Option<(Name, Span)> {
        // The pack of `int f(const char* format, ...)` makes no template of it.
        let own = usize::from(declared.ast.variadic.is_some());
        if declared.ast.template.len() > own && declared.ast.body.is_some() {
            return Some((declared.ast.name.last(), declared.ast.span));
        }
        let outside = self.out_of_class_definition(declared)?;
        let (class, template) = self.written_class(declared.owner?)?;
        (!template.is_empty()).then(|| (class.last(), outside.ast.span))
    }

    /// Whether the unit that uses a template, or another one, makes its instance.
    fn is_made(&self, name: Name, definition: Span, at: Span) -> bool {
        let sees = |unit: &&TranslationUnit| {
            unit.files.contains(&definition.file) || unit.repeated.contains(&name)
        };
        self.units
            .iter()
            .filter(sees)
            .any(|unit| unit.files.contains(&at.file) || unit.instantiated.contains(&name))
    }

    /// Reports the instances that the emitted functions need and no unit makes.
    pub(in crate::sema) fn check_used_across_units(&mut self, emitted: &HashSet<Instance>) {
        let CrossUnitInstantiations { needed, made } =
            std::mem::take(&mut self.cross_unit_instantiations);
        let is_needed = |of: &Need| {
            of.inside.iter().any(|inside| inside.as_ref().is_none_or(|of| emitted.contains(of)))
        };
        let missing = needed.into_iter().filter(|(of, need)| !made.contains(of) && is_needed(need));
        let mut missing: Vec<_> = missing.collect();
        missing.sort_by_key(|(_, need)| (need.at.file, need.at.start));
        let other = |side| if side == Side::Host { Side::Device } else { Side::Host };
        for ((id, arguments, side), need) in missing {
            if made.contains(&(id, arguments.clone(), other(side))) {
                continue;
            }
            let declared = self.definitions[id].clone();
            let name = match declared.owner {
                Some(owner) => {
                    self.types.get(owner).path.join(declared.ast.name.last()).to_string()
                }
                None => {
                    let arguments = Body::outside(self).spell_args(&arguments);
                    format!("{}<{arguments}>", declared.ast.name)
                }
            };
            let message = format!(
                "undefined reference to `{name}`: its template is defined in another file, which does not instantiate it"
            );
            let diagnostic = Diagnostic::error("undefined", need.at, message)
                .with_label(need.definition, "defined here")
                .with_help("put the definition into a header, or an explicit instantiation, `template ...<...>;`, behind it");
            self.report(diagnostic);
        }
    }
}
