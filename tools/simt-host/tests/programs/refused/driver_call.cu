int main() { cuCtxSynchronize(); }
