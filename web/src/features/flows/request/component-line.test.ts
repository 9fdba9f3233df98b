import { expect, it } from "vitest";
import { componentLine } from "./component-line.ts";

const flow = {
  flowContents: {
    connections: [{ identifier: "c-1", source: { id: "p-1" } }],
    processors: [{ identifier: "p-1", instanceIdentifier: "p-2", name: "Poll" }],
  },
};

const component = (id: string, groupPath: string[] = []) => ({ id, groupPath });

const lineOf = (text: string, line: number | null): string | undefined => text.split("\n")[(line ?? 0) - 1]?.trim();

it("finds the line of a definition by the id of a component", () => {
  const text = JSON.stringify(flow, null, 2);
  expect(lineOf(text, componentLine(text, component("p-1")))).toBe('"identifier": "p-1",');
});

it("counts the lines of minified content as they are shown", () => {
  const padded = { comments: "x".repeat(2_000), ...flow };
  const shown = JSON.stringify(padded, null, 2);
  expect(lineOf(shown, componentLine(JSON.stringify(padded), component("p-1")))).toBe('"identifier": "p-1",');
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
  expect(componentLine(text.join("\n"), component("p-1"))).toBe(4);
});

it.each(["p-2", "p-9", '"', "</id>"])("finds no line for %j, which is not the id of a component", (id) => {
  expect(componentLine(JSON.stringify(flow, null, 2), component(id))).toBeNull();
});

it("finds the component of the right group if copied groups repeat its identifier", () => {
  const copy = (name: string) => ({ identifier: `g-${name}`, name, processors: [{ name: "Put", identifier: "put", at: name }] });
  const text = JSON.stringify(
    { flowContents: { identifier: "root", name: "All", processors: [], processGroups: [copy("A"), copy("B")] } },
    null,
    2,
  );
  const group = (id: string, path: string[]) => text.split("\n")[componentLine(text, component(id, path)) ?? 0]?.trim();
  expect(group("put@0a1b2c3d", ["All", "A"])).toBe('"at": "A"');
  expect(group("put@3d2c1b0a", ["All", "B"])).toBe('"at": "B"');
  expect(componentLine(text, component("put@3d2c1b0a#2", ["Elsewhere"]))).not.toBeNull();
});
