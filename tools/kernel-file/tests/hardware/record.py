#!/usr/bin/env python3
"""Records the micro-kernels on a GPU: what the arrays hold afterwards, and what Nsight Compute counts.

    python3 tools/kernel-file/tests/hardware/record.py --out tools/kernel-file/tests/hardware/micro.json

`micro/*.cu` hold the kernels, one family a file, and `micro/*.json` their launches. Each family is
launched plainly, for the arrays, and then under the profiler, every launch twice, for the counters
and for how sure they are. A family is a process of its own, so that a kernel that faults takes no
other with it; it is reported, and left out. `--dry-run` compiles and fills without a GPU.

Needs the CUDA driver, NVRTC (or nvcc) and ncu, and of Python nothing but its own library.
"""

import argparse
import csv
import ctypes
import faulthandler
import glob
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MICRO = os.path.join(HERE, "micro")
FORMATS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}

L1 = "l1tex__"
METRICS = {
    **{
        f"{short}_{what}": f"{L1}t_{what}_pipe_lsu_mem_global_op_{op}.sum"
        for short, op in (("gld", "ld"), ("gst", "st"), ("red", "red"), ("atom", "atom"))
        for what in ("requests", "sectors")
    },
    **{
        f"{short}_{what}": f"{L1}t_{what}_pipe_lsu_mem_local_op_{op}.sum"
        for short, op in (("lld", "ld"), ("lst", "st"))
        for what in ("requests", "sectors")
    },
    "sld_inst": "smsp__inst_executed_op_shared_ld.sum",
    "sst_inst": "smsp__inst_executed_op_shared_st.sum",
    "satom_inst": "smsp__inst_executed_op_shared_atom.sum",
    "sld_wavefronts": f"{L1}data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "sst_wavefronts": f"{L1}data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "satom_wavefronts": f"{L1}data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "shared_wavefronts": f"{L1}data_pipe_lsu_wavefronts_mem_shared.sum",
    "sld_conflicts": f"{L1}data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "sst_conflicts": f"{L1}data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "satom_conflicts": f"{L1}data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "shared_conflicts": f"{L1}data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "inst": "smsp__inst_executed.sum",
    "thread_inst": "smsp__thread_inst_executed.sum",
}
# Counted by patching the code, which takes long: only where they say something.
PATCHED = {
    "warps": {
        "exchanges": "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum",
    },
    "loops": {
        "branch_targets": "smsp__sass_branch_targets.sum",
        "branch_targets_divergent": "smsp__sass_branch_targets_threads_divergent.sum",
    },
}


def say(*words):
    print(f"{time.strftime('%H:%M:%S')}", *words, flush=True)


# The launches


def families():
    return sorted(os.path.splitext(os.path.basename(p))[0] for p in glob.glob(f"{MICRO}/*.json"))


def launches(family):
    with open(f"{MICRO}/{family}.json") as file:
        return json.load(file)


def scramble(i, s):
    mask = (1 << 64) - 1
    z = (i + s) * 0x9E3779B97F4A7C15 & mask
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & mask
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & mask
    return z ^ z >> 31


def element(fill, i):
    if fill == "zero":
        return 0
    if fill == "iota":
        return i
    if fill == "lcg256":
        return scramble(i, 12345) % 256
    if fill in ("frac", "frac2"):
        return (scramble(i, 12345 if fill == "frac" else 777) % 2001 - 1000) / 1000
    raise ValueError(f"no fill `{fill}`")


FILLED = {}


def filled(ty, count, fill):
    if (ty, count, fill) not in FILLED:
        values = [element(fill, i) for i in range(count)]
        if ty.startswith("i"):
            bits = 8 * struct.calcsize(FORMATS[ty])
            half = 1 << bits - 1
            values = [(int(v) + half) % (1 << bits) - half for v in values]
        FILLED[ty, count, fill] = struct.pack(f"<{count}{FORMATS[ty]}", *values)
    return FILLED[ty, count, fill]


def argument(arg):
    """An array's bytes, or a value's: `"i32 256 iota"`, `"f32 = 0.5"`, or a number of 32 bits."""
    if isinstance(arg, int):
        return None, struct.pack("<I", arg & 0xFFFFFFFF)
    ty, second, third = arg.split()
    if second == "=":
        return None, struct.pack("<" + FORMATS[ty], float(third))
    return filled(ty, int(second), third), None


# The compiler


def nvrtc():
    """The library, and its version. 13.0 is what the recordings are made with."""
    roots = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"))]
    patterns = [f"{r}/lib64/libnvrtc.so*" for r in roots if r]
    patterns += [f"{p}/nvidia/**/libnvrtc.so*" for p in sys.path if p.endswith("-packages")]
    paths = [p for pattern in patterns for p in sorted(glob.glob(pattern, recursive=True))]
    found = []
    for path in [*paths, "libnvrtc.so.13", "libnvrtc.so"]:
        try:
            for builtins in glob.glob(os.path.join(os.path.dirname(path) or "/nowhere", "libnvrtc-builtins.so.*")):
                ctypes.CDLL(builtins, ctypes.RTLD_GLOBAL)
            library = ctypes.CDLL(path)
            major, minor = ctypes.c_int(), ctypes.c_int()
            library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
            found.append(((major.value, minor.value) == (13, 0), library, f"{major.value}.{minor.value}"))
            if found[-1][0]:
                break
        except (OSError, AttributeError):
            pass
    if not found:
        return None, None
    found.sort(key=lambda f: not f[0])
    return found[0][1], found[0][2]


def compile_nvrtc(library, text, options):
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), text, b"micro.cu", 0, None, None)
    given = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    code = library.nvrtcCompileProgram(program, len(options), given)
    size = ctypes.c_size_t()
    if code != 0:
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        raise RuntimeError(f"NVRTC {code}: {log.value.decode(errors='replace')}")
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    library.nvrtcGetCUBIN(program, cubin)
    return cubin.raw


def compiled(family, architecture):
    """The cubin, and who made it."""
    path = f"{MICRO}/{family}.cu"
    library, version = nvrtc()
    if library is not None:
        options = ["--std=c++17", f"--gpu-architecture={architecture}"]
        with open(path, "rb") as file:
            return compile_nvrtc(library, file.read(), options), f"NVRTC {version}"
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.cubin"
        command = ["nvcc", "-std=c++17", f"-arch={architecture}", "-cubin", "-o", out, path]
        subprocess.run(command, check=True)
        with open(out, "rb") as file:
            return file.read(), "nvcc"


# The device


class Sticky(Exception):
    """After this the context is lost."""


class Device:
    def __init__(self):
        self.cu = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)
        self.architecture = f"sm_{major.value}{minor.value}"

    def call(self, name, *args):
        code = getattr(self.cu, name)(*args)
        if code != 0:
            text = ctypes.c_char_p()
            self.cu.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {code} {(text.value or b'').decode()}")

    def module(self, cubin):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        return module

    def launch(self, module, entry):
        """Runs a launch on fresh arrays; gives the registers of a thread and the arrays' hashes."""
        kernel = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, entry["kernel"].encode())
        registers = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(registers), 4, kernel)
        values, arrays = [], []
        for arg in entry["args"]:
            array, value = argument(arg)
            if array is None:
                values.append(ctypes.create_string_buffer(value, len(value)))
                continue
            pointer = ctypes.c_uint64()
            self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(len(array)))
            self.call("cuMemcpyHtoD_v2", pointer, array, ctypes.c_size_t(len(array)))
            arrays.append((pointer, len(array)))
            values.append(pointer)
        params = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        dims = [*(entry["grid"] + [1, 1])[:3], *(entry["block"] + [1, 1])[:3]]
        self.call("cuLaunchKernel", kernel, *dims, entry.get("shared", 0), None, params, None)
        try:
            self.call("cuCtxSynchronize")
        except RuntimeError as error:
            raise Sticky(str(error)) from error
        hashes = []
        for pointer, size in arrays:
            data = ctypes.create_string_buffer(size)
            self.call("cuMemcpyDtoH_v2", data, pointer, ctypes.c_size_t(size))
            self.call("cuMemFree_v2", pointer)
            hashes.append(hashlib.sha256(data.raw).hexdigest()[:16])
        return registers.value, hashes


def worker(options):
    """Launches a family, and writes down each launch that was made, in order."""
    device = Device()
    cubin, compiler = compiled(options.worker, device.architecture)
    module = device.module(cubin)
    with open(options.order, "a") as order:
        for entry in launches(options.worker)[: options.first]:
            for _ in range(0 if entry["name"] in options.skip else options.rounds):
                line = {"name": entry["name"]}
                try:
                    line["regs"], line["arrays"] = device.launch(module, entry)
                except (RuntimeError, Sticky) as error:
                    line["error"] = str(error)
                order.write(json.dumps(line) + "\n")
                order.flush()
                if "error" in line:
                    os._exit(3)
    with open(options.order + ".device", "w") as file:
        json.dump({"device": device.name, "architecture": device.architecture, "compiler": compiler}, file)


# The recording


def run_worker(family, folder, prefix, timeout, rounds=1, skip=(), first=None):
    """Starts this program again as a worker; gives the launches it made, and what was said."""
    order = f"{folder}/order"
    for stale in (order, order + ".device"):
        if os.path.exists(stale):
            os.remove(stale)
    command = [*prefix, sys.executable, os.path.abspath(__file__), "--worker", family]
    command += ["--order", order, "--rounds", str(rounds)]
    command += [word for name in skip for word in ("--skip", name)]
    command += ["--first", str(first)] if first is not None else []
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=timeout, check=False,
        )
        said = done.stdout
    except subprocess.TimeoutExpired as error:
        said = f"no end after {timeout:.0f} s: {error.stdout}"
    except OSError as error:
        said = str(error)
    made = []
    if os.path.exists(order):
        with open(order) as file:
            made = [json.loads(line) for line in file]
    device = {}
    if os.path.exists(order + ".device"):
        with open(order + ".device") as file:
            device = json.load(file)
    return made, said, device


def profile(family, folder, metrics, timeout, **rest):
    """Runs a family under the profiler: rows of counters, one a launch."""
    report = f"{folder}/report.csv"
    if os.path.exists(report):
        os.remove(report)
    prefix = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"]
    prefix += ["--metrics", ",".join(metrics.values()), "--log-file", report]
    made, said, _ = run_worker(family, folder, prefix, timeout, **rest)
    text = ""
    if os.path.exists(report):
        with open(report, errors="replace") as file:
            text = file.read()
    rows = []
    if '"ID"' in text:
        table = csv.DictReader(text[text.index('"ID"'):].splitlines())
        for row in table:
            if not (row.get("ID") or "").isdigit():
                continue
            counted = {}
            for short, metric in metrics.items():
                try:
                    counted[short] = float((row.get(metric) or "").replace(",", ""))
                except ValueError:
                    pass
            rows.append((row.get("Kernel Name", ""), counted))
    return made, rows, said + "\n" + text[:3000]


def known_metrics(family, folder, metrics):
    """Those that this profiler has for this device."""
    metrics = dict(metrics)
    for _ in range(8):
        _, rows, said = profile(family, folder, metrics, 100, first=1)
        if rows:
            gone = [s for s in metrics if s not in rows[0][1]]
        else:
            complaints = [line for line in said.splitlines() if "ERROR" in line]
            words = {w.strip(".,'\"") for line in complaints for w in line.replace(",", " ").split()}
            gone = [s for s, m in metrics.items() if m in words or m.rsplit(".", 1)[0] in words]
        if not gone and not rows:
            say("the profiler gives nothing:", said[:3000])
            return {}
        for short in gone:
            say("this profiler does not know", metrics.pop(short))
        if rows:
            return metrics
    return metrics


def rounded(counted):
    return {k: int(v) if v == int(v) else v for k, v in counted.items() if v != 0}


def keep(result, family, made, rows, said):
    """Puts a family's profiles into the recording."""
    kernels = {e["name"]: e["kernel"] for e in launches(family)}
    if len(made) != len(rows) or any(not r[0].startswith(kernels[m["name"]]) for m, r in zip(made, rows)):
        say(f"{family}: {len(made)} launches, {len(rows)} rows; not kept:", said[:1500])
        return
    for line, (_, counted) in zip(made, rows):
        entry = result["launches"].get(line["name"])
        if entry is None or "error" in line:
            continue
        if line["arrays"] != entry["arrays"]:
            say("other arrays than before:", line["name"])
            entry["arrays_vary"] = True
        counted = rounded(counted)
        first = entry.setdefault("counters", counted)
        again = {k: counted.get(k, 0) for k in sorted({*counted, *first}) if counted.get(k) != first.get(k)}
        if again:
            entry["again"] = again


def write(path, result):
    """One launch a line."""
    head = {k: v for k, v in result.items() if k != "launches"}
    lines = [f'{json.dumps(k)}: {json.dumps(v)}' for k, v in head.items()]
    body = ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in result["launches"].items())
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w") as file:
        file.write("{" + ",\n".join(lines) + ',\n"launches": {\n' + body + "\n}}\n")
    os.replace(path + ".new", path)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        return done.stdout.strip().splitlines()[-1]
    except (OSError, IndexError, subprocess.TimeoutExpired):
        return "unknown"


def record(options):
    start = time.monotonic()
    left = lambda: options.budget - (time.monotonic() - start)
    chosen = options.only or families()
    result = {
        "device": "unknown",
        "driver": first_line(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]),
        "profiler": first_line(["ncu", "--version"]),
        "metrics": {},
        "sources": {os.path.basename(p): digest(p) for p in sorted(glob.glob(f"{MICRO}/*"))},
        "launches": {},
    }
    if options.only:
        # The others stay as they were recorded.
        with open(f"{HERE}/micro.json") as file:
            before = json.load(file)
        others = {e["name"] for family in families() if family not in chosen for e in launches(family)}
        result["launches"] = {k: v for k, v in before["launches"].items() if k in others}
        result["metrics"] = before["metrics"]
        result["sources"] = {
            k: v if k.rsplit(".", 1)[0] in chosen else before["sources"].get(k)
            for k, v in result["sources"].items()
        }
    failed = {}
    with tempfile.TemporaryDirectory() as folder:
        for family in chosen:
            skip = []
            while True:
                made, said, device = run_worker(family, folder, [], 120, skip=skip)
                result.update(device)
                bad = [line for line in made if "error" in line]
                if device or not bad:
                    break
                skip += [line["name"] for line in bad]
                failed.update({line["name"]: line["error"] for line in bad})
                say("FAILED", bad)
            if not device:
                say(f"FAILED: the family {family}:", said[-2000:])
            for line in made:
                result["launches"][line["name"]] = {"arrays": line["arrays"], "regs": line["regs"]}
            say(f"{family}: {len(made)} launches, {len(skip)} left out")
        write(options.out, result)
        metrics = known_metrics("widths", folder, METRICS)
        result["metrics"].update(metrics)
        say(f"{len(metrics)} metrics, {left():.0f} s left")
        for family in chosen if metrics else []:
            if left() < 10:
                say(f"no time for {family}")
                continue
            wanted = {**metrics, **PATCHED.get(family, {})}
            before = time.monotonic()
            made, rows, said = profile(family, folder, wanted, left(), rounds=2, skip=list(failed))
            keep(result, family, made, rows, said)
            result["metrics"].update({k: v for k, v in wanted.items() if any(k in r[1] for r in rows)})
            took = time.monotonic() - before
            say(f"{family}: {len(rows)} profiles in {took:.1f} s, {left():.0f} s left")
            write(options.out, result)
    if failed:
        result["failed"] = failed
    write(options.out, result)
    counted = sum("counters" in e for e in result["launches"].values())
    unsure = [n for n, e in result["launches"].items() if "again" in e]
    say(f"{len(result['launches'])} launches, {counted} with counters, {len(failed)} failed, {time.monotonic() - start:.0f} s")
    say(f"{len(unsure)} of which the two profiles differ:", ", ".join(unsure[:40]))


def dry_run():
    """What can be tried without a GPU."""
    total = 0
    for family in families():
        cubin, compiler = compiled(family, "sm_90")
        say(f"{family}: {len(cubin)} bytes from {compiler}")
        for entry in launches(family):
            total += 1
            if entry["kernel"].encode() not in cubin:
                say("no kernel for", entry["name"])
            for arg in entry["args"]:
                argument(arg)
    say(f"{total} launches")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="the recording, `micro.json`")
    parser.add_argument("--only", action="append", help="a family; the rest stays as micro.json has it")
    parser.add_argument("--dry-run", action="store_true", help="compile and fill, launch nothing")
    parser.add_argument("--budget", type=float, default=280, help="seconds, after which what is left is left out")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--order", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--skip", action="append", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        faulthandler.enable()
        worker(options)
    elif options.dry_run:
        dry_run()
    elif options.out:
        record(options)
    else:
        parser.error("--out or --dry-run")


if __name__ == "__main__":
    main()
