// The listing as an editor. CodeMirror does the editing; what is the book's stands here: its
// colours, its notes under lines, heat, the line of a step.

import {
    Annotation, Decoration, EditorState, EditorView, GutterMarker, StateEffect, StateField, ViewPlugin,
    WidgetType, bracketMatching, cpp, defaultKeymap, drawSelection, gutter, highlightActiveLine,
    highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap,
    indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, lintKeymap, search, searchKeymap,
    setDiagnostics,
} from './editor.js';
import { pieces } from './words.js';

// The colours of the listing, for what is in view.
const PAINT = Object.fromEntries(
    ['comment', 'directive', 'text', 'number', 'keyword', 'type', 'qualifier', 'builtin'].map((kind) => [
        kind, Decoration.mark({ class: `cuda-t-${kind}` }),
    ]),
);
class Colours {
    constructor(view) {
        // What each line begins within, for the lines from the first that were asked for.
        this.open = [null];
        this.decorations = this.painted(view);
    }

    update({ docChanged, viewportChanged, changes, startState, view }) {
        if (docChanged) {
            // Of a changed line it is known how it begins, and no more.
            let first = startState.doc.lines;
            changes.iterChangedRanges((from) => (first = Math.min(first, startState.doc.lineAt(from).number)));
            this.open.length = Math.min(this.open.length, first);
        }
        if (docChanged || viewportChanged) this.decorations = this.painted(view);
    }

    painted({ viewport, state: { doc } }) {
        const last = doc.lineAt(viewport.to).number;
        const first = doc.lineAt(viewport.from).number;
        // From the first line in view, or the first one of which it is not known how the next begins.
        let number = Math.min(first, this.open.length);
        const ranges = [];
        for (const line of doc.iterLines(number, last + 1)) {
            const [found, open] = pieces(line, this.open[number - 1]);
            this.open[number] = open;
            if (number >= first) {
                const { from } = doc.line(number);
                for (const [start, end, kind] of found) ranges.push(PAINT[kind].range(from + start, from + end));
            }
            number += 1;
        }
        return Decoration.set(ranges);
    }
}
const colours = ViewPlugin.fromClass(Colours, { decorations: (plugin) => plugin.decorations });

// Notes under lines, as the listing has them under marked ones.
class Note extends WidgetType {
    constructor(text) {
        super();
        this.text = text;
    }

    eq(other) {
        return other.text === this.text;
    }

    toDOM() {
        const note = document.createElement('div');
        note.className = 'lab-note';
        note.append(document.createElement('span'));
        note.firstChild.textContent = `▲ ${this.text}`;
        return note;
    }
}
const setNotes = StateEffect.define();
const notes = StateField.define({
    create: () => Decoration.none,
    update(now, change) {
        for (const effect of change.effects) {
            if (!effect.is(setNotes)) continue;
            const { doc } = change.state;
            const ranges = effect.value
                .filter(({ line }) => line >= 1 && line <= doc.lines)
                .flatMap(({ line, text }) => {
                    const { from, to } = doc.line(line);
                    return [
                        Decoration.line({ class: 'lab-marked' }).range(from),
                        Decoration.widget({ widget: new Note(text), side: 1, block: true }).range(to),
                    ];
                });
            return Decoration.set(ranges, true);
        }
        return now.map(change.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

// The line of a step.
const setCurrent = StateEffect.define();
const current = StateField.define({
    create: () => Decoration.none,
    update(now, change) {
        for (const effect of change.effects) {
            if (!effect.is(setCurrent)) continue;
            const { doc } = change.state;
            const here = effect.value >= 1 && effect.value <= doc.lines;
            return here
                ? Decoration.set(Decoration.line({ class: 'lab-current' }).range(doc.line(effect.value).from))
                : Decoration.none;
        }
        return now.map(change.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

// Values beside the lines. They are of the text that ran: an edit takes them away.
class Heat extends GutterMarker {
    constructor({ text, share }) {
        super();
        this.text = text;
        this.share = share.toFixed(3);
    }

    eq(other) {
        return other.text === this.text && other.share === this.share;
    }

    toDOM() {
        const value = document.createElement('span');
        value.className = 'lab-heat';
        value.dataset.value = this.text;
        value.style.setProperty('--share', this.share);
        return value;
    }
}
const setHeat = StateEffect.define();
const heat = StateField.define({
    create: () => null,
    update(now, change) {
        for (const effect of change.effects) if (effect.is(setHeat)) return effect.value;
        return change.docChanged ? null : now;
    },
});
const heatGutter = gutter({
    class: 'lab-heats',
    lineMarker(view, block) {
        const value = view.state.field(heat)?.get(view.state.doc.lineAt(block.from).number);
        return value ? new Heat(value) : null;
    },
    lineMarkerChange: (update) => update.startState.field(heat) !== update.state.field(heat),
});

// A change that the reader did not type.
const silent = Annotation.define();

export class Code {
    /**
     * An editor in `parent`. `changed` is told of what the reader typed, `run` is Ctrl+Enter.
     */
    constructor(parent, { text, label, changed, run }) {
        this.marked = 0;
        this.view = new EditorView({
            parent,
            state: EditorState.create({
                doc: text,
                extensions: [
                    heat, heatGutter, lineNumbers(), history(), drawSelection(), highlightSpecialChars(),
                    indentOnInput(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
                    highlightSelectionMatches(), search({ top: true }), cpp(), colours, notes, current,
                    EditorState.tabSize.of(4), indentUnit.of('    '),
                    keymap.of([
                        { key: 'Mod-Enter', run: () => (run(), true) },
                        indentWithTab, ...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap,
                    ]),
                    EditorView.contentAttributes.of({
                        tabindex: '0',
                        'aria-label': label, autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false',
                    }),
                    EditorView.updateListener.of((update) => {
                        if (update.docChanged && !update.transactions.every((t) => t.annotation(silent))) changed();
                    }),
                ],
            }),
        });
    }

    get text() {
        return this.view.state.doc.toString();
    }

    /** Another text, which undo takes back. */
    set text(text) {
        const { state } = this.view;
        this.view.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, annotations: silent.of(true) });
    }

    /** What the compiler says, `[{ severity, message, place }]`, under the words that it says it of. */
    diagnostics(all) {
        const { state } = this.view;
        const marks = all.map(({ severity, message, help, place }) => {
            const line = state.doc.line(Math.min(Math.max(place.line, 1), state.doc.lines));
            // Columns count characters, lengths bytes: what is not ASCII is longer in one of them.
            const before = [...line.text].slice(0, place.column - 1).join('').length;
            const from = Math.min(line.from + before, line.to);
            const to = Math.min(from + Math.max(place.length, 1), line.to);
            return {
                from: from === to && from > line.from ? from - 1 : from,
                to,
                severity: severity === 'error' ? 'error' : 'warning',
                message: help ? `${message}\n${help}` : message,
            };
        });
        if (marks.length || this.marked) this.view.dispatch(setDiagnostics(state, marks));
        this.marked = marks.length;
    }

    heat(values) {
        this.view.dispatch({ effects: setHeat.of(values) });
    }

    notes(list) {
        this.view.dispatch({ effects: setNotes.of(list) });
    }

    current(line) {
        const { doc } = this.view.state;
        const effects = [setCurrent.of(line ?? 0)];
        if (line >= 1 && line <= doc.lines) {
            effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: 'nearest', yMargin: 60 }));
        }
        this.view.dispatch({ effects });
    }

    /** Puts the cursor at a line. */
    reveal(number, column = 1) {
        const { doc } = this.view.state;
        if (number < 1 || number > doc.lines) return false;
        const line = doc.line(number);
        const at = Math.min(line.from + column - 1, line.to);
        this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
        this.view.focus();
        return true;
    }

    focus() {
        this.view.focus();
    }

    close() {
        this.view.destroy();
    }
}
