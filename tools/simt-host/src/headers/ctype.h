// <ctype.h>, in the "C" locale.
#pragma once

inline int isdigit(int c) { return c >= '0' && c <= '9'; }
inline int isupper(int c) { return c >= 'A' && c <= 'Z'; }
inline int islower(int c) { return c >= 'a' && c <= 'z'; }
inline int isalpha(int c) { return isupper(c) || islower(c); }
inline int isalnum(int c) { return isalpha(c) || isdigit(c); }
inline int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
inline int isblank(int c) { return c == ' ' || c == '\t'; }
inline int isprint(int c) { return c >= 32 && c < 127; }
inline int isgraph(int c) { return c > 32 && c < 127; }
inline int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
inline int ispunct(int c) { return isgraph(c) && !isalnum(c); }
inline int toupper(int c) { return islower(c) ? c - 32 : c; }
inline int tolower(int c) { return isupper(c) ? c + 32 : c; }
