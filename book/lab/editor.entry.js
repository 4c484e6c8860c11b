// What the lab uses of CodeMirror: the parts that `npm run build` puts into chapters/lab/editor.js.
export { Annotation, Compartment, EditorState, RangeSetBuilder, StateEffect, StateField, Text } from '@codemirror/state';
export {
    Decoration, EditorView, GutterMarker, ViewPlugin, WidgetType, drawSelection, gutter,
    highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from '@codemirror/view';
export { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
export { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
export { lintKeymap, setDiagnostics } from '@codemirror/lint';
export { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
export { cpp } from '@codemirror/lang-cpp';
