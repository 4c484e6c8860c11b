// <cuda/std/span>: elements that lie one after the other, and their number.
#ifndef __CUDA_SPAN_TEXT
#define __CUDA_SPAN_TEXT
namespace cuda {
namespace std {
constexpr size_t dynamic_extent = (size_t)-1;
template <typename T, size_t Extent = dynamic_extent> struct span {
    typedef T element_type;
    typedef T* pointer;
    typedef T& reference;
    typedef T* iterator;
    typedef size_t size_type;
    static constexpr size_t extent = Extent;
    T* __first;
    size_t __count;
    constexpr span() : __first(nullptr), __count(0) {}
    constexpr span(T* first, size_t count) : __first(first), __count(count) {}
    constexpr span(T* first, T* last) : __first(first), __count((size_t)(last - first)) {}
    template <size_t N> constexpr span(T (&all)[N]) : __first(all), __count(N) {}
    template <typename U, size_t N> constexpr span(const span<U, N>& other) : __first(other.__first), __count(other.__count) {}
    template <typename C, typename = decltype(((C*)nullptr)->data())> constexpr span(C& all) : __first(all.data()), __count(all.size()) {}
    constexpr T* data() const { return __first; }
    constexpr size_t size() const { return __count; }
    constexpr size_t size_bytes() const { return __count * sizeof(T); }
    constexpr bool empty() const { return __count == 0; }
    constexpr T& operator[](size_t i) const { return __first[i]; }
    constexpr T& front() const { return __first[0]; }
    constexpr T& back() const { return __first[__count - 1]; }
    constexpr T* begin() const { return __first; }
    constexpr T* end() const { return __first + __count; }
    constexpr span<T> first(size_t n) const { return span<T>(__first, n); }
    constexpr span<T> last(size_t n) const { return span<T>(__first + __count - n, n); }
    constexpr span<T> subspan(size_t from, size_t n = dynamic_extent) const {
        return span<T>(__first + from, n == dynamic_extent ? __count - from : n);
    }
};
template <typename T, size_t N> span(T (&)[N]) -> span<T, N>;
template <typename T> span(T*, size_t) -> span<T>;
template <typename T> span(T*, int) -> span<T>;
}
}
#endif
