import { expect, it } from "vitest";
import { svgWeight } from "./svg-weight.ts";

const limit = 1_000;
const drawing = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
const nested = (piece: (target: string) => string) =>
  drawing(
    `<rect id="u0"/>${Array.from({ length: 9 }, (_, level) => `<g id="u${level + 1}">${piece(`#u${level}`).repeat(10)}</g>`).join("")}`,
  );

it("counts elements as often as they are drawn", () => {
  expect(svgWeight(drawing("<g><rect/><rect/></g>"), limit)).toBe(4);
  expect(svgWeight(drawing('<g id="a"><rect/></g><use href="#a"/><use href="#a"/><use href="#b"/>'), limit)).toBe(10);
  expect(svgWeight(drawing('<g id="a"><use href="#a"/></g>'), limit)).toBeLessThan(10);
});

it.each([
  ["uses", nested((target) => `<use href="${target}"/>`)],
  ["uses by the older name", nested((target) => `<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${target}"/>`)],
  ["patterns", nested((target) => `<rect style="fill: url('${target}')"/>`)],
  ["entities", `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing("&a;")}`],
  ["levels", drawing(`${"<g>".repeat(4_000)}${"</g>".repeat(4_000)}`)],
])("finds that a few kilobytes of %s are too much", (_, text) => {
  expect(svgWeight(text, limit)).toBeGreaterThan(limit);
});
