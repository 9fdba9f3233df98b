import { type Column, columnTitle } from "@fairway/contract/columns";
import { derivedColumnLimits } from "@fairway/contract/derived-columns";
import { Checkbox, TextInput } from "@mantine/core";
import { cutText, valueText } from "#lib/text/cell-text.ts";
import type { FieldMarks } from "./field-marks.ts";
import { type LookupDraft, type Pair, nameProblem, withColumn } from "./lookup-draft.ts";
import type { LookupState } from "./use-lookup.ts";
import classes from "./lookup.module.css";

interface Props<Draft extends LookupDraft> {
  draft: Draft;
  pairs: readonly Pair[];
  others: readonly Column[];
  state: LookupState;
  taken: ReadonlySet<string>;
  name: string;
  zone: string;
  marks: (path: readonly (string | number)[]) => FieldMarks;
  onChange: (draft: Draft) => void;
}

const exampleCharacters = 40;

/** The columns of the other dataset, each with a value or, once it is picked, its name here. */
export function PickedColumns<Draft extends LookupDraft>({
  draft,
  pairs,
  others,
  state: { report },
  taken,
  name,
  zone,
  marks,
  onChange,
}: Props<Draft>) {
  const { columns } = draft;
  const isFull = columns.length >= derivedColumnLimits.lookupColumns;
  return (
    <div role="group" aria-label={`Columns of ${name}`}>
      <span className={classes["label"]} aria-hidden>
        Columns
      </span>
      <div className={classes["columns"]}>
        {others.map((column) => {
          const at = columns.findIndex(({ from }) => from === column.name);
          const picked = columns[at];
          const example = report?.rows.find(({ values }) => (values?.[column.name] ?? null) !== null)?.values?.[column.name];
          const text = example === undefined ? null : valueText(column, example, zone);
          return (
            <div key={column.name} className={classes["column"]}>
              <Checkbox
                label={columnTitle(column)}
                checked={picked !== undefined}
                disabled={picked === undefined && isFull}
                onChange={(event) => onChange(withColumn({ ...draft, key: pairs }, column.name, event.currentTarget.checked, taken))}
              />
              {picked === undefined ? (
                <small>{text === null ? "" : cutText(text, exampleCharacters).text}</small>
              ) : (
                <TextInput
                  aria-label={`Name of ${column.name} here`}
                  size="xs"
                  maxLength={derivedColumnLimits.nameCharacters}
                  autoComplete="off"
                  value={picked.name}
                  {...marksOf(marks(["columns", at, "name"]), nameProblem(draft, at, taken))}
                  onChange={(event) => onChange({ ...draft, columns: columns.with(at, { ...picked, name: event.currentTarget.value }) })}
                />
              )}
            </div>
          );
        })}
      </div>
      {isFull && <p className={classes["note"]}>A lookup has at most {derivedColumnLimits.lookupColumns} columns.</p>}
    </div>
  );
}

const marksOf = ({ error, ...marks }: FieldMarks, problem: string | undefined): FieldMarks => ({ ...marks, error: error ?? problem });
