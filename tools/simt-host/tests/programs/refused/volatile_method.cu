struct Sum {
    int n;
    __device__ int get() volatile { return n; }
};

int main() {}
