import { pluralize } from "@fairway/contract/counts";
import type { DataImport, DriftKind } from "@fairway/contract/imports";
import { Checkbox } from "@mantine/core";
import { useId } from "react";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import classes from "./add-data.module.css";

interface Props {
  into: NonNullable<DataImport["into"]>;
  drift: DataImport["drift"];
  accepted: ReadonlySet<DriftKind>;
  onAccept: (kind: DriftKind, isAccepted: boolean) => void;
}

/** The consequence of accepting each kind. */
const accepts: Readonly<Record<DriftKind, string>> = {
  "new-column": "Add the new columns",
  "missing-column": "Leave the missing columns empty",
  "does-not-fit": "Add values that do not fit",
  "other-format": "Read this file in its own way",
  "same-file": "Add it again",
};

const acceptsReadAgain: Readonly<Record<DriftKind, string>> = {
  ...accepts,
  "missing-column": "Go on without these columns",
  "does-not-fit": "Go on without what no longer fits",
};

/** How the files differ from their dataset. Each kind is accepted by itself before anything is stored. */
export function DriftList({ into, drift, accepted, onAccept }: Props) {
  const id = useId();
  const isReadAgain = into.mode === "read-again";
  if (drift.length === 0)
    return <p className={classes["fits"]}>{isReadAgain ? "Nothing of the dataset is lost." : "All columns fit those of the dataset."}</p>;
  const kinds = [...new Set(drift.map(({ kind }) => kind))];
  return (
    <section aria-labelledby={id} className={classes["question"]} data-question="drift">
      <h2 id={id} className={classes["questionTitle"]}>
        <IconAlertTriangle size={16} aria-hidden />
        {`${pluralize(drift.length, "difference")} from the dataset`}
      </h2>
      {kinds.map((kind) => (
        <div key={kind} className={classes["drift"]}>
          <ul>
            {drift
              .filter((one) => one.kind === kind)
              .map(({ column, file, sentence }) => (
                <li key={`${column} ${file} ${sentence}`}>{sentence}</li>
              ))}
          </ul>
          <Checkbox
            label={(isReadAgain ? acceptsReadAgain : accepts)[kind]}
            checked={accepted.has(kind)}
            onChange={(event) => onAccept(kind, event.currentTarget.checked)}
          />
        </div>
      ))}
    </section>
  );
}
