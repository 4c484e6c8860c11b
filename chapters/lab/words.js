// The colours of CUDA C++, by words alone: the same rules as the listings', which are painted when
// the book is built (tools/mdbook-cuda/src/highlight.rs). `.ci/lab` holds the two together.

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
    ['comment', /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
    ['text', /R"\([^]*?(?:\)"|$)|"(?:\\[^\n]|[^"\\\n])*"?|'(?=[^\n]*')(?:\\[^\n]|[^'\\\n])*'?/y],
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

/** The painted pieces of `text` up to `end`: `[from, to, kind]`, in order. */
export function tokens(text, end = text.length) {
    const found = [];
    let at = 0;
    let lineStart = true;
    while (at < end) {
        let name = null;
        let to = at + 1;
        const rules = lineStart && text[at] === '#' ? [['directive', DIRECTIVE]] : RULES;
        for (const [rule, pattern] of rules) {
            pattern.lastIndex = at;
            if (pattern.test(text)) {
                [name, to] = [rule, pattern.lastIndex];
                break;
            }
        }
        const piece = text.slice(at, to);
        if (name === 'word') name = kind(piece);
        if (name && name !== 'space') found.push([at, to, name]);
        if (piece.trim() !== '') lineStart = false;
        if (piece.includes('\n')) lineStart = true;
        at = to;
    }
    return found;
}
