import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Schema } from "../api/schema.ts";
import { schemaHelp } from "./schema-help.ts";
import { unknownFields } from "./unknown-fields.ts";
import { parseYaml } from "./yaml-text.ts";

export interface EditorParts {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly schema: () => Schema | undefined;
  readonly onChange: (text: string) => void;
}

export interface YamlEditor {
  setText(text: string): void;
  setReadOnly(isReadOnly: boolean): void;
  focus(): void;
  close(): void;
}

const highlighting = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--series-3)" },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--series-2)" },
    { tag: [tags.comment, tags.meta], color: "var(--soft)" },
  ]),
);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--ground)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": {
    backgroundColor: "var(--raised)",
    color: "var(--soft)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunken) 55%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-content": { caretColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "5px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-button, .cm-textfield": {
    background: "var(--ground)",
    color: "var(--text)",
    border: "1px solid var(--line)",
  },
  ".schema-help": { padding: "7px 10px", maxWidth: "420px", fontFamily: "var(--sans)", whiteSpace: "normal" },
  ".schema-help p": { margin: "4px 0 0" },
  ".schema-help i": { color: "var(--soft)" },
  ".cm-changedLine": { backgroundColor: "color-mix(in srgb, var(--good) 14%, transparent) !important" },
  ".cm-changedText": { background: "color-mix(in srgb, var(--good) 28%, transparent) !important" },
  ".cm-deletedChunk": { backgroundColor: "color-mix(in srgb, var(--bad) 12%, transparent) !important" },
  ".cm-deletedText, .cm-deletedChunk .cm-deletedText": {
    background: "color-mix(in srgb, var(--bad) 28%, transparent) !important",
    textDecoration: "none",
  },
  // The editor's own underlines are `data:` images, which the content security policy does not load.
  ".cm-lintRange": { backgroundImage: "none !important", textDecoration: "underline wavy 1px" },
  ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--underway)" },
  ".cm-collapsedLines": { background: "var(--sunken)", color: "var(--soft)" },
});

const common: Extension = [
  lineNumbers(),
  foldGutter(),
  bracketMatching(),
  drawSelection(),
  highlightSelectionMatches(),
  search({ top: true }),
  yaml(),
  indentUnit.of("  "),
  highlighting,
  look,
  keymap.of([...searchKeymap, ...foldKeymap]),
];

/**
 * Creates the editor in a shadow tree, where its styles are constructed style sheets: a content security policy without inline styles
 * allows no others.
 */
export function openEditor(parts: EditorParts): YamlEditor {
  const root = shadowOf(parts.parent);
  const reading = new Compartment();
  const readOnly = (isReadOnly: boolean): Extension => [
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.contentAttributes.of({ "aria-readonly": String(isReadOnly), tabindex: "0" }),
  ];
  let isSetting = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: parts.text,
      extensions: [
        common,
        history(),
        highlightActiveLine(),
        reading.of(readOnly(parts.isReadOnly)),
        EditorView.contentAttributes.of({ "aria-label": parts.label }),
        schemaHelp(parts.schema),
        linter((view) => mistakesIn(view, parts.schema()), { delay: 400 }),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isSetting) parts.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(text) {
      const { doc } = view.state;
      if (doc.toString() === text) return;
      isSetting = true;
      const top = view.scrollDOM.scrollTop;
      const anchor = Math.min(view.state.selection.main.anchor, text.length);
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, selection: { anchor } });
      view.scrollDOM.scrollTop = top;
      isSetting = false;
    },
    setReadOnly: (isReadOnly) => view.dispatch({ effects: reading.reconfigure(readOnly(isReadOnly)) }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/** Shows the changes from one text to the other, in one column. Returns a function that closes it. */
export function showDifference(parent: HTMLElement, from: string, to: string): () => void {
  const root = shadowOf(parent);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: to,
      extensions: [
        common,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ "aria-label": "What changes", tabindex: "0" }),
        unifiedMergeView({
          original: from,
          mergeControls: false,
          gutter: true,
          collapseUnchanged: { margin: 3, minSize: 6 },
        }),
      ],
    }),
  });
  return () => view.destroy();
}

function shadowOf(parent: HTMLElement): ShadowRoot {
  return parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
}

/** Checking longer texts would block the page after each pause in typing. The server validates the whole text before it is applied. */
const checkedCharactersMax = 200_000;

function mistakesIn({ state: { doc } }: EditorView, schema: Schema | undefined): readonly Diagnostic[] {
  if (doc.length > checkedCharactersMax) return [];
  const parsed = parseYaml(doc.toString());
  const isWrong = parsed.kind === "mistakes";
  const mistakes = isWrong ? parsed.mistakes : unknownFields(parsed.root, schema);
  return mistakes.map(({ message, from, to }) => ({
    severity: isWrong ? "error" : "warning",
    message,
    from: Math.min(from, doc.length),
    to: Math.min(Math.max(to, from), doc.length),
  }));
}
