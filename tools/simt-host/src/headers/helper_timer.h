// cuda-samples' <helper_timer.h>: a stopwatch that adds up milliseconds.
#pragma once

class StopWatchInterface {
public:
    float total, latest;
    long long began;
    int sessions;
    bool running;
    StopWatchInterface() : total(0.0f), latest(0.0f), began(0), sessions(0), running(false) {}
    void start() {
        began = __host_now();
        running = true;
    }
    void stop() {
        latest = (float)((double)(__host_now() - began) * 1e-6);
        total += latest;
        sessions++;
        running = false;
    }
    void reset() {
        total = 0.0f;
        latest = 0.0f;
        sessions = 0;
        if (running) began = __host_now();
    }
    float getTime() { return running ? total + (float)((double)(__host_now() - began) * 1e-6) : total; }
    float getAverageTime() { return sessions > 0 ? total / (float)sessions : 0.0f; }
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
    *timer = new StopWatchInterface();
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
    if (*timer) (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
    if (*timer) (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
    if (*timer) (*timer)->reset();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getTime() : 0.0f; }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getAverageTime() : 0.0f; }
