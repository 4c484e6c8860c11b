// Each section is a program that ends with 0.
//# descriptions of texture objects
int main() {
    cudaArray_t array, again = nullptr;
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &channel, 8, 4);
    cudaResourceDesc resource = {}, found;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc texture = {}, how;
    texture.normalizedCoords = 1;
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &texture, nullptr);
    if (cudaGetTextureObjectResourceDesc(&found, object) == cudaSuccess) again = found.res.array.array;
    bool right = again == array && cudaGetTextureObjectTextureDesc(&how, object) == cudaSuccess && how.normalizedCoords == 1;
    cudaDestroyTextureObject(object);
    right = right && cudaGetTextureObjectResourceDesc(&found, object) != cudaSuccess;
    cudaGetLastError();
    cudaFreeArray(array);
    return right ? 0 : 1;
}
