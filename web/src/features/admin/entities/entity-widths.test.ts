import { expect, it } from "vitest";
import type { EntityKind } from "./entity-kind.ts";
import type { EntityRow } from "./entity-list.ts";
import { trackOf, widthsOf } from "./entity-widths.ts";

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

it("gives capital letters more room, and takes missing room from wide columns first", () => {
  const { columns } = widthsOf(kind, [row("a", "AGENTS, AND CAPITALS", "", "")], [0]);
  expect(columns).toEqual([Math.ceil((20 + 17 * 0.2) * 7.2) + 24]);
  expect([140, 400].map(trackOf)).toEqual(["minmax(140px, 140fr)", "minmax(240px, 400fr)"]);
});

it("leaves room for the arrow beside the name of the sorted column", () => {
  const users = { columns: [{ name: "username" }] } as unknown as EntityKind;
  expect(widthsOf(users, [row("a", "admin")], [0]).columns).toEqual([Math.ceil(8 * 7.2) + 18 + 24]);
});
