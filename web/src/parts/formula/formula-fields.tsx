import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { check } from "@fairway/expressions/check";
import { useEffect, useId, useMemo, useState } from "react";
import { cutText, valueText } from "#lib/text/cell-text.ts";
import { IconCheck } from "#ui/icons/check.ts";
import { FormulaField } from "./formula-field.tsx";
import { previewOf, resultText } from "./formula-preview.ts";
import { PreviewTable } from "./preview-table.tsx";
import classes from "./formula.module.css";

export interface FormulaFieldsProps {
  /** Of the new column. */
  name: string;
  text: string;
  onChange: (text: string) => void;
  onSubmit: () => void;
  columns: readonly Column[];
  rows: readonly ResultRow[];
  zone: string;
}

/** After the last key, before anything is said of the place where the cursor is. */
const typingMs = 500;
const exampleCharacters = 30;

/** A formula, and below it what is wrong with it, or its type and values. */
export function FormulaFields({ name, text, onChange, onSubmit, columns, rows, zone }: FormulaFieldsProps) {
  const id = useId();
  const [cursor, setCursor] = useState(text.length);
  // Counted, so that each change begins the time anew.
  const [changes, setChanges] = useState(0);
  const [settled, setSettled] = useState(0);
  const isTyping = settled !== changes;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(changes), typingMs);
    return () => clearTimeout(timer);
  }, [changes]);

  const checked = useMemo(() => check(text, columns), [text, columns]);
  const shown = useMemo(
    () => checked.tree && { preview: previewOf(checked.tree, columns, rows), result: checked.result },
    [checked, columns, rows],
  );
  const errors = useMemo(() => {
    const all = text.trim() === "" ? [] : (checked.errors ?? []);
    return isTyping ? all.filter(({ from, to }) => cursor < from || cursor > to) : all;
  }, [checked, text, isTyping, cursor]);
  const completed = useMemo(
    () =>
      columns.map((column) => {
        const row = rows.find((one) => (one[column.name] ?? null) !== null);
        const example = row && valueText(column, row[column.name] ?? null, zone);
        return { ...column, example: typeof example === "string" ? cutText(example, exampleCharacters).text : undefined };
      }),
    [columns, rows, zone],
  );

  const [error] = errors;
  return (
    <>
      <div>
        <span className={classes["label"]}>Formula</span>
        <FormulaField
          text={text}
          onChange={(changed, at) => {
            setCursor(at);
            setChanges((count) => count + 1);
            onChange(changed);
          }}
          onCursor={setCursor}
          onBlur={() => setSettled(changes)}
          onSubmit={onSubmit}
          columns={completed}
          errors={errors}
          describedBy={id}
          isInvalid={error !== undefined}
        />
        <div id={id} aria-live="polite">
          {error !== undefined && <p className={classes["error"]}>{error.message}</p>}
          {error === undefined && shown && (
            <p className={classes["result"]}>
              <IconCheck size={16} aria-hidden />
              {resultText(shown.result, rows.length, shown.preview.withoutValue)}
            </p>
          )}
          {error === undefined && !shown && (
            <p className={classes["result"]}>Columns and functions, such as if(delay &gt; 15, 'late', 'on time').</p>
          )}
        </div>
      </div>
      {shown && shown.preview.rows.length > 0 && <PreviewTable {...shown} name={name} zone={zone} />}
    </>
  );
}
