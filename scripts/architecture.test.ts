import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const packages = ["contract", "gateway", "web", "demo"] as const;

/** Who may import whose package. Imports run one way. */
const mayImport: Record<(typeof packages)[number], readonly string[]> = {
  contract: [],
  gateway: ["contract"],
  web: ["contract"],
  demo: ["contract"],
};

/** Inside the web app, from the top down: a room imports only rooms below it, and a feature never another feature. */
const webRooms = ["entries", "shell", "features", "parts", "ui", "lib"];

interface Import {
  file: string;
  specifier: string;
  /** Path below the root, where it is ours. */
  target: string | undefined;
}

const sources = packages.flatMap((name) =>
  readdirSync(join(root, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => join(name, "src", file)),
);

const imports: Import[] = sources.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:^|[\s;])(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  return specifiers.map((specifier) => ({ file, specifier, target: targetOf(file, specifier) }));
});

function targetOf(file: string, specifier: string): string | undefined {
  const [pkg = ""] = file.split("/");
  if (specifier.startsWith(".")) return relative(root, resolve(root, dirname(file), specifier));
  if (specifier.startsWith("#")) return join(pkg, "src", specifier.slice(1));
  const ours = /^@fairway\/(\w+)\/(.+)$/.exec(specifier);
  return ours ? join(ours[1] ?? "", "src", `${ours[2]}.ts`) : undefined;
}

const packageOf = (path: string): string => path.split("/")[0] ?? "";

describe("imports", () => {
  it("run one way between the packages", () => {
    const wrong = imports.filter(({ file, target }) => {
      if (target === undefined) return false;
      const from = packageOf(file) as (typeof packages)[number];
      return packageOf(target) !== from && !mayImport[from].includes(packageOf(target));
    });
    expect(wrong).toEqual([]);
  });

  it("give the contract nothing but zod", () => {
    const wrong = imports.filter(
      ({ file, specifier, target }) => packageOf(file) === "contract" && target === undefined && specifier !== "zod",
    );
    expect(wrong).toEqual([]);
  });

  it("run downwards between the web app's rooms, and from no feature to another", () => {
    const wrong = imports.filter(({ file, target }) => {
      if (target === undefined || packageOf(file) !== "web" || packageOf(target) !== "web") return false;
      const [from, to] = [webRoom(file), webRoom(target)];
      if (from === "features" && to === "features") return featureOf(file) !== featureOf(target);
      return webRooms.indexOf(to) < webRooms.indexOf(from);
    });
    expect(wrong).toEqual([]);
  });

  it("keep the capabilities apart: only the composition root imports them", () => {
    const wrong = imports.filter(({ file, target }) => {
      const to = capabilityOf(target ?? "");
      if (to === undefined || capabilityOf(file) === to) return false;
      return file !== "gateway/src/open-capabilities.ts" && !file.startsWith("gateway/src/testing/");
    });
    expect(wrong).toEqual([]);
  });

  it("have no circles", () => {
    const edges = new Map(
      sources.map((file) => [file, imports.filter((one) => one.file === file && one.target !== undefined).map((one) => one.target ?? "")]),
    );
    expect(imports.length).toBeGreaterThan(100);
    expect(findCircle(edges)).toEqual([]);
  });

  it("have no circles between folders of the web app or of the gateway", () => {
    const inFolders = imports.flatMap(({ file, target }) => {
      if (target === undefined || !["web", "gateway"].includes(packageOf(file)) || packageOf(target) !== packageOf(file)) return [];
      const [from, to] = [folderOf(file), folderOf(target)];
      // A worker thread is waited for, and refused, as an engine is.
      const isKnown = from === "gateway/src/threads" && to === "gateway/src/query";
      return from === to || isKnown ? [] : [{ from, to }];
    });
    const folders = new Set(inFolders.map(({ from }) => from));
    const edges = new Map([...folders].map((folder) => [folder, inFolders.filter(({ from }) => from === folder).map(({ to }) => to)]));
    expect(folders.size).toBeGreaterThan(40);
    expect(findCircle(edges)).toEqual([]);
  });
});

describe("texts that people store", () => {
  it("are shown as text: no source of the web app writes markup", () => {
    const web = sources.filter((file) => packageOf(file) === "web");
    expect(web.length).toBeGreaterThan(300);
    const writing =
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\.setHTML|srcDoc|createContextualFragment/;
    expect(web.filter((file) => writing.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });
});

function webRoom(path: string): string {
  const [, , room = ""] = path.split("/");
  return webRooms.includes(room) ? room : "entries";
}

const featureOf = (path: string): string => path.split("/")[3] ?? "";

/** A capability, feature or part is one folder, as are the other rooms. The screens of searching are folders of their own. */
function folderOf(path: string): string {
  const [pkg, src, room = "", name = ""] = path.split("/");
  if (path.startsWith("web/src/features/search/")) return dirname(path);
  if (["features", "parts", "capabilities"].includes(room)) return join(pkg ?? "", src ?? "", room, name);
  return join(pkg ?? "", src ?? "", room);
}

function capabilityOf(path: string): string | undefined {
  return /^gateway\/src\/capabilities\/([\w-]+)/.exec(path)?.[1];
}

/** The first circle of imports as a list of files, or an empty list. */
function findCircle(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of edges.get(file) ?? []) {
      const circle = visit(next, [...trail, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of edges.keys()) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
