import { expect, it } from "vitest";
import { withDialog } from "./open-dialogs.ts";

const opened = (...zIndexes: number[]) =>
  zIndexes
    .map((zIndex, at) => ({ id: `${at}`, zIndex }))
    .reduce<ReturnType<typeof withDialog>>(withDialog, [])
    .map(({ id }) => id);

it("puts the dialog that opened last above the others", () => {
  expect(opened(200, 200, 300)).toEqual(["0", "1", "2"]);
});

it("leaves above what lies higher by its own, as a notice that arrives below the command palette", () => {
  expect(opened(200, 320, 310)).toEqual(["0", "2", "1"]);
});
