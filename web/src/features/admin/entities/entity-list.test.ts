import { expect, it } from "vitest";
import type { EntityKind } from "./entity-kind.ts";
import { enabledOf, filterRows, defaultSort, rowsOf, sortRows } from "./entity-list.ts";

const kind: EntityKind = {
  type: "filesets",
  title: "Filesets",
  noun: "fileset",
  plural: "filesets",
  idField: "id",
  columns: [{ name: "description" }, { name: "size", number: true }],
  template: {},
};
const rows = rowsOf(kind, [
  { version: 1, id: "beta", description: "Maps of Öland", size: 10, secret: "hidden" },
  { version: 1, id: "Alpha", description: "Charts", size: 9, enabled: false },
]);
const ids = (result: readonly { id: string }[]) => result.map(({ id }) => id);

it("[ADMIN-04] filters by id and columns only, ignoring case", () => {
  expect(ids(filterRows(rows, "ALPHA"))).toEqual(["Alpha"]);
  expect(ids(filterRows(rows, " öland "))).toEqual(["beta"]);
  expect(ids(filterRows(rows, "hidden"))).toEqual([]);
  expect(ids(filterRows(rows, ""))).toEqual(["beta", "Alpha"]);
});

it("sorts by the displayed text, and numbers by value", () => {
  expect(ids(sortRows(rows, defaultSort(kind)))).toEqual(["Alpha", "beta"]);
  expect(ids(sortRows(rows, { column: 1, descending: false }))).toEqual(["Alpha", "beta"]);
  expect(ids(sortRows(rows, { column: 1, descending: true }))).toEqual(["beta", "Alpha"]);
});

it("derives enabled from a user's lock", () => {
  expect(enabledOf({ version: 1, lockStatus: { disabled: true } })).toBe(false);
  expect(enabledOf({ version: 1, enabled: true })).toBe(true);
  expect(enabledOf({ version: 1 })).toBeUndefined();
});
