import type { Column } from "@fairway/contract/columns";
import { NativeSelect } from "@mantine/core";
import { useId } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import type { FieldMarks } from "./field-marks.ts";
import type { Pair } from "./lookup-draft.ts";
import classes from "./lookup.module.css";

interface Props {
  pairs: readonly Pair[];
  columns: readonly Column[];
  others: readonly Column[];
  otherName: string;
  problem: { pair: number; message: string } | null;
  name: string;
  marks: (path: readonly (string | number)[]) => FieldMarks;
  onChange: (pairs: readonly Pair[]) => void;
}

/** Pairs of columns that have to be equal. */
export function KeyPairs({ pairs, columns, others, otherName, problem, name, marks, onChange }: Props) {
  const id = useId();
  return pairs.map((pair, at) => {
    const isWrong = problem?.pair === at;
    const change = (side: Partial<Pair>) => onChange(pairs.with(at, { ...pair, ...side }));
    return (
      <div
        // oxlint-disable-next-line react/no-array-index-key -- pairs have no other key
        key={at}
        role="group"
        aria-label={`Key ${at + 1} of ${name}`}
        className={classes["pair"]}
        data-removable={pairs.length > 1 || undefined}
      >
        <Side
          label="Column here"
          value={pair.column}
          options={columns}
          marks={marks(["key", at, "column"])}
          describedBy={isWrong ? id : undefined}
          onChoice={(column) => change({ column })}
        />
        <span className={classes["equals"]} aria-hidden>
          =
        </span>
        <Side
          label={`Equals in ${otherName}`}
          value={pair.on}
          options={others}
          marks={marks(["key", at, "on"])}
          describedBy={isWrong ? id : undefined}
          onChoice={(on) => change({ on })}
        />
        {pairs.length > 1 && (
          <IconButton label={`Remove key ${at + 1}`} onClick={() => onChange(pairs.toSpliced(at, 1))}>
            <IconX size={16} aria-hidden />
          </IconButton>
        )}
        {isWrong && (
          <p id={id} role="alert" className={classes["problem"]}>
            {problem.message}
          </p>
        )}
      </div>
    );
  });
}

interface SideProps {
  label: string;
  value: string;
  options: readonly Column[];
  marks: FieldMarks;
  describedBy: string | undefined;
  onChoice: (name: string) => void;
}

function Side({ label, value, options, marks, describedBy, onChoice }: SideProps) {
  const isOffered = value === "" || options.some(({ name }) => name === value);
  return (
    <NativeSelect
      label={label}
      {...marks}
      value={value === "" ? noChoice : `=${value}`}
      aria-invalid={describedBy !== undefined || marks.error !== undefined || undefined}
      aria-describedby={describedBy}
      data={[
        ...(value === "" ? [{ value: noChoice, label: "Choose" }] : []),
        ...(isOffered ? [] : [{ value: `=${value}`, label: value }]),
        ...options.map(({ name, label: text }) => ({
          value: `=${name}`,
          label: text === undefined || text === name ? name : `${text} (${name})`,
        })),
      ]}
      onChange={(event) => onChoice(event.currentTarget.value.slice(1))}
    />
  );
}

/** No name: all others begin with a sign. */
const noChoice = "none";
