// cuda-samples' <exception.h>: exceptions with file and line.
#pragma once
#include <exception>
#include <iostream>
#include <stdexcept>
#include <stdlib.h>

template <typename Std_Exception> class Exception : public Std_Exception {
public:
    explicit Exception(const std::string& text) : Std_Exception(text) {}
    static void throw_it(const char* file, const int line, const char* detailed = "-") {
        throw Exception<Std_Exception>(std::string("Exception in file '") + file + "' in line " + std::to_string(line) + "\nDetailed description: " + detailed + "\n");
    }
};
template <typename Exception_Typ> inline void handleException(const Exception_Typ& ex) {
    std::cerr << ex.what() << std::endl;
    exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(msg) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, msg)
#define LOGIC_EXCEPTION(msg) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, msg)
#define RANGE_EXCEPTION(msg) Exception<std::range_error>::throw_it(__FILE__, __LINE__, msg)
