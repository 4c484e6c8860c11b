// <arpa/inet.h>, <endian.h>, <byteswap.h>: the order of bytes.
#pragma once
#include <stdint.h>

inline uint16_t __swap16(uint16_t x) { return (uint16_t)(x >> 8 | x << 8); }
inline uint32_t __swap32(uint32_t x) { return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24; }
inline uint64_t __swap64(uint64_t x) { return (uint64_t)__swap32((uint32_t)x) << 32 | __swap32((uint32_t)(x >> 32)); }
inline uint16_t htons(uint16_t x) { return __swap16(x); }
inline uint16_t ntohs(uint16_t x) { return __swap16(x); }
inline uint32_t htonl(uint32_t x) { return __swap32(x); }
inline uint32_t ntohl(uint32_t x) { return __swap32(x); }
#define bswap_16(x) __swap16(x)
#define bswap_32(x) __swap32(x)
#define bswap_64(x) __swap64(x)
#define htobe16(x) __swap16(x)
#define htobe32(x) __swap32(x)
#define htobe64(x) __swap64(x)
#define be16toh(x) __swap16(x)
#define be32toh(x) __swap32(x)
#define be64toh(x) __swap64(x)
#define htole16(x) ((uint16_t)(x))
#define htole32(x) ((uint32_t)(x))
#define htole64(x) ((uint64_t)(x))
#define le16toh(x) ((uint16_t)(x))
#define le32toh(x) ((uint32_t)(x))
#define le64toh(x) ((uint64_t)(x))
