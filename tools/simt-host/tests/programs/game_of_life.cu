// Life on a torus, printed.
#include <iostream>
#include <string>
#include <vector>

__global__ void generation(const unsigned char* now, unsigned char* next, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) neighbours += now[(y + dy + h) % h * w + (x + dx + w) % w];
    next[y * w + x] = neighbours == 3 || (neighbours == 2 && now[y * w + x]);
}

class Life {
public:
    Life(int width, int height) : w(width), h(height), cells(width * height, 0) {}
    void set(int x, int y) { cells[y * w + x] = 1; }
    void run(int generations) {
        unsigned char *a, *b;
        cudaMalloc(&a, cells.size());
        cudaMalloc(&b, cells.size());
        cudaMemcpy(a, &cells[0], cells.size(), cudaMemcpyHostToDevice);
        dim3 block(8, 8);
        dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
        while (generations-- > 0) {
            generation<<<grid, block>>>(a, b, w, h);
            unsigned char* t = a;
            a = b;
            b = t;
        }
        cudaMemcpy(&cells[0], a, cells.size(), cudaMemcpyDeviceToHost);
        cudaFree(a);
        cudaFree(b);
    }
    int alive() const {
        int n = 0;
        for (auto c : cells) n += c;
        return n;
    }
    void print() const {
        for (int y = 0; y < h; ++y) {
            std::string line;
            for (int x = 0; x < w; ++x) line += cells[y * w + x] ? '#' : '.';
            std::cout << line << "\n";
        }
    }
    bool at(int x, int y) const { return cells[y * w + x] != 0; }

private:
    int w, h;
    std::vector<unsigned char> cells;
};

int main() {
    Life life(20, 12);
    // A glider and a blinker.
    life.set(1, 0);
    life.set(2, 1);
    life.set(0, 2);
    life.set(1, 2);
    life.set(2, 2);
    life.set(14, 5);
    life.set(15, 5);
    life.set(16, 5);
    life.run(13);
    life.print();
    std::cout << "alive: " << life.alive() << std::endl;
    bool ok = life.alive() == 8 && life.at(15, 4) && life.at(15, 6);
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    return ok ? 0 : 1;
}
