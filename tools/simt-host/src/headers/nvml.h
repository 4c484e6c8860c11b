// <nvml.h>: the management library. A device is asked for its name, its memory and its number; what only
// hardware has (temperatures, power, clocks, load) is not supported, as on devices without such sensors.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#define NVML_API_VERSION 13
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE 30
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80

typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_INSUFFICIENT_POWER = 8,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_IRQ_ISSUE = 11,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef struct nvmlDevice_st* nvmlDevice_t;
typedef enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED = 1 } nvmlEnableState_t;
typedef enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum {
    NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
    NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1
} nvmlTemperatureThresholds_t;
typedef enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct {
    char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
    unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

inline int& __nvml_users() {
    static int users = 0;
    return users;
}
inline int __nvml_count() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
// A handle is the device's number, and one, so that none is null.
inline nvmlReturn_t __nvml_device(nvmlDevice_t handle, int* device) {
    if (__nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
    *device = (int)(size_t)handle - 1;
    return *device >= 0 && *device < __nvml_count() ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
inline nvmlReturn_t __nvml_text(const char* text, char* to, unsigned int room) {
    if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (strlen(text) >= room) return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}
inline nvmlReturn_t __nvml_no_sensor(nvmlDevice_t handle, const void* to) {
    int device;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status != NVML_SUCCESS) return status;
    return to == nullptr ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_SUPPORTED;
}

inline nvmlReturn_t nvmlInit() {
    __nvml_users()++;
    return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlInitWithFlags(unsigned int) { return nvmlInit(); }
inline nvmlReturn_t nvmlShutdown() {
    if (__nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
    __nvml_users()--;
    return NVML_SUCCESS;
}
inline const char* nvmlErrorString(nvmlReturn_t status) {
    switch (status) {
        case NVML_SUCCESS: return "Success";
        case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
        case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
        case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
        case NVML_ERROR_NO_PERMISSION: return "Insufficient Permissions";
        case NVML_ERROR_NOT_FOUND: return "Not Found";
        case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
        case NVML_ERROR_DRIVER_NOT_LOADED: return "Driver Not Loaded";
        case NVML_ERROR_TIMEOUT: return "Timeout";
        default: return "Unknown Error";
    }
}
inline nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int room) {
    return __nvml_users() == 0 ? NVML_ERROR_UNINITIALIZED : __nvml_text("580.65.06", version, room);
}
inline nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int room) {
    return __nvml_users() == 0 ? NVML_ERROR_UNINITIALIZED : __nvml_text("13.580.65.06", version, room);
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
    if (__nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
    if (version == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    cudaDriverGetVersion(version);
    return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetCount(unsigned int* count) {
    if (__nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
    if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    *count = __nvml_count();
    return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* handle) {
    if (__nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
    if (handle == nullptr || index >= (unsigned int)__nvml_count()) return NVML_ERROR_INVALID_ARGUMENT;
    *handle = (nvmlDevice_t)(size_t)(index + 1);
    return NVML_SUCCESS;
}
// A domain has four digits, or eight as NVML writes it.
inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* id, nvmlDevice_t* handle) {
    if (__nvml_users() == 0) return NVML_ERROR_UNINITIALIZED;
    if (id == nullptr || handle == nullptr || strchr(id, ':') == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < __nvml_count(); i++) {
        char own[32];
        cudaDeviceGetPCIBusId(own, sizeof own, i);
        if (strcmp(strchr(own, ':'), strchr(id, ':')) == 0) return nvmlDeviceGetHandleByIndex(i, handle);
    }
    return NVML_ERROR_NOT_FOUND;
}
inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t handle, unsigned int* index) {
    int device;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status == NVML_SUCCESS) *index = device;
    return status;
}
inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t handle, char* name, unsigned int room) {
    int device;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status != NVML_SUCCESS) return status;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    return __nvml_text(properties.name, name, room);
}
inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t handle, char* uuid, unsigned int room) {
    int device;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status != NVML_SUCCESS) return status;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    char text[41] = "GPU-";
    for (int i = 0, at = 4; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text[at++] = '-';
        sprintf(text + at, "%02x", (unsigned char)properties.uuid.bytes[i]);
        at += 2;
    }
    return __nvml_text(text, uuid, room);
}
inline nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t handle, nvmlPciInfo_t* info) {
    int device;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status != NVML_SUCCESS) return status;
    if (info == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    *info = nvmlPciInfo_t();
    info->domain = properties.pciDomainID;
    info->bus = properties.pciBusID;
    info->device = properties.pciDeviceID;
    sprintf(info->busId, "%08X:%02X:%02X.0", info->domain, info->bus, info->device);
    sprintf(info->busIdLegacy, "%04X:%02X:%02X.0", info->domain, info->bus, info->device);
    return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t handle, nvmlMemory_t* memory) {
    int device, current;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status != NVML_SUCCESS) return status;
    if (memory == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    cudaGetDevice(&current);
    cudaSetDevice(device);
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    cudaSetDevice(current);
    memory->free = free;
    memory->total = total;
    memory->used = total - free;
    return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t handle, int* major, int* minor) {
    int device;
    nvmlReturn_t status = __nvml_device(handle, &device);
    if (status != NVML_SUCCESS) return status;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    *major = properties.major;
    *minor = properties.minor;
    return NVML_SUCCESS;
}

// What hardware alone has.
#define __NVML_NO_SENSOR(name, type)                                  \
    inline nvmlReturn_t name(nvmlDevice_t handle, type* to) {         \
        return __nvml_no_sensor(handle, to);                          \
    }
__NVML_NO_SENSOR(nvmlDeviceGetPowerUsage, unsigned int)
__NVML_NO_SENSOR(nvmlDeviceGetEnforcedPowerLimit, unsigned int)
__NVML_NO_SENSOR(nvmlDeviceGetPowerManagementLimit, unsigned int)
__NVML_NO_SENSOR(nvmlDeviceGetPowerManagementMode, nvmlEnableState_t)
__NVML_NO_SENSOR(nvmlDeviceGetTotalEnergyConsumption, unsigned long long)
__NVML_NO_SENSOR(nvmlDeviceGetUtilizationRates, nvmlUtilization_t)
__NVML_NO_SENSOR(nvmlDeviceGetFanSpeed, unsigned int)
__NVML_NO_SENSOR(nvmlDeviceGetSerial, char)
inline nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t handle, nvmlTemperatureSensors_t, unsigned int* to) {
    return __nvml_no_sensor(handle, to);
}
inline nvmlReturn_t nvmlDeviceGetTemperatureThreshold(
    nvmlDevice_t handle, nvmlTemperatureThresholds_t, unsigned int* to) {
    return __nvml_no_sensor(handle, to);
}
inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t handle, nvmlClockType_t, unsigned int* to) {
    return __nvml_no_sensor(handle, to);
}
inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t handle, nvmlClockType_t, unsigned int* to) {
    return __nvml_no_sensor(handle, to);
}
#define nvmlInit_v2 nvmlInit
#define nvmlDeviceGetCount_v2 nvmlDeviceGetCount
#define nvmlDeviceGetHandleByIndex_v2 nvmlDeviceGetHandleByIndex
#define nvmlDeviceGetHandleByPciBusId_v2 nvmlDeviceGetHandleByPciBusId
#define nvmlDeviceGetPciInfo_v3 nvmlDeviceGetPciInfo
