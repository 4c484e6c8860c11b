//! What is generated from the rows of the instruction table: the enum, its operands, its text, its checks.

/// Generates everything from the rows. A row has the form
///
/// ```text
/// /// Documentation.
/// Name { field: type, ... }: Category
///     uses [register: width, ...]      registers that it reads, in order
///     defines [register: width, ...]   registers that it writes
///     address field                    its `Addr`
///     members field                    the register of its member mask
///     label field                      the instruction that it refers to
///     index field in Table             the entry of a table that it refers to
///     requires (condition, "complaint")
///     text ("mnemonic r{d}, r{a}");
/// ```
///
/// Clauses that do not apply are left out. Expressions see the fields by name: those of `uses` and
/// `defines` as references, the others as values.
macro_rules! instructions {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $type:ty),+ })?: $category:ident
            $(uses [$($use:ident: $use_width:expr),+])?
            $(defines [$($define:ident: $define_width:expr),+])?
            $(address $address:ident)?
            $(members $members:ident)?
            $(label $label:ident)?
            $(index $index:ident in $table:ident)?
            $(requires ($condition:expr, $($complaint:tt)+))?
            text ($($text:tt)+);
    )+) => {
        /// What a warp does in one step, in its active lanes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "fields are named alike throughout: d result, a b c operands")]
        pub enum Inst {
            $($(#[$doc])* $name $({ $($field: $type),+ })?,)+
        }

        #[allow(unused_variables, reason = "a clause names some of the fields")]
        impl Inst {
            /// What sort of instruction it is.
            pub fn category(&self) -> Category {
                match self {
                    $(Inst::$name $({ $($field: _),+ })? => Category::$category,)+
                }
            }

            /// Calls `f` for each register operand, and lets it change the register: those that the
            /// instruction uses, those that it defines, those of its address.
            pub fn visit_operands(&mut self, f: &mut dyn FnMut(&mut Reg, Width, Role)) {
                match self {
                    $(Inst::$name $({ $($field),+ })? => {
                        $($($use.visit($use_width, Role::Read, f);)+)?
                        $($($define.visit($define_width, Role::Write, f);)+)?
                        $($address.visit_registers(f);)?
                    })+
                }
            }

            /// The address of a load, a store, an atomic or a `Lea`.
            pub fn address(&self) -> Option<Addr> {
                match *self {
                    $($(Inst::$name { $address, .. } => Some($address),)?)+
                    _ => None,
                }
            }

            /// The register of the member mask, where the instruction is a warp collective.
            pub fn member_mask(&self) -> Option<Reg> {
                match *self {
                    $($(Inst::$name { $members, .. } => Some($members),)?)+
                    _ => None,
                }
            }

            /// The instruction that this one refers to: where a jump leads, or where lanes
            /// reconverge.
            pub fn label(&self) -> Option<Pc> {
                let mut copy = *self;
                copy.label_mut().copied()
            }

            /// The same, to change it.
            pub fn label_mut(&mut self) -> Option<&mut Pc> {
                match self {
                    $($(Inst::$name { $label, .. } => Some($label),)?)+
                    _ => None,
                }
            }

            /// The entry of a table that the instruction refers to.
            pub(crate) fn table_index(&self) -> Option<(Table, u16)> {
                match *self {
                    $($(Inst::$name { $index, .. } => Some((Table::$table, $index)),)?)+
                    _ => None,
                }
            }

            /// Whether its fields go together. Whether what it refers to exists is not asked here.
            pub(crate) fn check_fields(&self) -> Result<(), String> {
                match *self {
                    $(Inst::$name $({ $($field),+ })? => {
                        $(if !$condition {
                            return Err(format!($($complaint)+));
                        })?
                    })+
                }
                Ok(())
            }
        }

        #[allow(unused_variables, reason = "a text names most of the fields")]
        impl Display for Inst {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Inst::$name $({ $($field),+ })? => write!(f, $($text)+),)+
                }
            }
        }
    };
}
pub(super) use instructions;
