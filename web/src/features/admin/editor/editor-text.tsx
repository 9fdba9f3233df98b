import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { completions, schemaTooltip } from "./editor-hints.ts";
import { textRangeOf } from "./editor-paths.ts";
import type { EditorProblem } from "./editor-problems.ts";
import type { JsonSchema, Path } from "./editor-schema.ts";
import classes from "./editor.module.css";

export interface TextEditorHandle {
  undo: () => void;
  redo: () => void;
  find: () => void;
  goTo: (path: Path) => void;
  /** The line number of a path, from 1. */
  lineOf: (path: Path) => number;
}

interface TextEditorProps {
  text: string;
  onChange: (text: string) => void;
  problems: readonly EditorProblem[];
  schema: JsonSchema | undefined;
  label: string;
  readOnly?: boolean;
  handle?: Ref<TextEditorHandle>;
}

const highlightStyle = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--json-key)" },
  { tag: tags.string, color: "var(--json-string)" },
  { tag: tags.number, color: "var(--json-number)" },
  { tag: [tags.bool, tags.null], color: "var(--json-atom)" },
]);

const nonce = (): string => document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

/** A text editor for JSON with completions and hints from the schema. */
export default function TextEditor({ text, onChange, problems, schema, label, readOnly = false, handle }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, schema });
  useEffect(() => {
    latest.current = { onChange, schema };
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const currentSchema = () => latest.current.schema;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          drawSelection(),
          history(),
          bracketMatching(),
          closeBrackets(),
          indentOnInput(),
          search({ top: true }),
          json(),
          syntaxHighlighting(highlightStyle),
          lintGutter(),
          autocompletion({ override: [completions(currentSchema)] }),
          schemaTooltip(currentSchema),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorState.readOnly.of(readOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- created once; later texts are applied below
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const diagnostics = problems.map(({ path, message, syntax }): Diagnostic => ({
      ...(syntax ? { from: 0, to: 0 } : textRangeOf(editor.state, path)),
      severity: "error",
      message,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problems]);

  useImperativeHandle(handle, () => ({
    undo: () => void (view.current && undo(view.current)),
    redo: () => void (view.current && redo(view.current)),
    find: () => void (view.current && openSearchPanel(view.current)),
    goTo: (path) => {
      const editor = view.current;
      if (!editor) return;
      const { from } = textRangeOf(editor.state, path);
      editor.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      editor.focus();
    },
    lineOf: (path) => {
      const editor = view.current;
      return editor ? editor.state.doc.lineAt(textRangeOf(editor.state, path).from).number : 1;
    },
  }));

  return <div ref={host} className={classes["text"]} />;
}
