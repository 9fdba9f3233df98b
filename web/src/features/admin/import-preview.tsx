import type { ImportPreview } from "@fairway/contract/entities";
import classes from "./import-dialog.module.css";

const most = 100;

/** What an import would do, by what happens to each entity. */
export function ImportPreviewList({ preview }: { preview: ImportPreview }) {
  const { added, changed, unchanged, removed, refused, warned = [] } = preview;
  return (
    <div className={classes["preview"]} role="region" aria-label="Preview">
      {refused.length > 0 && (
        <p
          className={classes["note"]}
        >{`${refused.length.toLocaleString("en-US")} refused: nothing is imported until the file is corrected.`}</p>
      )}
      <Ids label="Refused" tone="bad" count={refused.length}>
        {refused.slice(0, most).map(({ index, id, errors }) => (
          <li key={`${index} ${id}`}>
            <strong>{id ?? (index === null ? "The whole import" : `No. ${index + 1}`)}</strong>:{" "}
            {errors.map(({ message }) => message).join(" ")}
          </li>
        ))}
      </Ids>
      <Ids label="Does not work yet" tone="warn" count={warned.length}>
        {warned.slice(0, most).map(({ id, warnings }) => (
          <li key={id}>
            <strong>{id}</strong>: {warnings.map(({ message }) => message).join(" ")}
          </li>
        ))}
      </Ids>
      <Named label="Added" ids={added} />
      <Named label="Changed" ids={changed} />
      <Named label="Removed" ids={removed} />
      <Named label="Unchanged" ids={unchanged} />
    </div>
  );
}

function Named({ label, ids }: { label: string; ids: readonly string[] }) {
  return (
    <Ids label={label} count={ids.length}>
      {ids.slice(0, most).map((id) => (
        <li key={id}>{id}</li>
      ))}
    </Ids>
  );
}

function Ids({ label, count, tone, children }: { label: string; count: number; tone?: "bad" | "warn"; children: React.ReactNode }) {
  if (count === 0) return null;
  return (
    <details open={tone !== undefined || count <= 10}>
      <summary data-tone={tone}>{`${label}: ${count.toLocaleString("en-US")}`}</summary>
      <ul>
        {children}
        {count > most && <li>{`and ${(count - most).toLocaleString("en-US")} more`}</li>}
      </ul>
    </details>
  );
}
