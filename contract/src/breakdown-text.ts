/** An entry of a grouping that is not a value, whether of an answer or of an engine. */
export type NamedEntry =
  | { readonly kind: "empty" | "other" | "outside" }
  | { readonly kind: "time"; readonly text: string }
  | { readonly kind: "part"; readonly name: string }
  | { readonly kind: "range"; readonly from: number | null; readonly to: number | null }
  | { readonly kind: "group"; readonly label: string };

/**
 * The name of an entry in tables for programs and in exported files: `2001-05-01T00:00`, `Friday`, `15 to 30`, `Other`. Null
 * for rows without a value. Values are their own names.
 */
export function entryName(entry: NamedEntry): string | null {
  switch (entry.kind) {
    case "empty":
      return null;
    case "other":
      return "Other";
    case "outside":
      return "Outside the years 1 to 9999";
    case "time":
      return entry.text;
    case "part":
      return entry.name;
    case "range":
      if (entry.from === null) return entry.to === null ? "all" : `below ${entry.to}`;
      return entry.to === null ? `${entry.from} and above` : `${entry.from} to ${entry.to}`;
    case "group":
      return entry.label;
    default:
      return entry satisfies never;
  }
}
