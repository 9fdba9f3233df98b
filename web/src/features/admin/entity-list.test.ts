import { expect, it } from "vitest";
import type { EntityKind } from "./entity-kind.ts";
import { enabledOf, filtered, firstSort, rowsOf, sorted } from "./entity-list.ts";

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
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

it("[ADMIN-04] finds by the id or a column, in any case, and by nothing else", () => {
  expect(ids(filtered(rows, "ALPHA"))).toEqual(["Alpha"]);
  expect(ids(filtered(rows, " öland "))).toEqual(["beta"]);
  expect(ids(filtered(rows, "hidden"))).toEqual([]);
  expect(ids(filtered(rows, ""))).toEqual(["beta", "Alpha"]);
});

it("sorts by what is shown, numbers by their value", () => {
  expect(ids(sorted(rows, firstSort(kind)))).toEqual(["Alpha", "beta"]);
  expect(ids(sorted(rows, { column: 1, descending: false }))).toEqual(["Alpha", "beta"]);
  expect(ids(sorted(rows, { column: 1, descending: true }))).toEqual(["beta", "Alpha"]);
});

it("a user's lock says whether the user is enabled", () => {
  expect(enabledOf({ version: 1, lockStatus: { disabled: true } })).toBe(false);
  expect(enabledOf({ version: 1, enabled: true })).toBe(true);
  expect(enabledOf({ version: 1 })).toBeUndefined();
});
