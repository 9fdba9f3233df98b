import { pluralize } from "@fairway/contract/counts";
import type { ImportPreview } from "@fairway/contract/entities";
import classes from "./import-dialog.module.css";

const maxShown = 100;

/** The changes that an import would make, grouped by outcome. */
export function ImportPreviewList({ preview }: { preview: ImportPreview }) {
  const { added, changed, unchanged, removed, refused, warned = [], noted = [] } = preview;
  return (
    <div className={classes["preview"]} role="region" aria-label="Preview">
      {refused.length > 0 && (
        <p
          className={classes["note"]}
        >{`${pluralize(refused.length, "entity has", "entities have")} problems. Fix the file, then import again.`}</p>
      )}
      <Outcome label="Refused" tone="bad" count={refused.length}>
        {refused.slice(0, maxShown).map(({ index, id, errors }) => (
          <li key={`${index} ${id}`}>
            <strong>{id ?? (index === null ? "The whole import" : `No. ${index + 1}`)}</strong>:{" "}
            {withMissingTogether(errors.map(({ message }) => message)).join(" ")}
          </li>
        ))}
      </Outcome>
      <Outcome label="Does not work yet" tone="warn" count={warned.length}>
        {warned.slice(0, maxShown).map(({ id, warnings }) => (
          <li key={id}>
            <strong>{id}</strong>: {warnings.map(({ message }) => message).join(" ")}
          </li>
        ))}
      </Outcome>
      <Outcome label="Who sees what" tone="warn" count={noted.length}>
        {noted.slice(0, maxShown).map(({ id, notes }) => (
          <li key={id}>
            <strong>{id}</strong> {notes.join(", ")}
          </li>
        ))}
      </Outcome>
      <IdList label="Added" ids={added} />
      <IdList label="Changed" ids={changed} />
      <IdList label="Removed" ids={removed} />
      <IdList label="Unchanged" ids={unchanged} />
    </div>
  );
}

function IdList({ label, ids }: { label: string; ids: readonly string[] }) {
  return (
    <Outcome label={label} count={ids.length}>
      {ids.slice(0, maxShown).map((id) => (
        <li key={id}>{id}</li>
      ))}
    </Outcome>
  );
}

function Outcome({ label, count, tone, children }: { label: string; count: number; tone?: "bad" | "warn"; children: React.ReactNode }) {
  if (count === 0) return null;
  return (
    <details open={tone !== undefined || count <= 10}>
      <summary data-tone={tone}>{`${label}: ${count.toLocaleString("en-US")}`}</summary>
      <ul>
        {children}
        {count > maxShown && <li>{`and ${(count - maxShown).toLocaleString("en-US")} more`}</li>}
      </ul>
    </details>
  );
}

/** Missing fields of one entity become one sentence. */
function withMissingTogether(messages: readonly string[]): string[] {
  const missing: string[] = [];
  const others: string[] = [];
  for (const message of messages) {
    const plain = message.replace(/^Entity \d+: /, "");
    const field = /^'(.+)': is missing\.$/.exec(plain)?.[1];
    if (field === undefined) others.push(plain);
    else missing.push(field);
  }
  return missing.length === 0 ? others : [`${pluralize(missing.length, "field")} missing: ${missing.join(", ")}.`, ...others];
}
