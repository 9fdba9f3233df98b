import type { SchemaChanges } from "@fairway/contract/dataset-administration";
import { type ColumnType, columnType } from "@fairway/contract/columns";
import { typeNames } from "#parts/reading/reading-words.ts";
import classes from "#parts/reading/reading.module.css";

/** The changes of the dataset's columns that come with saving a reading. */
export function ReadingChanges({ changes: { added, removed, changed } }: { changes: SchemaChanges }) {
  const sentences = [
    ...changed.map(({ name, from, to }) =>
      from === to ? `${name} becomes ${nameOf(to)} in another form` : `${name}: ${nameOf(from)} becomes ${nameOf(to)}`,
    ),
    ...(added.length > 0 ? [`Added: ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`Removed: ${removed.join(", ")}`] : []),
  ];
  if (sentences.length === 0) return null;
  return (
    <section aria-label="What saving changes" className={classes["understood"]}>
      <h3>Saving changes these columns</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

function nameOf(type: string): string {
  const known: ColumnType | undefined = columnType.options.find((one) => one === type);
  return known === undefined ? type : typeNames[known];
}
