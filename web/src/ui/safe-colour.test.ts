import { expect, it } from "vitest";
import { safeColour } from "./safe-colour.ts";

it.each(["#1f5c3a", "#fff", "white", "rgb(31, 92, 58)", "rgb(31 92 58 / 50%)", "hsl(140deg 50% 24%)", " Navy "])(
  "lets the colour %s through",
  (colour) => {
    expect(safeColour(colour)).toBe(colour.trim());
  },
);

it.each(["url(https://evil.example/x)", "red; position: fixed", "var(--bg)", "expression(alert(1))", "", "rgb(var(--x))"])(
  "drops %j",
  (colour) => {
    expect(safeColour(colour)).toBeUndefined();
  },
);
