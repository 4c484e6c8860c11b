// A class that owns device memory: moved, not copied; errors are exceptions.
#include <cstddef>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t code, const std::string& where)
        : std::runtime_error(where + ": " + cudaGetErrorString(code)), code_(code) {}
    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

inline void check(cudaError_t code, const char* where) {
    if (code != cudaSuccess) throw CudaError(code, where);
}

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t size) : size_(size) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMalloc");
        ++alive;
    }
    explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) {
        check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "upload");
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    DeviceBuffer(DeviceBuffer&& other) noexcept : data_(other.data_), size_(other.size_) {
        other.data_ = nullptr;
        other.size_ = 0;
    }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceBuffer() {
        if (data_) {
            cudaFree(data_);
            --alive;
        }
    }
    T* get() { return data_; }
    const T* get() const { return data_; }
    std::size_t size() const { return size_; }
    std::vector<T> download() const {
        std::vector<T> host(size_);
        check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
        return host;
    }
    static int alive;

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};
template <typename T>
int DeviceBuffer<T>::alive = 0;

template <typename T>
__global__ void square(const T* in, T* out, std::size_t n) {
    std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

template <typename T>
DeviceBuffer<T> squared(const DeviceBuffer<T>& in) {
    DeviceBuffer<T> out(in.size());
    const unsigned threads = 128;
    const unsigned blocks = static_cast<unsigned>((in.size() + threads - 1) / threads);
    square<T><<<blocks, threads>>>(in.get(), out.get(), in.size());
    check(cudaGetLastError(), "launch");
    return out;
}

int main() {
    bool ok = true;
    try {
        std::vector<double> values(1000);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 * i;
        DeviceBuffer<double> a(values);
        DeviceBuffer<double> b = squared(a);
        DeviceBuffer<double> c = squared(b);
        b = std::move(c);
        std::vector<double> result = b.download();
        for (std::size_t i = 0; i < values.size(); ++i) {
            double v = values[i];
            ok = ok && result[i] == v * v * (v * v);
        }
        std::cout << "buffers alive: " << DeviceBuffer<double>::alive << '\n';
    } catch (const std::exception& e) {
        std::cerr << e.what() << '\n';
        return 2;
    }
    std::cout << "buffers alive: " << DeviceBuffer<double>::alive << '\n';
    ok = ok && DeviceBuffer<double>::alive == 0;

    try {
        check(cudaMemcpy(nullptr, nullptr, 4, static_cast<cudaMemcpyKind>(17)), "bad copy");
        ok = false;
    } catch (const CudaError& e) {
        std::cout << "caught: " << e.what() << " (" << cudaGetErrorName(e.code()) << ")\n";
        cudaGetLastError();
    }
    std::cout << (ok ? "passed" : "failed") << std::endl;
    return ok ? 0 : 1;
}
