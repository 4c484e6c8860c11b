// Tables by iostream: widths, fills, bases, precisions; stringstreams and operators.
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Vec3 {
    float x, y, z;
};
std::ostream& operator<<(std::ostream& os, const Vec3& v) { return os << '(' << v.x << ", " << v.y << ", " << v.z << ')'; }

template <typename T>
std::ostream& operator<<(std::ostream& os, const std::vector<T>& v) {
    os << '[';
    for (size_t i = 0; i < v.size(); ++i) os << (i ? ", " : "") << v[i];
    return os << ']';
}

__global__ void powers(double* out, int n) {
    int i = threadIdx.x;
    if (i < n) {
        double p = 1;
        for (int k = 0; k < i; ++k) p *= 2.5;
        out[i] = p;
    }
}

int main() {
    const int n = 8;
    double *d, h[n];
    cudaMalloc(&d, sizeof h);
    powers<<<1, 32>>>(d, n);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::cout << std::left << std::setw(6) << "power" << std::right << std::setw(12) << "fixed" << std::setw(14) << "scientific" << std::setw(10) << "general" << "\n";
    std::cout << std::string(42, '-') << "\n";
    for (int i = 0; i < n; ++i) {
        std::cout << std::left << std::setw(6) << i << std::right << std::setw(12) << std::fixed << std::setprecision(3) << h[i] << std::setw(14)
                  << std::scientific << std::setprecision(2) << h[i] << std::setw(10) << std::defaultfloat << std::setprecision(4) << h[i] << '\n';
    }
    std::cout << std::hex << std::uppercase << 48879 << ' ' << std::showbase << 255 << std::nouppercase << std::noshowbase << ' ' << 255 << std::dec << ' ' << std::oct << 8
              << std::dec << ' ' << std::setfill('*') << std::setw(8) << 42 << std::setfill(' ') << ' ' << std::boolalpha << (h[1] == 2.5) << std::noboolalpha << ' ' << true << ' '
              << std::showpos << 7 << std::noshowpos << std::endl;
    std::cout << Vec3{1, 2.5f, -3} << ' ' << std::vector<int>{1, 2, 3} << ' ' << std::vector<std::string>{"a", "bc"} << std::endl;
    std::ostringstream os;
    os << "block " << 3 << '/' << 4.5 << ' ' << 'c' << ' ' << static_cast<unsigned char>('u') << ' ' << 1e-10 << ' ' << 123456789.0 << ' ' << 0.1f;
    std::cout << os.str() << " (" << os.str().size() << ")" << std::endl;
    std::istringstream is("grid 16 2.5 last");
    std::string word, last;
    int number = 0;
    double real = 0;
    is >> word >> number >> real >> last;
    std::cout << word << '|' << number << '|' << real << '|' << last << '|' << is.eof() << std::endl;
    std::map<std::string, int> counts;
    std::istringstream text("to be or not to be that is the question");
    while (text >> word) ++counts[word];
    for (const auto& entry : counts) std::cout << entry.first << '=' << entry.second << ' ';
    std::cout << std::endl;
    bool ok = h[7] == 610.3515625 && number == 16 && real == 2.5 && counts["be"] == 2;
    std::cout << (ok ? "passed" : "FAILED") << std::endl;
    return ok ? 0 : 1;
}
