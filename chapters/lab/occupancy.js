// The occupancy calculator of a page. The limits of each architecture stand in the page as JSON;
// the arithmetic is that of `simt::occupancy`, against which the page checks hold it.
const roundUp = (amount, piece) => Math.ceil(amount / piece) * piece;

// How many blocks fit on a multiprocessor, and what each resource would allow.
// A limit of `null`: as many as you like.
function occupancy(arch, block, registers, shared) {
    const warpsPerBlock = Math.ceil(block / 32);
    const launchable = block >= 1 && block <= arch.max_threads_per_block;
    const warps = launchable ? Math.floor(arch.max_warps_per_sm / warpsPerBlock) : 0;

    const ofWarp = roundUp(registers * 32, arch.register_granularity);
    let byRegisters = null;
    if (registers > arch.max_registers_per_thread
        || ofWarp * roundUp(warpsPerBlock, arch.partitions) > arch.registers_per_block) {
        byRegisters = 0;
    } else if (ofWarp > 0 && warpsPerBlock > 0) {
        const ofPart = Math.floor(arch.registers_per_sm / arch.partitions);
        const fit = Math.floor(ofPart / ofWarp) * arch.partitions;
        byRegisters = Math.floor(fit / warpsPerBlock);
    }

    const ofBlock = roundUp(shared + arch.shared_reserved_per_block, arch.shared_granularity);
    const most = arch.shared_per_block_optin + arch.shared_reserved_per_block;
    let byShared = null;
    if (ofBlock > most) byShared = 0;
    else if (ofBlock > 0) byShared = Math.floor(arch.shared_per_sm / ofBlock);

    const limits = [warps, arch.max_blocks_per_sm, byRegisters, byShared];
    const blocks = Math.min(...limits.filter((limit) => limit !== null));
    return {
        blocks,
        warps: blocks * warpsPerBlock,
        warpsPerBlock,
        registersPerBlock: ofWarp * warpsPerBlock,
        sharedPerBlock: ofBlock,
        limits,
    };
}

// What keeps a further block out where the registers that are free would be enough for it.
function ofScheduler(arch, found) {
    const next = found.blocks + 1;
    if (found.limits[2] !== found.blocks || next * found.registersPerBlock > arch.registers_per_sm) return "";
    const part = Math.floor(arch.registers_per_sm / arch.partitions);
    const ofWarp = found.registersPerBlock / found.warpsPerBlock;
    const fit = Math.floor(part / ofWarp);
    return ` What runs out are the registers of a scheduler: ${count(part)} are enough for ${fit} warps of ${count(ofWarp)}, `
        + `so ${fit * arch.partitions} warps fit, and ${next} ${next === 1 ? "block has" : "blocks have"} ${next * found.warpsPerBlock}.`;
}

const svg = (name, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
};

const count = (value) => value.toLocaleString("en-US");

// The same picture as the one without a script.
function draw(arch, found) {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("class", "cuda-drawing");
    picture.setAttribute("viewBox", "0 0 360 152");
    picture.setAttribute("aria-hidden", "true");
    const rows = [
        ["warps", found.warpsPerBlock, arch.max_warps_per_sm, "cuda-fill-bar", ""],
        ["blocks", 1, arch.max_blocks_per_sm, "cuda-fill-bar", ""],
        ["registers", found.registersPerBlock, arch.registers_per_sm, "cuda-fill-registers", ""],
        ["shared memory", found.sharedPerBlock, arch.shared_per_sm, "cuda-fill-shared", " bytes"],
    ];
    rows.forEach(([name, each, there, fill, unit], row) => {
        const y = 2 + 38 * row;
        const stops = found.limits[row] === found.blocks;
        const text = svg("text", { x: 4, y: y + 12, class: stops ? "cuda-label cuda-stops" : "cuda-label" }, picture);
        text.textContent = `${name}: ${count(each * found.blocks)} of ${count(there)}${unit}${stops ? ", the limit" : ""}`;
        svg("rect", { class: "cuda-idle", x: 4.5, y: y + 17.5, width: 351, height: 15 }, picture);
        const width = (each / there) * 352;
        for (let block = 0; block < found.blocks; block++) {
            const gap = width > 3 ? 1 : 0;
            svg("rect", { class: fill, x: 4 + width * block, y: y + 17, width: Math.max(width - gap, 0), height: 16 }, picture);
        }
    });
    return picture;
}

function start(figure) {
    const architectures = JSON.parse(figure.querySelector(".cuda-architectures").textContent);
    const form = figure.querySelector("form");
    const answer = figure.querySelector(".cuda-answer");
    const number = (name) => form.elements[name].valueAsNumber;
    const update = () => {
        const arch = architectures.find((a) => a.capability === form.elements.capability.value);
        form.elements.shared.max = arch.shared_per_block_optin;
        const [block, registers, shared] = ["block", "registers", "shared"].map(number);
        const sentence = document.createElement("p");
        if (!form.checkValidity() || [block, registers, shared].some(Number.isNaN)) {
            sentence.textContent = "Such a block cannot be launched: "
                + "1 to 1024 threads, 0 to 255 registers per thread, "
                + `0 to ${count(arch.shared_per_block_optin)} bytes of shared memory.`;
            answer.replaceChildren(sentence);
            return;
        }
        const found = occupancy(arch, block, registers, shared);
        const share = (100 * found.warps) / arch.max_warps_per_sm;
        sentence.textContent = found.blocks === 0
            ? "Not even one block fits."
            : `${found.blocks} ${found.blocks === 1 ? "block fits" : "blocks fit"}: ${found.warps} of ${arch.max_warps_per_sm} warps, `
                + `an occupancy of ${share.toFixed(1)} %.${ofScheduler(arch, found)}`;
        answer.replaceChildren(draw(arch, found), sentence);
    };
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    // mdBook turns the page at an arrow key, wherever it is pressed.
    form.addEventListener("keydown", (event) => event.stopPropagation());
    form.hidden = false;
    figure.querySelector(".cuda-without-script").hidden = true;
    update();
}

document.querySelectorAll(".cuda-calculator").forEach(start);
// For the page checks.
window.cudaOccupancy = occupancy;
