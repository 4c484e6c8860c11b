// <cuda/std/complex>: complex numbers for the host and the device. A product and a quotient of infinite
// parts are those of Annex G of C: infinite, where the plain formula gives NaN.
#ifndef __COMPLEX_TEXT
#define __COMPLEX_TEXT
#define FN template <typename T> __host__ __device__ inline

namespace cuda {
namespace std {

template <typename T> struct complex {
    typedef T value_type;
    __host__ __device__ constexpr complex(const T& re = T(), const T& im = T()) : __re(re), __im(im) {}
    template <typename U> __host__ __device__ constexpr complex(const complex<U>& z) : __re((T)z.real()), __im((T)z.imag()) {}
    __host__ __device__ constexpr T real() const { return __re; }
    __host__ __device__ constexpr T imag() const { return __im; }
    __host__ __device__ void real(T re) { __re = re; }
    __host__ __device__ void imag(T im) { __im = im; }
    __host__ __device__ complex& operator=(const T& re) { __re = re; __im = T(); return *this; }
    __host__ __device__ complex& operator+=(const T& x) { __re += x; return *this; }
    __host__ __device__ complex& operator-=(const T& x) { __re -= x; return *this; }
    __host__ __device__ complex& operator*=(const T& x) { __re *= x; __im *= x; return *this; }
    __host__ __device__ complex& operator/=(const T& x) { __re /= x; __im /= x; return *this; }
    template <typename U> __host__ __device__ complex& operator+=(const complex<U>& z) { __re += z.real(); __im += z.imag(); return *this; }
    template <typename U> __host__ __device__ complex& operator-=(const complex<U>& z) { __re -= z.real(); __im -= z.imag(); return *this; }
    template <typename U> __host__ __device__ complex& operator*=(const complex<U>& z) { return *this = *this * complex(z.real(), z.imag()); }
    template <typename U> __host__ __device__ complex& operator/=(const complex<U>& z) { return *this = *this / complex(z.real(), z.imag()); }
private:
    T __re, __im;
};

FN constexpr T real(const complex<T>& z) { return z.real(); }
FN constexpr T imag(const complex<T>& z) { return z.imag(); }
FN T abs(const complex<T>& z) { return hypot(z.real(), z.imag()); }
FN T arg(const complex<T>& z) { return atan2(z.imag(), z.real()); }
FN T norm(const complex<T>& z) {
    if (isinf(z.real())) return fabs(z.real());
    if (isinf(z.imag())) return fabs(z.imag());
    return z.real() * z.real() + z.imag() * z.imag();
}
FN constexpr complex<T> conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }

// Annex G: an infinite part counts as 1, a finite one as 0, and a NaN as 0.
FN T __part(T x) { return (T)copysign(isinf(x) ? T(1) : T(0), x); }
FN T __number(T x) { return isnan(x) ? (T)copysign(T(0), x) : x; }
FN complex<T> __infinite_product(T a, T b, T c, T d) {
    const T infinity = T(1) / T(0);
    const bool of_first = isinf(a) || isinf(b), of_second = isinf(c) || isinf(d);
    const bool overflows = isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c);
    if (of_first) {
        a = __part(a); b = __part(b);
        c = __number(c); d = __number(d);
    }
    if (of_second) {
        c = __part(c); d = __part(d);
        a = __number(a); b = __number(b);
    }
    if (!of_first && !of_second && !overflows) return complex<T>(a * c - b * d, a * d + b * c);
    if (!of_first && !of_second) {
        a = __number(a); b = __number(b); c = __number(c); d = __number(d);
    }
    return complex<T>(infinity * (a * c - b * d), infinity * (a * d + b * c));
}

FN complex<T> operator+(const complex<T>& a) { return a; }
FN complex<T> operator-(const complex<T>& a) { return complex<T>(-a.real(), -a.imag()); }
FN complex<T> operator+(const complex<T>& a, const complex<T>& b) { return complex<T>(a.real() + b.real(), a.imag() + b.imag()); }
FN complex<T> operator+(const complex<T>& a, const T& b) { return complex<T>(a.real() + b, a.imag()); }
FN complex<T> operator+(const T& a, const complex<T>& b) { return complex<T>(a + b.real(), b.imag()); }
FN complex<T> operator-(const complex<T>& a, const complex<T>& b) { return complex<T>(a.real() - b.real(), a.imag() - b.imag()); }
FN complex<T> operator-(const complex<T>& a, const T& b) { return complex<T>(a.real() - b, a.imag()); }
FN complex<T> operator-(const T& a, const complex<T>& b) { return complex<T>(a - b.real(), -b.imag()); }
FN complex<T> operator*(const complex<T>& z, const complex<T>& w) {
    const T a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
    const T x = a * c - b * d, y = a * d + b * c;
    if (isnan(x) && isnan(y)) return __infinite_product(a, b, c, d);
    return complex<T>(x, y);
}
FN complex<T> operator*(const complex<T>& a, const T& b) { return complex<T>(a.real() * b, a.imag() * b); }
FN complex<T> operator*(const T& a, const complex<T>& b) { return complex<T>(a * b.real(), a * b.imag()); }
// The divisor is scaled by a power of two, so that its square neither overflows nor vanishes.
FN complex<T> operator/(const complex<T>& z, const complex<T>& w) {
    T a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
    const T infinity = T(1) / T(0);
    const T log = logb(fmax(fabs(c), fabs(d)));
    const int scale = isfinite(log) ? -(int)log : 0;
    if (isfinite(log)) {
        c = scalbn(c, scale);
        d = scalbn(d, scale);
    }
    const T size = c * c + d * d;
    const T x = scalbn((a * c + b * d) / size, scale), y = scalbn((b * c - a * d) / size, scale);
    if (!isnan(x) || !isnan(y)) return complex<T>(x, y);
    if (size == T(0) && (!isnan(a) || !isnan(b))) {
        const T over = (T)copysign(infinity, c);
        return complex<T>(over * a, over * b);
    }
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = __part(a); b = __part(b);
        return complex<T>(infinity * (a * c + b * d), infinity * (b * c - a * d));
    }
    if (isinf(log) && log > T(0) && isfinite(a) && isfinite(b)) {
        c = __part(c); d = __part(d);
        return complex<T>(T(0) * (a * c + b * d), T(0) * (b * c - a * d));
    }
    return complex<T>(x, y);
}
FN complex<T> operator/(const complex<T>& a, const T& b) { return complex<T>(a.real() / b, a.imag() / b); }
FN complex<T> operator/(const T& a, const complex<T>& b) { return complex<T>(a) / b; }
FN constexpr bool operator==(const complex<T>& a, const complex<T>& b) { return a.real() == b.real() && a.imag() == b.imag(); }
FN constexpr bool operator==(const complex<T>& a, const T& b) { return a.real() == b && a.imag() == T(0); }
FN constexpr bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }
FN constexpr bool operator!=(const complex<T>& a, const T& b) { return !(a == b); }

// Of finite arguments.
FN complex<T> polar(const T& size, const T& angle = T()) { return complex<T>(size * cos(angle), size * sin(angle)); }
FN complex<T> exp(const complex<T>& z) {
    if (z.imag() == T(0)) return complex<T>(::exp(z.real()), z.imag());
    const T size = ::exp(z.real());
    return complex<T>(size * cos(z.imag()), size * sin(z.imag()));
}
FN complex<T> log(const complex<T>& z) { return complex<T>(::log(abs(z)), arg(z)); }
FN complex<T> sqrt(const complex<T>& z) { return polar(::sqrt(abs(z)), arg(z) / T(2)); }
FN complex<T> pow(const complex<T>& z, const complex<T>& w) { return exp(w * log(z)); }
FN complex<T> pow(const complex<T>& z, const T& w) { return exp(w * log(z)); }

}
}
#undef FN
#endif
