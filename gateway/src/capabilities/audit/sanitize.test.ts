import { expect, it } from "vitest";
import { oneLine, pathOf, userAgentOf } from "./sanitize.ts";

it.each([
  ["/api/datasets/Luft%20fahrt/a%2Fb?q=1", "/api/datasets/Luft fahrt/a%2Fb"],
  ["/api/x#y", "/api/x"],
  ["/api/%E0%A4%A", "/api/%E0%A4%A"],
  ["", ""],
])("converts %j to the path %j", (url, path) => {
  expect(pathOf(url, undefined)).toBe(path);
});

it("truncates long text between characters with an ellipsis", () => {
  const cut = oneLine("🐦".repeat(400), 300);
  expect(cut.length).toBeLessThanOrEqual(300);
  expect(cut).toMatch(/^(🐦)+\u{fffd}?…$/u);
  expect(oneLine("x".repeat(300), 300)).toBe("x".repeat(300));
});

it("replaces lone surrogates", () => {
  expect(oneLine("a\ud800b", 10)).toBe("a\u{fffd}b");
});

it("hides a token completely, even if it is longer than the limit", () => {
  expect(userAgentOf(`bot eyJ${"a".repeat(2_000)}.${"b".repeat(2_000)}.c`)).toBe("bot [hidden]");
});
