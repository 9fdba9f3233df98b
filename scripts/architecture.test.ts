import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const packages = ["contract", "expressions", "gateway", "web", "demo", "sdk"] as const;

/** The packages that each package may import. */
const mayImport: Record<(typeof packages)[number], readonly string[]> = {
  contract: [],
  expressions: ["contract"],
  gateway: ["contract", "expressions"],
  web: ["contract", "expressions"],
  demo: ["contract"],
  // Installed without the rest: the command line carries the grammar of filters, the client nothing.
  sdk: ["contract"],
};

/** The layers of the gateway, top down: a folder imports only folders of layers below its own. */
const gatewayLayers = [
  ["testing"],
  ["operate"],
  ["portal"],
  ["capabilities", "seed"],
  ["config"],
  ["openid", "entities", "personal", "own-data", "uploads", "jolt", "charts", "flow-definitions", "nifi", "background"],
  ["sharing"],
  ["identity"],
  ["http"],
  ["query"],
  ["threads", "storage", "database", "outbound", "log"],
  ["tracing", "json"],
  ["secrets"],
  ["process"],
  ["turns"],
];

/** The layers of the web app, top down: each imports only layers below it, and a feature never imports another feature. */
const webLayers = ["entries", "shell", "features", "parts", "ui", "lib"];

interface Import {
  file: string;
  specifier: string;
  /** Path relative to the root; undefined for external packages. */
  target: string | undefined;
}

const sources = packages.flatMap((name) =>
  readdirSync(join(root, name, "src"), { recursive: true, encoding: "utf8" })
    // The states of screens belong to tests. Those of sessions do not.
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !(name === "web" && file.endsWith("-states.ts")))
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
  const workspaceImport = /^@fairway\/(\w+)\/(.+)$/.exec(specifier);
  return workspaceImport ? join(workspaceImport[1] ?? "", "src", `${workspaceImport[2]}.ts`) : undefined;
}

const shown = ({ file, specifier }: Import): string => `${file} imports ${specifier}`;

const linksFolders = ({ file, target }: Import, from: string, to: string): boolean =>
  target !== undefined && folderOf(file) === from && folderOf(target) === to;

/** The one exception: worker threads use the engines' slots and errors. */
const isEngineInThread = (from: string, to: string): boolean => from === "gateway/src/threads" && to === "gateway/src/query";

const packageOf = (path: string): string => path.split("/")[0] ?? "";

/** Sources of the gateway with a text, without those of tests. */
const gatewayFilesWith = (text: string): string[] =>
  sources
    .filter((file) => file.startsWith("gateway/src/") && !/\/(testing\/|test-)/.test(file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes(text))
    .map((file) => file.slice("gateway/src/".length))
    .toSorted();

describe("imports", () => {
  it("follow the allowed direction between packages", () => {
    const violations = imports.filter(({ file, target }) => {
      if (target === undefined) return false;
      const from = packageOf(file) as (typeof packages)[number];
      return packageOf(target) !== from && !mayImport[from].includes(packageOf(target));
    });
    expect(violations.map(shown), "Move what both packages need to contract/src, or pass it in where scripts/ joins them.").toEqual([]);
  });

  it("of external packages in the contract are limited to zod", () => {
    const violations = imports.filter(
      ({ file, specifier, target }) => packageOf(file) === "contract" && target === undefined && specifier !== "zod",
    );
    expect(violations.map(shown), "Use what needs the package in gateway or web, and keep only shapes and rules in the contract.").toEqual(
      [],
    );
  });

  it("of the schemas of entities never come with the routes that users call, which screens load", () => {
    const forUsers = sources.filter(
      (file) => packageOf(file) === "contract" && /access: "signed-in"/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(forUsers.length).toBeGreaterThan(30);
    const violations = imports.filter(
      ({ file, target }) => forUsers.includes(file) && target === "contract/src/entities.ts" && file !== "contract/src/feedback.ts",
    );
    expect(violations.map(shown), "Move the schema that administrators store to a file of its own, as notice-entity.ts.").toEqual([]);
  });

  it("of the clients are limited to their own sources and Node.js", () => {
    const violations = imports.filter(
      ({ file, specifier, target }) => packageOf(file) === "sdk" && target === undefined && !specifier.startsWith("node:"),
    );
    expect(violations.map(shown), "Write it with Node.js alone: users install the clients without other packages.").toEqual([]);
    const fromContract = imports.filter(({ file, target }) => packageOf(file) === "sdk" && target?.startsWith("contract/") === true);
    const grammars = /^contract\/src\/(?:filter-|measure-text\.ts$|breakdown-text\.ts$)/;
    const notGrammar = fromContract.filter(({ target }) => !grammars.test(target ?? ""));
    expect(notGrammar.map(shown), "Only the grammars of filters, measures and groups are packed: they need no package.").toEqual([]);
    const clientImports = imports.filter(({ file }) => file.startsWith("sdk/src/client/"));
    const inClient = /^(?:sdk\/src\/client\/|contract\/src\/(?:measure|breakdown)-text\.ts$)/;
    const leaving = clientImports.filter(({ target }) => !inClient.test(target ?? ""));
    expect(leaving.map(shown), "Move it to sdk/src/client: the client also runs in browsers, and without the command line.").toEqual([]);
  });

  it("go down between the web app's layers, and never between features", () => {
    const violations = imports.filter(({ file, target }) => {
      if (target === undefined || packageOf(file) !== "web" || packageOf(target) !== "web") return false;
      const [from, to] = [webLayer(file), webLayer(target)];
      if (from === "features" && to === "features") return featureOf(file) !== featureOf(target);
      return webLayers.indexOf(to) < webLayers.indexOf(from);
    });
    const advice = `Move what several features share to web/src/parts (or ui and lib, if it knows no dataset), and pass the rest in from above. The layers, top down: ${webLayers.join(", ")}.`;
    expect(violations.map(shown), advice).toEqual([]);
  });

  it("go down between the gateway's layers", () => {
    const layerOf = (path: string) => gatewayLayers.findIndex((layer) => layer.includes(path.split("/")[2] ?? ""));
    const inGateway = imports.filter(({ file, target }) => packageOf(file) === "gateway" && packageOf(target ?? "") === "gateway");
    const unknown = inGateway.filter(({ file }) => layerOf(file) === -1).map(({ file }) => file);
    expect(unknown, "Give the folder a layer in gatewayLayers of scripts/architecture.test.ts, and a row in docs/folders.md.").toEqual([]);
    const violations = inGateway.filter(({ file, target = "" }) => {
      const isBelow = layerOf(target) > layerOf(file);
      return !isBelow && folderOf(file) !== folderOf(target) && !isEngineInThread(folderOf(file), folderOf(target));
    });
    const advice = `Move what the folder needs to a folder below, or have a folder above pass it in. The layers, top down: ${gatewayLayers.map((layer) => layer.join(" and ")).join(", ")}.`;
    expect(violations.map(shown), advice).toEqual([]);
  });

  it("of capabilities occur only in the composition root and in commands for operators", () => {
    const violations = imports.filter(({ file, target }) => {
      const to = capabilityOf(target ?? "");
      if (to === undefined || capabilityOf(file) === to) return false;
      return !/^gateway\/src\/(?:portal\/capabilities|operate|testing)\//.test(file);
    });
    const advice =
      "Have its file in gateway/src/portal/capabilities pass in the function that is needed, or move what both share to a folder below.";
    expect(violations.map(shown), advice).toEqual([]);
  });

  it("have no cycles", () => {
    const edges = new Map(
      sources.map((file) => [file, imports.filter((one) => one.file === file && one.target !== undefined).map((one) => one.target ?? "")]),
    );
    expect(imports.length).toBeGreaterThan(100);
    expect(findCycle(edges), "Move what the files of this circle share to a file of its own, which imports none of them.").toEqual([]);
  });

  it("have no cycles between folders of the web app or of the gateway", () => {
    const inFolders = imports.flatMap(({ file, target }) => {
      if (target === undefined || !["web", "gateway"].includes(packageOf(file)) || packageOf(target) !== packageOf(file)) return [];
      const [from, to] = [folderOf(file), folderOf(target)];
      return from === to || isEngineInThread(from, to) ? [] : [{ from, to }];
    });
    const folders = new Set(inFolders.map(({ from }) => from));
    const edges = new Map([...folders].map((folder) => [folder, inFolders.filter(({ from }) => from === folder).map(({ to }) => to)]));
    expect(folders.size).toBeGreaterThan(40);
    const advice = "Move the file that closes this circle of folders to the folder that needs it, or what both share to a folder below.";
    const cycle = findCycle(edges);
    const links = cycle.slice(1).map((to, at) => imports.find((one) => linksFolders(one, cycle[at] ?? "", to)));
    expect(
      links.flatMap((link) => (link === undefined ? [] : [shown(link)])),
      advice,
    ).toEqual([]);
    expect(cycle).toEqual([]);
  });
});

describe("readers of data", () => {
  it("are made only where accounts, sessions and keys are read, and for the commands and the demo that act without one", () => {
    expect(gatewayFilesWith("SignedInUser.make(")).toEqual([
      "capabilities/api-keys/callers.ts",
      "capabilities/flows/seed-flows.ts",
      // Sees one dataset as somebody would, for administrators who decide about its rules.
      "identity/made-up-reader.ts",
      "identity/session-states.ts",
      "identity/user-without-session.ts",
      "operate/reset-admin.ts",
    ]);
  });

  it("get whole datasets only from their views; inspecting sources and reading imports see whole files", () => {
    expect(gatewayFilesWith("Scope.whole")).toEqual([
      "capabilities/dataset-administration/inspect-source.ts",
      "capabilities/datasets/dataset-view.ts",
      "capabilities/datasets/reader-part.ts",
      "capabilities/imports/read-files.ts",
    ]);
    expect(gatewayFilesWith("Scope.of(")).toEqual(["capabilities/datasets/reader-part.ts"]);
  });

  it("get figures over all rows through their views alone; evaluating quality, and telling administrators of it, takes them whole", () => {
    expect(gatewayFilesWith("FigureView.")).toEqual(["capabilities/datasets/figure-view.ts"]);
    expect(gatewayFilesWith(".forPortal()")).toEqual(["capabilities/dataset-quality/capability.ts"]);
  });

  it("meet a source's rows only where its table is made, which the scope then narrows", () => {
    expect(gatewayFilesWith("metadata.from")).toEqual(["query/duckdb/source-table.ts", "query/presto/described-table.ts"]);
  });
});

describe("the web app", () => {
  it("loads calls to the gateway with the screen that makes them, not in another request before each", () => {
    const late = sources.filter(
      (file) => packageOf(file) === "web" && /import\("[^"]*\bcalls\.ts"\)/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(late).toEqual([]);
  });
});

describe("texts stored by users", () => {
  it("are rendered as text: no source of the web app writes markup", () => {
    const web = sources.filter((file) => packageOf(file) === "web");
    expect(web.length).toBeGreaterThan(300);
    const markupWriters =
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\.setHTML|srcDoc|createContextualFragment/;
    const writing = web.filter((file) => markupWriters.test(readFileSync(join(root, file), "utf8")));
    expect(writing, "Render it with React, which escapes texts; Markdown with web/src/parts/markdown.").toEqual([]);
  });
});

function webLayer(path: string): string {
  const [, , layer = ""] = path.split("/");
  return webLayers.includes(layer) ? layer : "entries";
}

const featureOf = (path: string): string => path.split("/")[3] ?? "";

/** Each capability, feature and part counts as one folder, like the other top-level folders. The search feature's folders count separately. */
function folderOf(path: string): string {
  const [pkg, src, top = "", name = ""] = path.split("/");
  if (path.startsWith("web/src/features/search/")) return dirname(path);
  if (["features", "parts", "capabilities"].includes(top)) return join(pkg ?? "", src ?? "", top, name);
  return join(pkg ?? "", src ?? "", top);
}

function capabilityOf(path: string): string | undefined {
  return /^gateway\/src\/capabilities\/([\w-]+)/.exec(path)?.[1];
}

/** The first import cycle as a list of files, or an empty list. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
