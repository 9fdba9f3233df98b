import type { DatasetDescription, Fairway } from "../client/index.ts";
import { UsageError } from "./failures.ts";

type Column = DatasetDescription["schema"]["columns"][number];

/** The formulas of `--compute`, by the names of their columns: `late=delay > 15`. */
export function computedOf(texts: readonly string[] = []): Record<string, string> | undefined {
  if (texts.length === 0) return undefined;
  return Object.fromEntries(
    texts.map((text): [string, string] => {
      const at = text.indexOf("=");
      const [name, formula] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      if (at < 1 || name === "" || formula === "") {
        throw new UsageError(`--compute ${JSON.stringify(text)} is not of the form NAME=FORMULA, such as 'late=delay > 15'.`);
      }
      return [name, formula];
    }),
  );
}

/** Rows that are looked at to find out of which type a computed column is. */
const sampledRows = 100;

/** The description with the computed columns, whose types are those of their values in some rows. */
export async function describedWith(
  description: DatasetDescription,
  computed: Record<string, string> | undefined,
  fairway: Fairway,
  dataset: string,
  signal: AbortSignal,
): Promise<DatasetDescription> {
  if (computed === undefined) return description;
  const rows = await fairway.search(dataset, { computed, limit: sampledRows, signal }).rows();
  const columns = Object.keys(computed).map((name): Column => ({
    name,
    type: typeOf(rows.map((row) => row[name] ?? null)),
    description: "",
    combined: null,
  }));
  return { ...description, schema: { columns: [...description.schema.columns, ...columns] } };
}

function typeOf(values: readonly (string | number | boolean | null)[]): Column["type"] {
  const value = values.find((one) => one !== null);
  if (typeof value === "boolean") return "BOOLEAN";
  return typeof value === "number" ? "decimal" : "STRING";
}
