import { formatCount, plural } from "@fairway/contract/counts";
import type { ColumnType } from "@fairway/contract/columns";
import { type Reading, type ReadingChoices, askedFields } from "@fairway/contract/readings";
import { Refusal } from "#http/refusal.ts";

/** Refuses a field and an answer that say different things of one decision. */
export function requireConsistent(choices: ReadingChoices | undefined, path: string): void {
  for (const field of askedFields) {
    const [chosen, answer] = [choices?.[field], choices?.answers?.[field]];
    if (chosen != null && answer != null && chosen !== answer)
      throw new Refusal("invalid-value", `'${path}.answers.${field}' is '${answer}', but '${path}.${field}' is '${chosen}'.`, {
        path: `${path}.answers.${field}`,
      });
  }
}

/** Refuses choices of lists and columns that are not there, and types that most values do not have. */
export function requireFitting(choices: ReadingChoices | undefined, reading: Reading): void {
  const { path: list } = choices ?? {};
  const documents = reading.files.filter(({ format }) => format === "json");
  if (list != null && documents.length > 0 && documents.every((file) => file.path !== list))
    throw new Refusal("invalid-value", `No file holds a list of rows at '${list}'.`, { path: "choices.path" });
  for (const [name, choice] of Object.entries(choices?.columns ?? {})) {
    if (choice?.type == null) continue;
    const path = `choices.columns.${name}`;
    const column = reading.columns.find((one) => one.name === name);
    if (column === undefined) throw new Refusal("unknown-column", `'${path}': there is no such column.`, { path });
    const { filled, unreadable } = column;
    if (unreadable.count * 2 > filled) {
      const are = `${formatCount(unreadable.count)} of ${formatCount(filled)} values of '${name}' ${plural(unreadable.count, "is", "are")}`;
      throw new Refusal("invalid-value", `${are} no ${nouns[choice.type]}.`, { path });
    }
  }
}

const nouns: Readonly<Record<ColumnType, string>> = {
  STRING: "texts",
  BOOLEAN: "true or false",
  integer: "integers",
  decimal: "decimals",
  TIMESTAMP_SECONDS: "times",
  TIMESTAMP_MILLS: "times",
};
