// A sparse matrix in three formats, an abstract interface over them, integers throughout.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Triplet {
    int row, col, value;
};

__global__ void csr_scalar(int rows, const int* ptr, const int* col, const int* val, const int* x, int* y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int sum = 0;
    for (int k = ptr[r]; k < ptr[r + 1]; ++k) sum += val[k] * x[col[k]];
    y[r] = sum;
}

__global__ void csr_vector(int rows, const int* ptr, const int* col, const int* val, const int* x, int* y) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (r >= rows) return;
    int sum = 0;
    for (int k = ptr[r] + lane; k < ptr[r + 1]; k += 32) sum += val[k] * x[col[k]];
    sum = __reduce_add_sync(0xffffffff, sum);
    if (lane == 0) y[r] = sum;
}

__global__ void ell(int rows, int width, const int* col, const int* val, const int* x, int* y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int sum = 0;
    for (int k = 0; k < width; ++k) {
        int c = col[k * rows + r];
        if (c >= 0) sum += val[k * rows + r] * x[c];
    }
    y[r] = sum;
}

class SparseMatrix {
public:
    virtual ~SparseMatrix() {
        for (void* p : owned) cudaFree(p);
    }
    virtual void multiply(const int* x, int* y) const = 0;
    virtual std::string name() const { return "matrix"; }

protected:
    int* upload(const std::vector<int>& host) {
        int* p = nullptr;
        cudaMalloc(&p, host.size() * sizeof(int));
        cudaMemcpy(p, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
        owned.push_back(p);
        return p;
    }
    std::vector<void*> owned;
};

class Csr : public SparseMatrix {
public:
    Csr(int rows, const std::vector<Triplet>& entries, bool warps) : rows_(rows), warps_(warps) {
        std::vector<int> p(rows + 1, 0), c, v;
        for (const auto& e : entries) p[e.row + 1]++;
        for (int r = 0; r < rows; ++r) p[r + 1] += p[r];
        for (const auto& e : entries) {
            c.push_back(e.col);
            v.push_back(e.value);
        }
        ptr = upload(p);
        col = upload(c);
        val = upload(v);
    }
    void multiply(const int* x, int* y) const override {
        if (warps_) csr_vector<<<(rows_ * 32 + 127) / 128, 128>>>(rows_, ptr, col, val, x, y);
        else csr_scalar<<<(rows_ + 127) / 128, 128>>>(rows_, ptr, col, val, x, y);
    }
    std::string name() const override { return warps_ ? "CSR, a warp a row" : "CSR, a thread a row"; }

private:
    int rows_;
    bool warps_;
    int *ptr, *col, *val;
};

class Ell : public SparseMatrix {
public:
    Ell(int rows, const std::vector<Triplet>& entries) : rows_(rows), width(0) {
        std::vector<int> count(rows, 0);
        for (const auto& e : entries) width = std::max(width, ++count[e.row]);
        std::vector<int> c(rows * width, -1), v(rows * width, 0);
        std::fill(count.begin(), count.end(), 0);
        for (const auto& e : entries) {
            int at = count[e.row]++ * rows + e.row;
            c[at] = e.col;
            v[at] = e.value;
        }
        col = upload(c);
        val = upload(v);
    }
    void multiply(const int* x, int* y) const override { ell<<<(rows_ + 127) / 128, 128>>>(rows_, width, col, val, x, y); }
    std::string name() const override { return "ELL, width " + std::to_string(width); }

private:
    int rows_, width;
    int *col, *val;
};

int main() {
    const int rows = 500, cols = 400;
    std::vector<Triplet> entries;
    unsigned s = 3;
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < r % 9; ++k) {
            s = s * 1664525u + 1013904223u;
            entries.push_back({r, (int)((s >> 8) % cols), (int)(s >> 28) - 8});
        }
    std::vector<int> x(cols), want(rows, 0);
    for (int i = 0; i < cols; ++i) x[i] = i % 13 - 6;
    for (const Triplet& e : entries) want[e.row] += e.value * x[e.col];

    int *d_x, *d_y;
    cudaMalloc(&d_x, cols * sizeof(int));
    cudaMalloc(&d_y, rows * sizeof(int));
    cudaMemcpy(d_x, x.data(), cols * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<std::unique_ptr<SparseMatrix>> formats;
    formats.push_back(std::unique_ptr<SparseMatrix>(new Csr(rows, entries, false)));
    formats.push_back(std::make_unique<Csr>(rows, entries, true));
    formats.emplace_back(new Ell(rows, entries));
    bool all = true;
    for (const auto& format : formats) {
        cudaMemset(d_y, 0xff, rows * sizeof(int));
        format->multiply(d_x, d_y);
        std::vector<int> y(rows);
        cudaMemcpy(y.data(), d_y, rows * sizeof(int), cudaMemcpyDeviceToHost);
        bool ok = y == want;
        std::printf("%-20s %s\n", format->name().c_str(), ok ? "ok" : "wrong");
        all &= ok;
    }
    cudaFree(d_x);
    cudaFree(d_y);
    std::printf(all ? "PASSED\n" : "FAILED\n");
    return all ? 0 : 1;
}
