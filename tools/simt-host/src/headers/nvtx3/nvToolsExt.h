// <nvtx3/nvToolsExt.h>: ranges and marks do nothing, since there is no profiler.
#pragma once
typedef unsigned long nvtxRangeId_t;
inline int nvtxRangePushA(const char* text) { return 0; }
inline int nvtxRangePush(const char* text) { return 0; }
inline int nvtxRangePop() { return 0; }
inline void nvtxMarkA(const char* text) {}
inline void nvtxMark(const char* text) {}
inline nvtxRangeId_t nvtxRangeStartA(const char* text) { return 0; }
inline void nvtxRangeEnd(nvtxRangeId_t range) {}
