import { readFile, stat } from "node:fs/promises";
import { doc, fileset } from "@fairway/contract/entity-schemas";
import { filePathProblem } from "@fairway/contract/filesets";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { stormTracks } from "./tropical-weather.ts";
import { demoPlatform } from "./platform.ts";

interface BuiltFile {
  readonly path: string;
  /** Undefined for a file that is copied. */
  readonly content?: string;
  readonly tags: Readonly<Record<string, string>>;
}

let instance: DuckDBInstance;
let connection: DuckDBConnection;
const built = new Map<string, BuiltFile[]>();

const filled = (select: string, sources: Readonly<Record<string, string>>) =>
  select.replaceAll(/\{(\w+)\}/g, (_, name: string) => `'${(sources[name] ?? "").replaceAll("'", "''")}'`);
/** Rows of a statement whose columns are all texts. */
const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS() as Record<string, string>[];
const filesOf = (id: string): readonly BuiltFile[] => built.get(id) ?? [];
const fileOf = (id: string, path: string) => filesOf(id).find((file) => file.path === path);
const below = (id: string, folder: string) => filesOf(id).filter(({ path }) => path.startsWith(folder));

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false", autoload_known_extensions: "false" });
  connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  for (const { entity, selects, copies, sources } of demoPlatform.filesets) {
    const files: BuiltFile[] = copies.map(({ path, tags }) => ({ path, tags }));
    for (const select of selects) {
      for (const { path = "", content = "", tags = "" } of await rows(`select path, content, tags from (${filled(select, sources)})`)) {
        files.push({ path, content, tags: JSON.parse(tags) as Record<string, string> });
      }
    }
    built.set(entity.id, files);
  }
});
afterAll(() => instance.closeSync());

describe.each(demoPlatform.filesets.map(({ entity, copies }) => ({ id: entity.id, entity, copies })))("the fileset $id", (recipe) => {
  it("is a valid fileset whose files have distinct valid paths", () => {
    expect(fileset.safeParse(recipe.entity).error?.issues).toBeUndefined();
    expect(recipe.entity.description).toMatch(/^\S.{7,}[.]$/s);
    const paths = filesOf(recipe.id).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => filePathProblem(path) !== undefined)).toEqual([]);
  });

  it("copies only existing files", async () => {
    for (const { from } of recipe.copies) expect((await stat(from)).size).toBeGreaterThan(0);
  });
});

describe("storm-archive", () => {
  it("has the file of each storm under the path that storm-tracks names", async () => {
    const named = await rows(`
      select track_path || ' ' || count(*) as storm from (${filled(stormTracks.select, stormTracks.sources)}) group by track_path
      order by track_path`);
    const positions = (content = "") => content.split("\n").length - 2;
    const held = below("storm-archive", "by-storm/").map(({ path, content }) => `${path} ${positions(content)}`);
    expect(held.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(named.map(({ storm }) => storm));
    expect(held).toHaveLength(511);
  });

  it("has tables, tracks, a summary, a report and a map of each of 46 seasons", () => {
    expect(below("storm-archive", "by-year/")).toHaveLength(4 * 46);
    expect(below("storm-archive", "maps/").filter(({ path }) => path.endsWith(".svg"))).toHaveLength(46);
    expect(JSON.parse(fileOf("storm-archive", "by-year/2005/summary.json")?.content ?? "")).toMatchObject({
      storms: 21,
      hurricanes: 12,
      strongest: { name: "Wilma", file: "by-storm/2005-17-Wilma.csv" },
    });
    const tracks = JSON.parse(fileOf("storm-archive", "by-year/2005/tracks.geojson")?.content ?? "") as { features: unknown[] };
    expect(tracks.features).toHaveLength(21);
  });

  it("has year, basin and highest category of every file as tags", () => {
    const untagged = filesOf("storm-archive").filter(
      ({ tags }) => !/^\d{4}(-\d{4})?$/.test(tags["year"] ?? "") || !tags["basin"] || !/^(-1|[0-5])$/.test(tags["max-category"] ?? ""),
    );
    expect(untagged).toEqual([]);
    expect(fileOf("storm-archive", "by-storm/2005-06-Katrina.csv")?.tags).toEqual({
      year: "2005",
      basin: "North Atlantic",
      "max-category": "5",
      storm: "Katrina",
    });
  });
});

describe("flight-archive", () => {
  it("has more files in its one folder than a page of a listing", () => {
    expect(filesOf("flight-archive")).toHaveLength(1_338);
    expect(filesOf("flight-archive").filter(({ path }) => path.includes("/"))).toEqual([]);
  });

  it("has one row for each day of an airport's month, and the airport as tags", () => {
    const { content = "", tags } = fileOf("flight-archive", "DEN-2001-02.csv") ?? {};
    expect(content.trim().split("\n")).toHaveLength(1 + 28);
    expect(tags).toEqual({ airport: "DEN", name: "Denver Intl", city: "Denver", state: "CO", month: "2001-02" });
  });
});

describe("public-data", () => {
  it("accepts uploads, as the only one", () => {
    expect(demoPlatform.filesets.filter(({ entity }) => entity.allowsUploads).map(({ entity }) => entity.id)).toEqual(["public-data"]);
  });

  it("names source and license of every file that is not ours", () => {
    const foreign = filesOf("public-data").filter(({ path }) => path !== "README.md");
    expect(foreign.filter(({ tags }) => !tags["source"] || !tags["license"])).toEqual([]);
    expect(new Set(foreign.map(({ path }) => path.split(".").at(-1)))).toEqual(new Set(["csv", "tsv", "json", "parquet", "arrow"]));
  });

  it("has a JSON file beyond the limit of the preview", async () => {
    const recipe = demoPlatform.filesets.find(({ entity }) => entity.id === "public-data");
    const large = recipe?.copies.find(({ path }) => path === "aviation/flights-200k.json");
    expect((await stat(large?.from ?? "")).size).toBeGreaterThan(5_000_000);
  });
});

describe("help", () => {
  const recipe = demoPlatform.filesets.find(({ entity }) => entity.id === "help");
  const { supplementalHelp } = demoPlatform.settings;

  it("answers questions, in one paragraph or several, also beyond ASCII", async () => {
    const text = await readFile(recipe?.copies.find(({ path }) => path === "faq.json")?.from ?? "", "utf8");
    const entries = z.array(
      z.strictObject({ question: z.string().min(1), answer: z.union([z.string().min(1), z.array(z.string().min(1)).min(2)]) }),
    );
    const faq = entries.parse(JSON.parse(text));
    expect(faq.length).toBeGreaterThan(15);
    expect(faq.some(({ answer }) => typeof answer === "string")).toBe(true);
    expect(faq.some(({ answer }) => Array.isArray(answer))).toBe(true);
    expect(text).toMatch(/\p{Script=Han}/u);
  });

  it("holds the PDFs of the Docs menu", async () => {
    for (const { name } of supplementalHelp) {
      const content = await readFile(recipe?.copies.find(({ path }) => path === name)?.from ?? "");
      expect(content.subarray(0, 5).toString("latin1")).toBe("%PDF-");
    }
  });
});

describe("the tutorials", () => {
  it("are two videos with a preview and captions", async () => {
    expect(demoPlatform.docs).toHaveLength(2);
    for (const { entity, files } of demoPlatform.docs) {
      expect(doc.parse(entity)).toMatchObject({ category: "video/mp4" });
      const [video, preview, captions] = await Promise.all(
        [files["object"], files["preview"], files["captions.vtt"]].map((path = "") => readFile(path)),
      );
      expect(video?.subarray(4, 8).toString("latin1")).toBe("ftyp");
      expect(video?.length).toBeLessThan(1_500_000);
      expect(preview?.subarray(0, 2).toString("hex")).toBe("ffd8");
      expect(captions?.toString()).toMatch(/^WEBVTT\n\n00:00:00/);
    }
  });
});
