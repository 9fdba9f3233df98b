import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

it("charts use the colors of the design tokens, in order", () => {
  const tokens = [...read("web/src/ui/theme/tokens.css").matchAll(/--c\d: (#[0-9a-f]{6});/g)].map((match) => match[1]);
  const palette = [...read("contract/src/charts/graph-colors.ts").matchAll(/color: "(#[0-9a-f]{6})"/g)].map((match) => match[1]);
  expect(palette).toHaveLength(8);
  expect(palette).toEqual(tokens);
});

it("charts without a page use the light theme", () => {
  const [, light = ""] = /\[data-mantine-color-scheme="light"\] \{([^}]*)\}/.exec(read("web/src/ui/theme/tokens.css")) ?? [];
  const [, theme = ""] = /lightTheme: ChartTheme = \{([^}]*)\}/.exec(read("contract/src/charts/chart-theme.ts")) ?? [];
  const tokens = { text: "text", mutedText: "text-3", line: "line", strongLine: "line-mark", background: "bg" };
  for (const [name, token] of Object.entries(tokens)) {
    const [, color] = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(light) ?? [];
    expect([name, new RegExp(`\\b${name}: "(#[0-9a-f]{6})"`).exec(theme)?.[1]]).toEqual([name, color]);
  }
});

it.each([
  ["features/catalog/schema/schema.module.css", ".bars > span"],
  ["features/catalog/schema/schema.module.css", ".coverageChartBars span"],
  ["features/search/boards/panels/panels.module.css", ".sparkLine"],
  ["features/search/results/column-pictures/column-picture.module.css", ".picture path"],
  ["features/search/results/column-profile/profile-dialog.module.css", ".bar"],
  ["features/search/results/time-histogram/time-histogram.module.css", ".on"],
  ["parts/dataset-profile/dataset-profile.module.css", ".chart rect"],
  ["parts/dataset-profile/dataset-profile.module.css", ".chart polyline"],
])("pictures of data in %s draw `%s` in the first color of charts, not in that of controls", (path, selector) => {
  const rules = read(`web/src/${path}`)
    .split("}")
    .filter((rule) => rule.split("{")[0]?.trimEnd().endsWith(selector));
  expect(rules.some((rule) => rule.includes("var(--c1)"))).toBe(true);
  expect(rules.some((rule) => rule.includes("var(--accent"))).toBe(false);
});
