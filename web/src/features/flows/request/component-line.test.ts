import { expect, it } from "vitest";
import { componentLine } from "./component-line.ts";

const flow = {
  flowContents: {
    connections: [{ identifier: "c-1", source: { id: "p-1" } }],
    processors: [{ identifier: "p-1", instanceIdentifier: "p-2", name: "Poll" }],
  },
};

const lineOf = (text: string, line: number | null): string | undefined => text.split("\n")[(line ?? 0) - 1]?.trim();

it("finds the line of a definition by the id of a component", () => {
  const text = JSON.stringify(flow, null, 2);
  expect(lineOf(text, componentLine(text, "p-1"))).toBe('"identifier": "p-1",');
});

it("counts the lines of minified content as they are shown", () => {
  const padded = { comments: "x".repeat(2_000), ...flow };
  const shown = JSON.stringify(padded, null, 2);
  expect(lineOf(shown, componentLine(JSON.stringify(padded), "p-1"))).toBe('"identifier": "p-1",');
});

it("finds the component of a template, not a connection that names it", () => {
  const text = [
    "<template>",
    "<connections><source><id>p-1</id></source></connections>",
    "<processors>",
    "<id>p-1</id>",
    "</processors>",
    "</template>",
  ];
  expect(componentLine(text.join("\n"), "p-1")).toBe(4);
});

it.each(["p-2", "p-9", '"', "</id>"])("finds no line for %j, which is not the id of a component", (id) => {
  expect(componentLine(JSON.stringify(flow, null, 2), id)).toBeNull();
});
