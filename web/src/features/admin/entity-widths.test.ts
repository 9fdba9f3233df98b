import { expect, it } from "vitest";
import type { EntityKind } from "./entity-kind.ts";
import type { EntityRow } from "./entity-list.ts";
import { widthsOf } from "./entity-widths.ts";

const kind = { columns: [{ name: "email" }, { name: "roles" }, { name: "source", mono: true }] } as unknown as EntityKind;
const row = (id: string, ...cells: string[]) => ({ id, cells }) as unknown as EntityRow;

it("sizes a column for its longest text, within bounds", () => {
  const rows = [row("a", "x".repeat(30), "", "y".repeat(500)), row("long-enough-to-count", "x", "", "")];
  const { id, columns } = widthsOf(kind, rows, [0, 1, 2]);
  expect(columns).toEqual([240, 88, 400]);
  expect(id).toBe(172);
});

it("measures only shown columns, and keeps generated ids narrow", () => {
  const rows = [row("895327b0-fbb2-4967-97e6-57c5202bc649", "x".repeat(30), "", "")];
  expect(widthsOf({ ...kind, hasGeneratedId: true }, rows, [1])).toEqual({ id: 104, columns: [88] });
});
