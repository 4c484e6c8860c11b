// <nvrtc.h>: a text is compiled while the program runs. What stands for PTX and machine code is the text itself.
#define __NVRTC_H__
#include <string.h>
typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;

inline const char* nvrtcGetErrorString(nvrtcResult result) {
    const char* text = (const char*)__host_driver_error_text(result, 2);
    return text ? text : "NVRTC_ERROR unknown";
}
inline nvrtcResult nvrtcVersion(int* major, int* minor) {
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    *count = 12;
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcGetSupportedArchs(int* to) {
    if (!to) return NVRTC_ERROR_INVALID_INPUT;
    const int all[12] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
    for (int i = 0; i < 12; i++) to[i] = all[i];
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* text, const char* name, int count, const char* const* headers, const char* const* names) {
    if (!program || count < 0) return NVRTC_ERROR_INVALID_INPUT;
    *program = (nvrtcProgram)__host_nvrtc_create((void*)text, (void*)name, count, (void*)headers, (void*)names);
    return *program ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}
inline nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    const nvrtcResult error = (nvrtcResult)__host_nvrtc_destroy(*program);
    *program = 0;
    return error;
}
inline nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) { return count < 0 ? NVRTC_ERROR_INVALID_INPUT : (nvrtcResult)__host_nvrtc_compile(program, count, (void*)options); }
inline nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) { return expression ? (nvrtcResult)__host_nvrtc_name(program, (void*)expression) : NVRTC_ERROR_INVALID_INPUT; }
inline nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
    if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
    if (!__host_nvrtc_text(program, 0, 0)) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    *name = (const char*)__host_nvrtc_text(program, 2, (void*)expression);
    return *name ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
// A text of a program: its log (0), its image (1), that for a chip (3).
inline nvrtcResult __nvrtc_size(nvrtcProgram program, int what, size_t* size) {
    const void* text = __host_nvrtc_text(program, what, 0);
    if (!size) return NVRTC_ERROR_INVALID_INPUT;
    if (!text) return NVRTC_ERROR_INVALID_PROGRAM;
    *size = __host_strlen((void*)text) + 1;
    return NVRTC_SUCCESS;
}
inline nvrtcResult __nvrtc_text(nvrtcProgram program, int what, char* to) {
    const void* text = __host_nvrtc_text(program, what, 0);
    if (!to) return NVRTC_ERROR_INVALID_INPUT;
    if (!text) return NVRTC_ERROR_INVALID_PROGRAM;
    __host_memmove(to, (void*)text, __host_strlen((void*)text) + 1);
    return NVRTC_SUCCESS;
}
inline nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) { return __nvrtc_size(program, 0, size); }
inline nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* to) { return __nvrtc_text(program, 0, to); }
inline nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) { return __nvrtc_size(program, 1, size); }
inline nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* to) { return __nvrtc_text(program, 1, to); }
// There is none for a virtual architecture.
inline nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
    const nvrtcResult error = __nvrtc_size(program, 1, size);
    if (error == NVRTC_SUCCESS && !__host_nvrtc_text(program, 3, 0)) *size = 0;
    return error;
}
inline nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* to) { return __nvrtc_text(program, 3, to); }
inline nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) {
    __host_refuse("an image for the linker (`nvrtcGetLTOIR`)");
    return NVRTC_ERROR_INVALID_PROGRAM;
}
inline nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
    __host_refuse("OptiX (`nvrtcGetOptiXIR`)");
    return NVRTC_ERROR_INVALID_PROGRAM;
}
