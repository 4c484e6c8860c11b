//! Which global objects a kernel may write, as far as its code says.
//!
//! A launch whose blocks run apart may have to be run again, and what it wrote be put back. Where
//! no store of the kernel leads, there is nothing to put back, and who reads there meets no writer:
//! nobody has to watch for races. A store leads to the object that its pointer is made from: an argument or a variable that
//! never changes, or what the code computes from that alone. Every other may lead anywhere.

use super::memory::OBJECT_SHIFT;
use super::plan::Known;
use super::program::{Program, Target};
use crate::isa::operands::{Role, visit};
use crate::isa::{Addr, Index, Inst};

/// For each of [`Program::objects`] whether the kernel may write it.
pub(super) fn written(program: &Program<'_>) -> Vec<bool> {
    let all = vec![true; program.objects.len()];
    let known = Known::new(program);
    let origins = origins(program, &known);
    let mut out = vec![false; program.objects.len()];
    for inst in &program.kernel.code {
        let (Inst::Store { addr, .. } | Inst::Atomic { addr, .. }) = inst else { continue };
        if !stays(addr) {
            return all;
        }
        let pointer = known.pointer(addr.base).map(|p| vec![p >> OBJECT_SHIFT]);
        let Some(objects) = pointer.or_else(|| origins[usize::from(addr.base)].clone()) else {
            return all;
        };
        for object in objects {
            if let Some(Target::Global(at, _) | Target::Heap(at, ..)) = program.target(object) {
                out[at as usize] = true;
            }
        }
    }
    out
}

/// For each register the objects to which pointers lead that are computed into it, from known ones
/// alone; `None` where it may hold others.
fn origins(program: &Program<'_>, known: &Known<'_>) -> Vec<Option<Vec<u64>>> {
    let mut out = vec![None; usize::from(program.kernel.registers) + 3];
    let mut other = vec![false; out.len()];
    for inst in &program.kernel.code {
        let from = match inst {
            Inst::Lea { addr, .. } if stays(addr) => known.pointer(addr.base),
            _ => None,
        };
        visit(&mut inst.clone(), &mut |reg, slots, role| {
            if role != Role::Write {
                return;
            }
            // A pair that begins before is written, too, and one that begins within.
            let at = usize::from(*reg);
            let end = at + usize::from(slots);
            match from {
                Some(pointer) => {
                    out[at].get_or_insert_with(Vec::new).push(pointer >> OBJECT_SHIFT);
                    other[at.saturating_sub(1)..at].fill(true);
                    other[at + 1..end].fill(true);
                }
                None => other[at.saturating_sub(1)..end].fill(true),
            }
        });
    }
    for (objects, _) in out.iter_mut().zip(other).filter(|(_, other)| *other) {
        *objects = None;
    }
    out
}

/// Whether an address is certainly in its base's part of the address space, inside the object or
/// not: 32 bits of steps that are not huge.
fn stays(addr: &Addr) -> bool {
    !matches!(addr.index, Index::I64(_)) && addr.scale <= 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Arg, Config, Launch, Memory};

    /// Of two arrays, which may be written.
    fn of(body: &str) -> Vec<bool> {
        let text = format!(
            "__global__ void f(int *a, int *b, int **c, long long k) {{ int i = threadIdx.x; {body} }}"
        );
        let module = crate::compile(crate::Sources::single("f.cu", &text)).unwrap();
        let mut memory = Memory::new();
        let arrays = ["a", "b", "c"].map(|name| memory.alloc(name, "int", 4, 256));
        let mut args = arrays.map(Arg::Buffer).to_vec();
        args.push(Arg::Value(vec![0; 8]));
        let launch = Launch {
            kernel: module.kernel("f").unwrap(),
            grid: 1.into(),
            block: 32.into(),
            dynamic_shared: 0,
            args: &args,
        };
        let program = Program::new(&module, &launch, &memory, &Config::default()).unwrap();
        written(&program)
    }

    #[test]
    fn a_store_leads_where_its_pointer_is_made_from() {
        assert_eq!(of("int x = a[i]; if (x == 77) __trap();"), [false; 3]);
        assert_eq!(of("b[i] = a[i];"), [false, true, false]);
        assert_eq!(
            of("__shared__ int s[32]; s[i] = a[i]; atomicAdd(&b[s[i]], 1);"),
            [false, true, false]
        );
        assert_eq!(of("int *p = b + i; *p = a[i];"), [false, true, false]);
    }

    #[test]
    fn a_store_through_another_pointer_leads_anywhere() {
        assert_eq!(of("*c[i] = 1;"), [true; 3]);
        assert_eq!(of("int *p = i < 16 ? a : b; p[i] = 1;"), [true; 3]);
        assert_eq!(of("for (int *p = a; p < a + 9; ++p) *p = 1;"), [true; 3]);
        assert_eq!(of("a[k] = 1;"), [true; 3]);
        assert_eq!(of("a = b; a[i] = 1;"), [true; 3]);
    }
}
