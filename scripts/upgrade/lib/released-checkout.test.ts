import { expect, it } from "vitest";
import { isInHistory } from "./released-checkout.mjs";

it("a commit that the clone lacks is not in its history", () => {
  expect(isInHistory({ name: "r0", commit: "0000000", date: "" })).toBe(false);
});
