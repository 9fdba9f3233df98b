import { describe, expect, it } from "vitest";
import { sharedChunks } from "../web/shared-chunks.ts";

interface Source {
  imports?: readonly string[];
  onUse?: readonly string[];
  /** Characters. */
  length?: number;
}

const isScreen = (id: string): boolean => id.startsWith("screen");

/** The names of the chunks of all modules that have one. */
function chunksOf(sources: Readonly<Record<string, Source>>): Record<string, string> {
  const nameOf = sharedChunks("main", "login", isScreen);
  const graph = {
    getModuleInfo: (id: string) => {
      const source = sources[id];
      return source === undefined
        ? null
        : {
            code: "x".repeat(source.length ?? 100),
            importedIds: source.imports ?? [],
            dynamicallyImportedIds: source.onUse ?? [],
          };
    },
  };
  return Object.fromEntries(
    Object.keys(sources).flatMap((id) => {
      const name = nameOf(id, graph);
      return name === null ? [] : [[id, name]];
    }),
  );
}

const shell = {
  main: { imports: ["react", "frame"] },
  login: { imports: ["react"] },
  react: {},
};
const large = 200_000;
const others = Array.from({ length: 60 }, (_, number) => `screen-other-${number}`);

describe("chunks", () => {
  it("are base for what both pages load, and shell for what only the application loads, without its entry", () => {
    expect(chunksOf({ ...shell, frame: {} })).toStrictEqual({ react: "base", frame: "shell" });
  });

  it("of small modules that few screens share are merged, whoever shares which", () => {
    const chunks = chunksOf({
      ...shell,
      frame: { onUse: ["screen-1", "screen-2", "screen-3", ...others] },
      "screen-1": { imports: ["a", "b"] },
      "screen-2": { imports: ["a", "c"] },
      "screen-3": { imports: ["b", "c"] },
      a: { length: 40_000 },
      b: { length: 40_000 },
      c: { length: 40_000 },
    });
    expect(new Set([chunks["a"], chunks["b"], chunks["c"]]).size).toBe(1);
    expect(chunks["a"]).not.toBe("shell");
  });

  it("never make a screen load much that it does not need", () => {
    const chunks = chunksOf({
      ...shell,
      frame: { onUse: ["screen-1", "screen-2", "screen-3", ...others] },
      "screen-1": { imports: ["a", "b"] },
      "screen-2": { imports: ["a", "b"] },
      "screen-3": { imports: ["b"] },
      a: { length: large },
      b: { length: large },
    });
    expect(new Set([chunks["a"], chunks["b"], "shell"]).size).toBe(3);
  });

  it("are merged with small ones at a cost that is too high for others", () => {
    const chunks = (length: number) =>
      chunksOf({
        ...shell,
        frame: { onUse: ["screen-1", "screen-2", "screen-3", ...others] },
        "screen-1": { imports: ["a", "b"] },
        "screen-2": { imports: ["a", "b"] },
        "screen-3": { imports: ["b"] },
        a: { length: 110_000 },
        b: { length },
      });
    const [small, medium] = [chunks(18_000), chunks(50_000)];
    expect(small["a"]).toBe(small["b"]);
    expect(medium["a"]).not.toBe(medium["b"]);
  });

  it("take small modules that most screens load into the shell, with all that these import", () => {
    const chunks = chunksOf({
      ...shell,
      frame: { onUse: ["screen-1", "screen-2", "screen-3"] },
      "screen-1": { imports: ["button"] },
      "screen-2": { imports: ["button"] },
      "screen-3": { imports: ["icon"] },
      button: { imports: ["icon"] },
      icon: {},
    });
    expect(chunks["button"]).toBe("shell");
    expect(chunks["icon"]).toBe("shell");
  });

  it("leave what only one part loads, and parts themselves, to files of their own", () => {
    const chunks = chunksOf({
      ...shell,
      frame: { onUse: ["screen-1", "screen-2"] },
      "screen-1": { imports: ["own", "screen-2"] },
      "screen-2": {},
      own: {},
    });
    expect(chunks).toStrictEqual({ react: "base", frame: "shell" });
  });

  it("never import each other", () => {
    const sources: Record<string, Source> = {
      ...shell,
      frame: { onUse: ["screen-1", "screen-2", "screen-3"] },
      "screen-1": { imports: ["top"] },
      "screen-2": { imports: ["top"] },
      "screen-3": { imports: ["bottom"] },
      "screen-4": {},
      top: { imports: ["middle"] },
      // Too large to be merged with the others.
      middle: { imports: ["bottom"], length: 4 * large },
      bottom: { length: 30_000 },
    };
    const chunks = chunksOf(sources);
    const importing = (from: string, to: string) =>
      Object.entries(sources).some(
        ([id, { imports = [] }]) => chunks[id] === from && imports.some((one) => chunks[one] === to && to !== from),
      );
    const names = [...new Set(Object.values(chunks))];
    for (const one of names) for (const other of names) expect(one !== other && importing(one, other) && importing(other, one)).toBe(false);
  });

  it("without the shell for what the login page loads on use", () => {
    const chunks = chunksOf({
      main: { imports: ["react", "frame"] },
      login: { imports: ["react"], onUse: ["setup"] },
      react: {},
      frame: { onUse: ["screen-1", "screen-2"], length: large },
      setup: { imports: ["field"] },
      "screen-1": { imports: ["field"] },
      "screen-2": { imports: ["field"] },
      field: {},
    });
    expect(chunks["field"]).toBeDefined();
    expect(chunks["field"]).not.toBe("shell");
  });

  it("of a library that one file imports whole follow what each module takes from it", () => {
    const index = "/node_modules/@mantine/core/esm/index.mjs";
    const [menu, text] = ["/node_modules/@mantine/core/esm/menu.mjs", "/node_modules/@mantine/core/esm/text.mjs"];
    const nameOf = sharedChunks("main", "login", isScreen);
    const taking = (name: string) => ({
      code: `import { ${name} } from "@mantine/core";`,
      importedIds: [index],
      dynamicallyImportedIds: [],
    });
    const modules: Record<string, { code: string; importedIds: string[]; dynamicallyImportedIds: string[] }> = {
      main: { ...taking("Text"), dynamicallyImportedIds: ["screen-1", "screen-2"] },
      login: { code: "", importedIds: [], dynamicallyImportedIds: [] },
      "screen-1": taking("Menu as Choices, Text"),
      "screen-2": taking("Menu"),
      [index]: {
        code: 'import { Menu } from "./menu.mjs";\nimport { Text } from "./text.mjs";\nexport { Menu, Text };',
        importedIds: [menu, text],
        dynamicallyImportedIds: [],
      },
      [menu]: { code: "x".repeat(4 * large), importedIds: [], dynamicallyImportedIds: [] },
      [text]: { code: "", importedIds: [], dynamicallyImportedIds: [] },
    };
    const graph = { getModuleInfo: (id: string) => modules[id] ?? null };
    expect(nameOf(text, graph)).toBe("shell");
    expect(nameOf(menu, graph)).not.toBe("base");
    expect(nameOf(menu, graph)).not.toBeNull();
  });
});
