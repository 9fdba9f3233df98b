import { expect, it } from "vitest";
import { withDialog } from "./open-dialogs.ts";

const openAll = (...zIndexes: number[]) =>
  zIndexes
    .map((zIndex, index) => ({ id: `${index}`, zIndex }))
    .reduce<ReturnType<typeof withDialog>>(withDialog, [])
    .map(({ id }) => id);

it("puts the last opened dialog on top", () => {
  expect(openAll(200, 200, 300)).toEqual(["0", "1", "2"]);
});

it("keeps a dialog with a higher z-index on top, as the command palette above a new notice", () => {
  expect(openAll(200, 320, 310)).toEqual(["0", "2", "1"]);
});
