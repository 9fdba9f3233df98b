import { expect, it } from "vitest";
import { isInHistory } from "./released-checkout.mjs";

it("reports that an unknown commit is not in the history", () => {
  expect(isInHistory({ name: "r0", commit: "0000000", date: "" })).toBe(false);
});
