// A page that was opened as a file has no lab: browsers let no file load its modules. So it is said.
(() => {
    "use strict";

    if (location.protocol !== "file:") return;
    for (const script of document.querySelectorAll("figure.cuda-kernel > script.cuda-lab")) {
        const note = document.createElement("p");
        note.className = "cuda-provenance lab";
        note.textContent = "This page was opened as a file, and browsers let no file start the simulator. "
            + "Serve the book (warpbook serve, or any web server) to run, edit and step this kernel.";
        script.before(note);
    }
})();
