import type { FlowFieldChange } from "@fairway/contract/flow-differences";
import { useState } from "react";
import { InlineDiff } from "#ui/diff/inline-diff.tsx";
import { TextDiff } from "#ui/diff/text-diff.tsx";
import classes from "./changes.module.css";

/** Longer values are folded. */
const shortCharacters = 160;

const isLong = (value: string | null): boolean => value !== null && (value.length > shortCharacters || value.includes("\n"));

/** One value, or what is said in its place. */
export function FieldValue({ value }: { value: string | null }) {
  if (value === null || value === "") return <span className={classes["unset"]}>{value === null ? "not set" : "empty"}</span>;
  return <code>{value}</code>;
}

/** The old and the new value of a field. Long ones are folded, and compared when they are opened. */
export function FieldValues({ field: { label, before, after } }: { field: FlowFieldChange }) {
  const [isOpen, setOpen] = useState(false);
  if (!isLong(before) && !isLong(after)) {
    return (
      <p className={classes["values"]}>
        <del>
          <FieldValue value={before} />
        </del>
        <span aria-hidden> → </span>
        <span className="visually-hidden"> is now </span>
        <ins>
          <FieldValue value={after} />
        </ins>
      </p>
    );
  }
  return (
    <div>
      <button type="button" className={classes["unfold"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide" : "Show"} {before === null || after === null ? "the value" : "the difference"} of {label}
      </button>
      {isOpen && <LongValues label={label} before={before ?? ""} after={after ?? ""} />}
    </div>
  );
}

function LongValues({ label, before, after }: { label: string; before: string; after: string }) {
  // The values themselves differ: these are their cut beginnings.
  if (before === after)
    return <p className={classes["unset"]}>The first {before.length.toLocaleString("en-US")} characters are the same.</p>;
  if (before.includes("\n") || after.includes("\n")) return <TextDiff label={label} before={before} after={after} />;
  return (
    <div className={classes["longValue"]}>
      <InlineDiff before={before} after={after} />
    </div>
  );
}
