// cuda-samples' <helper_math.h>: arithmetic on the vector types.
#pragma once
#include <cuda_runtime.h>
#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define __V inline __host__ __device__
__V float lerp(float a, float b, float t) { return a + t * (b - a); }
__V float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
__V int clamp(int f, int a, int b) { return max(a, min(f, b)); }
__V uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }


// float2.
__V float2 make_float2(float s) { return make_float2(s, s); }
__V float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
__V float2 make_float2(int2 a) { return make_float2((float)a.x, (float)a.y); }
__V float2 make_float2(uint2 a) { return make_float2((float)a.x, (float)a.y); }
__V float2 operator-(const float2& a) { return make_float2(-a.x, -a.y); }
__V float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__V float2 operator+(float2 a, float b) { return make_float2(a.x + b, a.y + b); }
__V float2 operator+(float a, float2 b) { return make_float2(a + b.x, a + b.y); }
__V void operator+=(float2& a, float2 b) { a = a + b; }
__V void operator+=(float2& a, float b) { a = a + b; }
__V float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__V float2 operator-(float2 a, float b) { return make_float2(a.x - b, a.y - b); }
__V float2 operator-(float a, float2 b) { return make_float2(a - b.x, a - b.y); }
__V void operator-=(float2& a, float2 b) { a = a - b; }
__V void operator-=(float2& a, float b) { a = a - b; }
__V float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
__V float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
__V float2 operator*(float a, float2 b) { return make_float2(a * b.x, a * b.y); }
__V void operator*=(float2& a, float2 b) { a = a * b; }
__V void operator*=(float2& a, float b) { a = a * b; }
__V float2 operator/(float2 a, float2 b) { return make_float2(a.x / b.x, a.y / b.y); }
__V float2 operator/(float2 a, float b) { return make_float2(a.x / b, a.y / b); }
__V float2 operator/(float a, float2 b) { return make_float2(a / b.x, a / b.y); }
__V void operator/=(float2& a, float2 b) { a = a / b; }
__V void operator/=(float2& a, float b) { a = a / b; }
__V float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fminf(a.y, b.y)); }
__V float2 fmaxf(float2 a, float2 b) { return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }
__V float2 clamp(float2 v, float a, float b) { return make_float2(clamp(v.x, a, b), clamp(v.y, a, b)); }
__V float2 clamp(float2 v, float2 a, float2 b) { return make_float2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)); }
__V float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__V float2 lerp(float2 a, float2 b, float t) { return a + t * (b - a); }
__V float length(float2 v) { return sqrtf(dot(v, v)); }
__V float2 normalize(float2 v) {
    float invLen = rsqrtf(dot(v, v));
    return v * invLen;
}
__V float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
__V float2 fabs(float2 v) { return make_float2(fabs(v.x), fabs(v.y)); }
__V float2 fracf(float2 v) { return make_float2(v.x - floorf(v.x), v.y - floorf(v.y)); }
__V float2 fmodf(float2 a, float2 b) { return make_float2(fmodf(a.x, b.x), fmodf(a.y, b.y)); }
__V float2 reflect(float2 i, float2 n) { return i - 2.0f * n * dot(n, i); }
__V float2 smoothstep(float2 a, float2 b, float2 x) {
    float2 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (make_float2(3.0f) - make_float2(2.0f) * y);
}

// float3.
__V float3 make_float3(float s) { return make_float3(s, s, s); }
__V float3 make_float3(float2 a) { return make_float3(a.x, a.y, 0); }
__V float3 make_float3(float2 a, float s) { return make_float3(a.x, a.y, s); }
__V float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
__V float3 make_float3(int3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
__V float3 make_float3(uint3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
__V float3 operator-(const float3& a) { return make_float3(-a.x, -a.y, -a.z); }
__V float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__V float3 operator+(float3 a, float b) { return make_float3(a.x + b, a.y + b, a.z + b); }
__V float3 operator+(float a, float3 b) { return make_float3(a + b.x, a + b.y, a + b.z); }
__V void operator+=(float3& a, float3 b) { a = a + b; }
__V void operator+=(float3& a, float b) { a = a + b; }
__V float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__V float3 operator-(float3 a, float b) { return make_float3(a.x - b, a.y - b, a.z - b); }
__V float3 operator-(float a, float3 b) { return make_float3(a - b.x, a - b.y, a - b.z); }
__V void operator-=(float3& a, float3 b) { a = a - b; }
__V void operator-=(float3& a, float b) { a = a - b; }
__V float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
__V float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
__V float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }
__V void operator*=(float3& a, float3 b) { a = a * b; }
__V void operator*=(float3& a, float b) { a = a * b; }
__V float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
__V float3 operator/(float3 a, float b) { return make_float3(a.x / b, a.y / b, a.z / b); }
__V float3 operator/(float a, float3 b) { return make_float3(a / b.x, a / b.y, a / b.z); }
__V void operator/=(float3& a, float3 b) { a = a / b; }
__V void operator/=(float3& a, float b) { a = a / b; }
__V float3 fminf(float3 a, float3 b) { return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
__V float3 fmaxf(float3 a, float3 b) { return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
__V float3 clamp(float3 v, float a, float b) { return make_float3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)); }
__V float3 clamp(float3 v, float3 a, float3 b) { return make_float3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)); }
__V float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__V float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
__V float length(float3 v) { return sqrtf(dot(v, v)); }
__V float3 normalize(float3 v) {
    float invLen = rsqrtf(dot(v, v));
    return v * invLen;
}
__V float3 floorf(float3 v) { return make_float3(floorf(v.x), floorf(v.y), floorf(v.z)); }
__V float3 fabs(float3 v) { return make_float3(fabs(v.x), fabs(v.y), fabs(v.z)); }
__V float3 fracf(float3 v) { return make_float3(v.x - floorf(v.x), v.y - floorf(v.y), v.z - floorf(v.z)); }
__V float3 fmodf(float3 a, float3 b) { return make_float3(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z)); }
__V float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
__V float3 smoothstep(float3 a, float3 b, float3 x) {
    float3 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (make_float3(3.0f) - make_float3(2.0f) * y);
}

// float4.
__V float4 make_float4(float s) { return make_float4(s, s, s, s); }
__V float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0); }
__V float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
__V float4 make_float4(int4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
__V float4 make_float4(uint4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
__V float4 operator-(const float4& a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
__V float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__V float4 operator+(float4 a, float b) { return make_float4(a.x + b, a.y + b, a.z + b, a.w + b); }
__V float4 operator+(float a, float4 b) { return make_float4(a + b.x, a + b.y, a + b.z, a + b.w); }
__V void operator+=(float4& a, float4 b) { a = a + b; }
__V void operator+=(float4& a, float b) { a = a + b; }
__V float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__V float4 operator-(float4 a, float b) { return make_float4(a.x - b, a.y - b, a.z - b, a.w - b); }
__V float4 operator-(float a, float4 b) { return make_float4(a - b.x, a - b.y, a - b.z, a - b.w); }
__V void operator-=(float4& a, float4 b) { a = a - b; }
__V void operator-=(float4& a, float b) { a = a - b; }
__V float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__V float4 operator*(float4 a, float b) { return make_float4(a.x * b, a.y * b, a.z * b, a.w * b); }
__V float4 operator*(float a, float4 b) { return make_float4(a * b.x, a * b.y, a * b.z, a * b.w); }
__V void operator*=(float4& a, float4 b) { a = a * b; }
__V void operator*=(float4& a, float b) { a = a * b; }
__V float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
__V float4 operator/(float4 a, float b) { return make_float4(a.x / b, a.y / b, a.z / b, a.w / b); }
__V float4 operator/(float a, float4 b) { return make_float4(a / b.x, a / b.y, a / b.z, a / b.w); }
__V void operator/=(float4& a, float4 b) { a = a / b; }
__V void operator/=(float4& a, float b) { a = a / b; }
__V float4 fminf(float4 a, float4 b) { return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)); }
__V float4 fmaxf(float4 a, float4 b) { return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)); }
__V float4 clamp(float4 v, float a, float b) { return make_float4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)); }
__V float4 clamp(float4 v, float4 a, float4 b) { return make_float4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)); }
__V float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__V float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
__V float length(float4 v) { return sqrtf(dot(v, v)); }
__V float4 normalize(float4 v) {
    float invLen = rsqrtf(dot(v, v));
    return v * invLen;
}
__V float4 floorf(float4 v) { return make_float4(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w)); }
__V float4 fabs(float4 v) { return make_float4(fabs(v.x), fabs(v.y), fabs(v.z), fabs(v.w)); }
__V float4 fracf(float4 v) { return make_float4(v.x - floorf(v.x), v.y - floorf(v.y), v.z - floorf(v.z), v.w - floorf(v.w)); }
__V float4 fmodf(float4 a, float4 b) { return make_float4(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z), fmodf(a.w, b.w)); }
__V float4 reflect(float4 i, float4 n) { return i - 2.0f * n * dot(n, i); }
__V float4 smoothstep(float4 a, float4 b, float4 x) {
    float4 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (make_float4(3.0f) - make_float4(2.0f) * y);
}

// int2.
__V int2 make_int2(int s) { return make_int2(s, s); }
__V int2 make_int2(int3 a) { return make_int2(a.x, a.y); }
__V int2 make_int2(float2 a) { return make_int2((int)a.x, (int)a.y); }
__V int2 make_int2(uint2 a) { return make_int2((int)a.x, (int)a.y); }
__V int2 operator-(const int2& a) { return make_int2(-a.x, -a.y); }
__V int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, a.y + b.y); }
__V int2 operator+(int2 a, int b) { return make_int2(a.x + b, a.y + b); }
__V int2 operator+(int a, int2 b) { return make_int2(a + b.x, a + b.y); }
__V void operator+=(int2& a, int2 b) { a = a + b; }
__V void operator+=(int2& a, int b) { a = a + b; }
__V int2 operator-(int2 a, int2 b) { return make_int2(a.x - b.x, a.y - b.y); }
__V int2 operator-(int2 a, int b) { return make_int2(a.x - b, a.y - b); }
__V int2 operator-(int a, int2 b) { return make_int2(a - b.x, a - b.y); }
__V void operator-=(int2& a, int2 b) { a = a - b; }
__V void operator-=(int2& a, int b) { a = a - b; }
__V int2 operator*(int2 a, int2 b) { return make_int2(a.x * b.x, a.y * b.y); }
__V int2 operator*(int2 a, int b) { return make_int2(a.x * b, a.y * b); }
__V int2 operator*(int a, int2 b) { return make_int2(a * b.x, a * b.y); }
__V void operator*=(int2& a, int2 b) { a = a * b; }
__V void operator*=(int2& a, int b) { a = a * b; }
__V int2 min(int2 a, int2 b) { return make_int2(min(a.x, b.x), min(a.y, b.y)); }
__V int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }
__V int2 clamp(int2 v, int a, int b) { return make_int2(clamp(v.x, a, b), clamp(v.y, a, b)); }
__V int2 clamp(int2 v, int2 a, int2 b) { return make_int2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)); }
__V int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
__V int2 abs(int2 v) { return make_int2(abs(v.x), abs(v.y)); }

// int3.
__V int3 make_int3(int s) { return make_int3(s, s, s); }
__V int3 make_int3(int2 a) { return make_int3(a.x, a.y, 0); }
__V int3 make_int3(int2 a, int s) { return make_int3(a.x, a.y, s); }
__V int3 make_int3(int4 a) { return make_int3(a.x, a.y, a.z); }
__V int3 make_int3(float3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
__V int3 make_int3(uint3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
__V int3 operator-(const int3& a) { return make_int3(-a.x, -a.y, -a.z); }
__V int3 operator+(int3 a, int3 b) { return make_int3(a.x + b.x, a.y + b.y, a.z + b.z); }
__V int3 operator+(int3 a, int b) { return make_int3(a.x + b, a.y + b, a.z + b); }
__V int3 operator+(int a, int3 b) { return make_int3(a + b.x, a + b.y, a + b.z); }
__V void operator+=(int3& a, int3 b) { a = a + b; }
__V void operator+=(int3& a, int b) { a = a + b; }
__V int3 operator-(int3 a, int3 b) { return make_int3(a.x - b.x, a.y - b.y, a.z - b.z); }
__V int3 operator-(int3 a, int b) { return make_int3(a.x - b, a.y - b, a.z - b); }
__V int3 operator-(int a, int3 b) { return make_int3(a - b.x, a - b.y, a - b.z); }
__V void operator-=(int3& a, int3 b) { a = a - b; }
__V void operator-=(int3& a, int b) { a = a - b; }
__V int3 operator*(int3 a, int3 b) { return make_int3(a.x * b.x, a.y * b.y, a.z * b.z); }
__V int3 operator*(int3 a, int b) { return make_int3(a.x * b, a.y * b, a.z * b); }
__V int3 operator*(int a, int3 b) { return make_int3(a * b.x, a * b.y, a * b.z); }
__V void operator*=(int3& a, int3 b) { a = a * b; }
__V void operator*=(int3& a, int b) { a = a * b; }
__V int3 min(int3 a, int3 b) { return make_int3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
__V int3 max(int3 a, int3 b) { return make_int3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
__V int3 clamp(int3 v, int a, int b) { return make_int3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)); }
__V int3 clamp(int3 v, int3 a, int3 b) { return make_int3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)); }
__V int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__V int3 abs(int3 v) { return make_int3(abs(v.x), abs(v.y), abs(v.z)); }

// int4.
__V int4 make_int4(int s) { return make_int4(s, s, s, s); }
__V int4 make_int4(int3 a) { return make_int4(a.x, a.y, a.z, 0); }
__V int4 make_int4(int3 a, int w) { return make_int4(a.x, a.y, a.z, w); }
__V int4 make_int4(float4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
__V int4 make_int4(uint4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
__V int4 operator-(const int4& a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
__V int4 operator+(int4 a, int4 b) { return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__V int4 operator+(int4 a, int b) { return make_int4(a.x + b, a.y + b, a.z + b, a.w + b); }
__V int4 operator+(int a, int4 b) { return make_int4(a + b.x, a + b.y, a + b.z, a + b.w); }
__V void operator+=(int4& a, int4 b) { a = a + b; }
__V void operator+=(int4& a, int b) { a = a + b; }
__V int4 operator-(int4 a, int4 b) { return make_int4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__V int4 operator-(int4 a, int b) { return make_int4(a.x - b, a.y - b, a.z - b, a.w - b); }
__V int4 operator-(int a, int4 b) { return make_int4(a - b.x, a - b.y, a - b.z, a - b.w); }
__V void operator-=(int4& a, int4 b) { a = a - b; }
__V void operator-=(int4& a, int b) { a = a - b; }
__V int4 operator*(int4 a, int4 b) { return make_int4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__V int4 operator*(int4 a, int b) { return make_int4(a.x * b, a.y * b, a.z * b, a.w * b); }
__V int4 operator*(int a, int4 b) { return make_int4(a * b.x, a * b.y, a * b.z, a * b.w); }
__V void operator*=(int4& a, int4 b) { a = a * b; }
__V void operator*=(int4& a, int b) { a = a * b; }
__V int4 min(int4 a, int4 b) { return make_int4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
__V int4 max(int4 a, int4 b) { return make_int4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
__V int4 clamp(int4 v, int a, int b) { return make_int4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)); }
__V int4 clamp(int4 v, int4 a, int4 b) { return make_int4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)); }
__V int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__V int4 abs(int4 v) { return make_int4(abs(v.x), abs(v.y), abs(v.z), abs(v.w)); }

// uint2.
__V uint2 make_uint2(uint s) { return make_uint2(s, s); }
__V uint2 make_uint2(uint3 a) { return make_uint2(a.x, a.y); }
__V uint2 make_uint2(int2 a) { return make_uint2((uint)a.x, (uint)a.y); }
__V uint2 operator+(uint2 a, uint2 b) { return make_uint2(a.x + b.x, a.y + b.y); }
__V uint2 operator+(uint2 a, uint b) { return make_uint2(a.x + b, a.y + b); }
__V uint2 operator+(uint a, uint2 b) { return make_uint2(a + b.x, a + b.y); }
__V void operator+=(uint2& a, uint2 b) { a = a + b; }
__V void operator+=(uint2& a, uint b) { a = a + b; }
__V uint2 operator-(uint2 a, uint2 b) { return make_uint2(a.x - b.x, a.y - b.y); }
__V uint2 operator-(uint2 a, uint b) { return make_uint2(a.x - b, a.y - b); }
__V uint2 operator-(uint a, uint2 b) { return make_uint2(a - b.x, a - b.y); }
__V void operator-=(uint2& a, uint2 b) { a = a - b; }
__V void operator-=(uint2& a, uint b) { a = a - b; }
__V uint2 operator*(uint2 a, uint2 b) { return make_uint2(a.x * b.x, a.y * b.y); }
__V uint2 operator*(uint2 a, uint b) { return make_uint2(a.x * b, a.y * b); }
__V uint2 operator*(uint a, uint2 b) { return make_uint2(a * b.x, a * b.y); }
__V void operator*=(uint2& a, uint2 b) { a = a * b; }
__V void operator*=(uint2& a, uint b) { a = a * b; }
__V uint2 min(uint2 a, uint2 b) { return make_uint2(min(a.x, b.x), min(a.y, b.y)); }
__V uint2 max(uint2 a, uint2 b) { return make_uint2(max(a.x, b.x), max(a.y, b.y)); }
__V uint2 clamp(uint2 v, uint a, uint b) { return make_uint2(clamp(v.x, a, b), clamp(v.y, a, b)); }
__V uint2 clamp(uint2 v, uint2 a, uint2 b) { return make_uint2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)); }
__V uint dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }

// uint3.
__V uint3 make_uint3(uint s) { return make_uint3(s, s, s); }
__V uint3 make_uint3(uint2 a) { return make_uint3(a.x, a.y, 0); }
__V uint3 make_uint3(uint2 a, uint s) { return make_uint3(a.x, a.y, s); }
__V uint3 make_uint3(uint4 a) { return make_uint3(a.x, a.y, a.z); }
__V uint3 make_uint3(int3 a) { return make_uint3((uint)a.x, (uint)a.y, (uint)a.z); }
__V uint3 operator+(uint3 a, uint3 b) { return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z); }
__V uint3 operator+(uint3 a, uint b) { return make_uint3(a.x + b, a.y + b, a.z + b); }
__V uint3 operator+(uint a, uint3 b) { return make_uint3(a + b.x, a + b.y, a + b.z); }
__V void operator+=(uint3& a, uint3 b) { a = a + b; }
__V void operator+=(uint3& a, uint b) { a = a + b; }
__V uint3 operator-(uint3 a, uint3 b) { return make_uint3(a.x - b.x, a.y - b.y, a.z - b.z); }
__V uint3 operator-(uint3 a, uint b) { return make_uint3(a.x - b, a.y - b, a.z - b); }
__V uint3 operator-(uint a, uint3 b) { return make_uint3(a - b.x, a - b.y, a - b.z); }
__V void operator-=(uint3& a, uint3 b) { a = a - b; }
__V void operator-=(uint3& a, uint b) { a = a - b; }
__V uint3 operator*(uint3 a, uint3 b) { return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z); }
__V uint3 operator*(uint3 a, uint b) { return make_uint3(a.x * b, a.y * b, a.z * b); }
__V uint3 operator*(uint a, uint3 b) { return make_uint3(a * b.x, a * b.y, a * b.z); }
__V void operator*=(uint3& a, uint3 b) { a = a * b; }
__V void operator*=(uint3& a, uint b) { a = a * b; }
__V uint3 min(uint3 a, uint3 b) { return make_uint3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
__V uint3 max(uint3 a, uint3 b) { return make_uint3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
__V uint3 clamp(uint3 v, uint a, uint b) { return make_uint3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)); }
__V uint3 clamp(uint3 v, uint3 a, uint3 b) { return make_uint3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)); }
__V uint dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// uint4.
__V uint4 make_uint4(uint s) { return make_uint4(s, s, s, s); }
__V uint4 make_uint4(uint3 a) { return make_uint4(a.x, a.y, a.z, 0); }
__V uint4 make_uint4(uint3 a, uint w) { return make_uint4(a.x, a.y, a.z, w); }
__V uint4 make_uint4(int4 a) { return make_uint4((uint)a.x, (uint)a.y, (uint)a.z, (uint)a.w); }
__V uint4 operator+(uint4 a, uint4 b) { return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__V uint4 operator+(uint4 a, uint b) { return make_uint4(a.x + b, a.y + b, a.z + b, a.w + b); }
__V uint4 operator+(uint a, uint4 b) { return make_uint4(a + b.x, a + b.y, a + b.z, a + b.w); }
__V void operator+=(uint4& a, uint4 b) { a = a + b; }
__V void operator+=(uint4& a, uint b) { a = a + b; }
__V uint4 operator-(uint4 a, uint4 b) { return make_uint4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__V uint4 operator-(uint4 a, uint b) { return make_uint4(a.x - b, a.y - b, a.z - b, a.w - b); }
__V uint4 operator-(uint a, uint4 b) { return make_uint4(a - b.x, a - b.y, a - b.z, a - b.w); }
__V void operator-=(uint4& a, uint4 b) { a = a - b; }
__V void operator-=(uint4& a, uint b) { a = a - b; }
__V uint4 operator*(uint4 a, uint4 b) { return make_uint4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__V uint4 operator*(uint4 a, uint b) { return make_uint4(a.x * b, a.y * b, a.z * b, a.w * b); }
__V uint4 operator*(uint a, uint4 b) { return make_uint4(a * b.x, a * b.y, a * b.z, a * b.w); }
__V void operator*=(uint4& a, uint4 b) { a = a * b; }
__V void operator*=(uint4& a, uint b) { a = a * b; }
__V uint4 min(uint4 a, uint4 b) { return make_uint4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
__V uint4 max(uint4 a, uint4 b) { return make_uint4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
__V uint4 clamp(uint4 v, uint a, uint b) { return make_uint4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)); }
__V uint4 clamp(uint4 v, uint4 a, uint4 b) { return make_uint4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)); }
__V uint dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__V float fracf(float v) { return v - floorf(v); }
__V float smoothstep(float a, float b, float x) {
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
__V float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
#undef __V
