import { expect, it } from "vitest";
import { safeColor } from "./safe-color.ts";

it.each(["#1f5c3a", "#fff", "white", "rgb(31, 92, 58)", "rgb(31 92 58 / 50%)", "hsl(140deg 50% 24%)", " Navy "])(
  "accepts the color %s",
  (color) => {
    expect(safeColor(color)).toBe(color.trim());
  },
);

it.each(["url(https://evil.example/x)", "red; position: fixed", "var(--bg)", "expression(alert(1))", "", "rgb(var(--x))"])(
  "rejects %j",
  (color) => {
    expect(safeColor(color)).toBeUndefined();
  },
);
