import { expect, it } from "vitest";
import { agoText } from "./ago-text.ts";

it.each([
  [-5_000, "just now"],
  [59_999, "just now"],
  [60_000, "1 minute ago"],
  [3 * 3_600_000 + 1, "3 hours ago"],
  [12.9 * 86_400_000, "12 days ago"],
  [70 * 86_400_000, "2 months ago"],
  [800 * 86_400_000, "2 years ago"],
])("says how long ago a time was (%s ms)", (ageMs, text) => {
  expect(agoText(1_000_000_000_000 - ageMs, 1_000_000_000_000)).toBe(text);
});
