import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DiffNames, TextDiff } from "#ui/diff/text-diff.tsx";
import type { DescriptionChange } from "./description-changes.ts";
import classes from "./descriptions.module.css";

interface Props {
  names: readonly [before: string, after: string];
  changes: readonly DescriptionChange[];
  /** Shown beside the name of each. */
  action?: (change: DescriptionChange) => ReactNode;
}

/** Differences shown at first: a thousand columns may change at once. */
const pageSize = 20;

/** Changed descriptions, each with its difference. */
export function ChangedDescriptions({ names, changes, action }: Props) {
  const [count, setCount] = useState(pageSize);
  const rest = changes.length - count;
  return (
    <div className={classes["changes"]}>
      <DiffNames names={names} />
      <ul aria-label="Changed descriptions">
        {changes.slice(0, count).map((change) => {
          const name = change.column ?? "Dataset";
          return (
            <li key={change.column === null ? "dataset" : `column ${change.column}`}>
              <div className={classes["head"]}>
                <h3 data-column={change.column !== null || undefined}>{name}</h3>
                {action?.(change)}
              </div>
              <TextDiff label={`Difference of ${change.column ?? "the dataset"}`} before={change.before} after={change.after} />
            </li>
          );
        })}
      </ul>
      {rest > 0 && (
        <Button variant="default" onClick={() => setCount(count + 10 * pageSize)}>
          {`Show ${formatCount(Math.min(rest, 10 * pageSize))} of ${pluralize(rest, "more change", "more changes")}`}
        </Button>
      )}
    </div>
  );
}
