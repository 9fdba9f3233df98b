import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap } from "@codemirror/view";
import type { ExpressionError } from "@fairway/expressions/tree";
import { useEffect, useRef } from "react";
import { type CompletedColumn, formulaCompletions } from "./formula-completions.ts";
import { formulaLanguage } from "./formula-language.ts";
import classes from "./formula.module.css";

interface Props {
  text: string;
  /** The text and where the cursor is in it. */
  onChange: (text: string, cursor: number) => void;
  onCursor: (cursor: number) => void;
  onBlur: () => void;
  /** Ctrl+Enter. */
  onSubmit: () => void;
  columns: readonly CompletedColumn[];
  /** Drawn as a wavy line. */
  errors: readonly ExpressionError[];
  /** The element that says what is wrong, or what the result is. */
  describedBy: string;
  isInvalid: boolean;
}

const setErrors = StateEffect.define<readonly ExpressionError[]>();
const wavy = Decoration.mark({ class: classes["wrong"] ?? "" });

const errorMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, newDoc }) {
    const set = effects.findLast((effect) => effect.is(setErrors));
    if (set === undefined) return marks.map(changes);
    const ranges = set.value.flatMap(({ from, to }) => {
      // Where something is missing, the character before is marked.
      const [start, end] = from === to ? [Math.max(0, from - 1), from] : [from, Math.min(to, newDoc.length)];
      return start < end ? [wavy.range(start, end)] : [];
    });
    return Decoration.set(ranges, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const nonce = (): string => document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

/** A line for a formula, which grows with it. Escape closes the suggestions before the dialog, and Tab leaves the field. */
export function FormulaField(props: Props) {
  const { text, errors, describedBy, isInvalid } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.text,
        selection: { anchor: latest.current.text.length },
        extensions: [
          EditorView.cspNonce.of(nonce()),
          EditorView.lineWrapping,
          drawSelection(),
          history(),
          bracketMatching(),
          closeBrackets(),
          formulaLanguage,
          errorMarks,
          autocompletion({
            override: [formulaCompletions(() => latest.current.columns)],
            icons: false,
            interactionDelay: 0,
            maxRenderedOptions: 50,
          }),
          keymap.of([
            { key: "Mod-Enter", run: () => (latest.current.onSubmit(), true) },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.contentAttributes.of(({ state }) => ({
            "aria-label": "Formula",
            // The dialog reads this of the element with the focus before it closes.
            "data-mantine-stop-propagation": String(completionStatus(state) === "active"),
          })),
          EditorView.updateListener.of(({ docChanged, selectionSet, state, focusChanged, view: { hasFocus } }) => {
            const cursor = state.selection.main.head;
            if (docChanged) latest.current.onChange(state.doc.toString(), cursor);
            else if (selectionSet) latest.current.onCursor(cursor);
            if (focusChanged && !hasFocus) latest.current.onBlur();
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    view.current?.dispatch({ effects: setErrors.of(errors) });
  }, [errors]);

  useEffect(() => {
    view.current?.contentDOM.setAttribute("aria-describedby", describedBy);
    view.current?.contentDOM.setAttribute("aria-invalid", String(isInvalid));
  }, [describedBy, isInvalid]);

  return <div ref={host} className={classes["formula"]} data-invalid={isInvalid || undefined} />;
}
