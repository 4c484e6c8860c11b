// Checks of one page, for pages.py. Each returns a list of problems.
window.checks = (() => {
    "use strict";

    const content = () => document.querySelector("main") || document.body;

    // An element in a message: its tag, classes and the beginning of its text.
    const named = (element) => {
        const classes = (element.getAttribute("class") || "").trim().split(/\s+/).filter(Boolean);
        const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
        return `<${[element.tagName.toLowerCase(), ...classes].join(".")}> "${text}"`;
    };

    const first = (all, most = 4) =>
        all.length > most ? [...all.slice(0, most), `… and ${all.length - most} more`] : all;

    const theme = (name) => {
        document.getElementById(`mdbook-theme-${name}`).click();
        // No transitions, or a colour would be read half-way between two themes.
        if (!document.getElementById("checks-style")) {
            const style = document.createElement("style");
            style.id = "checks-style";
            style.textContent = "* { transition: none !important; animation: none !important; }";
            document.head.append(style);
        }
    };

    // Whether the element or an ancestor scrolls sideways, so that nothing is lost.
    const scrolls = (element) => {
        for (let at = element; at && at !== document.body; at = at.parentElement) {
            const { overflowX } = getComputedStyle(at);
            if (overflowX !== "visible" && at.tagName !== "svg") return true;
        }
        return false;
    };

    const wide = () => {
        const page = document.documentElement;
        const out = [];
        if (page.scrollWidth > window.innerWidth + 1) {
            out.push(`the page is ${page.scrollWidth} wide`);
        }
        const far = [...content().querySelectorAll("*")].filter((element) => {
            const box = element.getBoundingClientRect();
            return box.width > 0 && box.right > window.innerWidth + 1 && !scrolls(element);
        });
        return out.concat(first(far.map((element) => `overflows: ${named(element)}`)));
    };

    // Colours as [red, green, blue, opacity].
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const known = new Map();
    const colour = (text) => {
        if (!known.has(text)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            known.set(text, [r, g, b, a / 255]);
        }
        return known.get(text);
    };
    const over = (top, ground) =>
        [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
    const luminance = ([r, g, b]) => {
        const linear = [r, g, b].map((c) => {
            const v = c / 255;
            return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const contrast = (a, b) => {
        const [x, y] = [luminance(a), luminance(b)];
        return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    };

    // Text below the contrast of WCAG 2 AA: 4.5 to 1, or 3 to 1 where it is large.
    const faint = () => {
        const grounds = new Map();
        const ground = (element) => {
            if (!element) return [255, 255, 255, 1];
            if (!grounds.has(element)) {
                const own = colour(getComputedStyle(element).backgroundColor);
                const svg = element instanceof SVGElement;
                // A drawing's text on a filled shape names the fill as its background, which SVG does not paint.
                const unseen = svg && element.tagName !== "text";
                const under = unseen || own[3] < 1 ? ground(element.parentElement) : own;
                grounds.set(element, unseen || own[3] === 0 ? under : over(own, under));
            }
            return grounds.get(element);
        };
        const poor = new Map();
        const walker = document.createTreeWalker(content(), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const element = walker.currentNode.parentElement;
            if (!walker.currentNode.data.trim() || ["SCRIPT", "STYLE", "TITLE", "title", "desc"].includes(element.tagName)) {
                continue;
            }
            if (!element.checkVisibility({ visibilityProperty: true })) continue;
            const style = getComputedStyle(element);
            let text = colour(element instanceof SVGElement ? style.fill : style.color);
            let opacity = text[3];
            for (let at = element; at; at = at.parentElement) {
                opacity *= Number(getComputedStyle(at).opacity);
            }
            const under = ground(element);
            text = over([...text.slice(0, 3), opacity], under);
            const size = parseFloat(style.fontSize);
            const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
            const ratio = contrast(text, under);
            if (ratio < (large ? 3 : 4.5)) {
                const key = `${style.color} ${style.fill} ${under}`;
                if (!poor.has(key)) poor.set(key, `contrast ${ratio.toFixed(2)}: ${named(element)}`);
            }
        }
        return first([...poor.values()]);
    };

    // Paper does not scroll: what does not fit is lost.
    const cut = () => {
        const lost = [...content().querySelectorAll("*")].filter((element) => {
            if (!element.checkVisibility() || element instanceof SVGElement) return false;
            if (element.classList.contains("cuda-hidden")) return false;
            const style = getComputedStyle(element);
            const clips = style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
            const box = element.getBoundingClientRect();
            return (clips && element.clientWidth > 0) || (box.width > 0 && box.right > window.innerWidth + 1);
        });
        return first(lost.map((element) => `is cut off: ${named(element)}`));
    };

    return { theme, wide, faint, cut };
})();
