// The colours of CUDA C++, by words alone: the same rules as the listings', which are painted when
// the book is built (tools/mdbook-cuda/src/highlight.rs). `.ci/run browser` compares the two.
//
// They go line by line, so that a key in a long text costs its line and not the text.

const set = (words) => new Set(words.trim().split(/\s+/));

const KEYWORDS = set(`alignas alignof asm auto break case class const const_cast constexpr continue
    default delete do else enum explicit extern false for friend goto if inline namespace new noexcept
    nullptr operator private protected public reinterpret_cast requires restrict return sizeof static
    static_assert static_cast struct switch template this true typedef typename union using virtual
    volatile while __restrict__ __volatile__`);

const TYPES = set(`bool char double float half int long short signed size_t unsigned void dim3
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t __half __half2 __nv_bfloat16
    int2 int3 int4 uint2 uint3 uint4 float2 float3 float4 double2 long2 longlong2 ulonglong2 char4 uchar4`);

const BUILTINS = set('threadIdx blockIdx blockDim gridDim warpSize');

const RULES = [
    ['comment', /\/\/[^]*|\/\*[^]*?(?:\*\/|$)/y],
    ['text', /R"\([^]*?(?:\)"|$)|"(?:\\[^]|[^"\\])*"?|'(?=[^]*')(?:\\[^]|[^'\\])*'?/y],
    ['number', /0[xX](?:[pP][+-]|[\p{ASCII_Hex_Digit}\w.'])*|\.?\d(?:[eEpP][+-]|[\w.'])*/uy],
    ['word', /[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*/uy],
    ['space', /\s+/y],
];
const DIRECTIVE = /#[ \t]*[A-Za-z0-9]*/y;

function kind(word) {
    if (KEYWORDS.has(word)) return 'keyword';
    if (TYPES.has(word)) return 'type';
    if (BUILTINS.has(word)) return 'builtin';
    if (word.startsWith('__') && word.endsWith('__')) return 'qualifier';
    return null;
}

/** A line that is longer is not painted: nobody reads it, and a key must not wait for it. */
const LONGEST = 20_000;

/** What goes on over the ends of lines, by the end of each. */
const ENDS = { comment: '*/', text: ')"' };

/**
 * The painted pieces of a line, `[from, to, kind]` in order, and the kind of what goes on in the next
 * one, or null. `open` is what the line before said of this one.
 */
export function pieces(line, open = null) {
    const found = [];
    if (line.length > LONGEST) return [found, open];
    let at = 0;
    if (open) {
        const end = line.indexOf(ENDS[open]);
        at = end < 0 ? line.length : end + 2;
        if (at > 0) found.push([0, at, open]);
        if (end < 0) return [found, open];
        open = null;
    }
    let first = true;
    while (at < line.length) {
        let name = null;
        let to = at + 1;
        const rules = first && line[at] === '#' ? [['directive', DIRECTIVE]] : RULES;
        for (const [rule, pattern] of rules) {
            pattern.lastIndex = at;
            if (pattern.test(line)) {
                [name, to] = [rule, pattern.lastIndex];
                break;
            }
        }
        const piece = line.slice(at, to);
        if (/^(\/\*|R"\()/.test(piece) && (piece.length < 4 || !piece.endsWith(ENDS[name]))) open = name;
        if (name === 'word') name = kind(piece);
        if (name && name !== 'space') found.push([at, to, name]);
        if (piece.trim() !== '') first = false;
        at = to;
    }
    return [found, open];
}
