// cuda-samples' <helper_image.h>: comparison of arrays; images as PGM (grey) and PPM (colour).
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

template <typename T, typename S> inline bool compareData(const T* reference, const T* data, const unsigned int len, const S epsilon, const float threshold) {
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < len; ++i) {
        float difference = (float)reference[i] - (float)data[i];
        if (!(difference <= (float)epsilon && difference >= -(float)epsilon)) wrong++;
    }
    return threshold == 0.0f ? wrong == 0 : (float)len * threshold > (float)wrong;
}
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int len, const float epsilon) {
    float error = 0.0f, size = 0.0f;
    for (unsigned int i = 0; i < len; ++i) {
        float difference = reference[i] - data[i];
        error += difference * difference;
        size += reference[i] * reference[i];
    }
    float norm = sqrtf(size);
    if (fabs(size) < 1e-7) {
        fprintf(stderr, "ERROR, reference l2-norm is 0\n");
        return false;
    }
    return sqrtf(error) / norm < epsilon;
}
inline bool compareArray(const float* reference, const float* data, const unsigned int len) { return compareData(reference, data, len, 1.192092896e-07F, 0.0f); }

// An image's header: P5 (grey) or P6, width, height, 255; `#` begins a comment.
inline bool __loadPPM(const char* path, unsigned char** data, unsigned int* w, unsigned int* h, unsigned int* channels) {
    FILE* file = fopen(path, "rb");
    if (!file) return false;
    char line[256];
    unsigned int values[3], found = 0;
    bool good = fgets(line, 256, file) != nullptr && line[0] == 'P' && (line[1] == '5' || line[1] == '6');
    *channels = good && line[1] == '6' ? 3 : 1;
    while (good && found < 3) {
        good = fgets(line, 256, file) != nullptr;
        if (!good || line[0] == '#') continue;
        for (char* word = strtok(line, " \t\n\r"); word && found < 3; word = strtok(nullptr, " \t\n\r")) values[found++] = (unsigned int)atoi(word);
    }
    if (good) {
        *w = values[0];
        *h = values[1];
        size_t bytes = (size_t)*w * *h * *channels;
        if (!*data) *data = (unsigned char*)malloc(bytes);
        good = fread(*data, 1, bytes, file) == bytes;
    }
    fclose(file);
    return good;
}
inline bool __savePPM(const char* path, const unsigned char* data, unsigned int w, unsigned int h, unsigned int channels) {
    FILE* file = fopen(path, "wb");
    if (!file) return false;
    fprintf(file, "P%d\n%u\n%u\n255\n", channels == 1 ? 5 : 6, w, h);
    size_t bytes = (size_t)w * h * channels;
    bool good = fwrite(data, 1, bytes, file) == bytes;
    fclose(file);
    return good;
}
template <typename T> inline bool sdkLoadPGM(const char* path, T** data, unsigned int* w, unsigned int* h) {
    unsigned char* bytes = nullptr;
    unsigned int channels = 0;
    if (!__loadPPM(path, &bytes, w, h, &channels)) return false;
    size_t count = (size_t)*w * *h * channels;
    if (!*data) *data = (T*)malloc(count * sizeof(T));
    for (size_t i = 0; i < count; ++i) (*data)[i] = sizeof(T) == 1 ? (T)bytes[i] : (T)(bytes[i] / 255.0f);
    free(bytes);
    return true;
}
template <typename T> inline bool sdkSavePGM(const char* path, T* data, unsigned int w, unsigned int h) {
    size_t count = (size_t)w * h;
    unsigned char* bytes = (unsigned char*)malloc(count);
    for (size_t i = 0; i < count; ++i) bytes[i] = sizeof(T) == 1 ? (unsigned char)data[i] : (unsigned char)(data[i] * 255.0f);
    bool good = __savePPM(path, bytes, w, h, 1);
    free(bytes);
    return good;
}
// RGBA from the RGB of the file; the fourth byte is 0.
inline bool sdkLoadPPM4ub(const char* path, unsigned char** data, unsigned int* w, unsigned int* h) {
    unsigned char* bytes = nullptr;
    unsigned int channels = 0;
    if (!__loadPPM(path, &bytes, w, h, &channels) || channels != 3) return false;
    size_t count = (size_t)*w * *h;
    *data = (unsigned char*)malloc(4 * count);
    for (size_t i = 0; i < count; ++i) {
        for (int c = 0; c < 3; ++c) (*data)[4 * i + c] = bytes[3 * i + c];
        (*data)[4 * i + 3] = 0;
    }
    free(bytes);
    return true;
}
inline bool sdkSavePPM4ub(const char* path, unsigned char* data, unsigned int w, unsigned int h) {
    size_t count = (size_t)w * h;
    unsigned char* bytes = (unsigned char*)malloc(3 * count);
    for (size_t i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c) bytes[3 * i + c] = data[4 * i + c];
    bool good = __savePPM(path, bytes, w, h, 3);
    free(bytes);
    return good;
}

template <typename T, typename S> inline bool sdkWriteFile(const char* path, const T* data, unsigned int len, const S epsilon, bool verbose, bool append = false) {
    FILE* file = fopen(path, append ? "a" : "w");
    if (!file) return false;
    fprintf(file, "# %f\n", (double)epsilon);
    for (unsigned int i = 0; i < len; ++i) fprintf(file, "%g ", (double)data[i]);
    fprintf(file, "\n");
    fclose(file);
    return true;
}
// Parses all numbers of a text.
template <typename T> inline bool sdkReadFile(const char* path, T** data, unsigned int* len, bool verbose) {
    FILE* file = fopen(path, "r");
    if (!file) {
        if (verbose) printf("Unable to open input file: %s\n", path);
        return false;
    }
    unsigned int count = 0;
    float value;
    while (fscanf(file, "%f", &value) == 1) ++count;
    if (*data && *len != count) return false;
    if (!*data) {
        *data = (T*)malloc(count * sizeof(T));
        *len = count;
    }
    rewind(file);
    for (unsigned int i = 0; i < count; ++i) {
        fscanf(file, "%f", &value);
        (*data)[i] = (T)value;
    }
    fclose(file);
    return true;
}
