import type { Column } from "@fairway/contract/columns";
import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { DatasetFacts, DatasetRelations } from "@fairway/contract/dataset-facts";
import type { DatasetProfileState, DatasetThumbnail } from "@fairway/contract/dataset-profiles";
import type { DatasetQuality, QualityReport } from "@fairway/contract/dataset-quality";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { addDataset, buildColumn } from "#testing/dataset-app.ts";
import { closeQuality, opened, openQuality } from "#testing/dataset-quality.ts";

const folder = buildColumn("folder", "STRING");
const position: Column[] = [
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  { ...buildColumn("place", "STRING"), combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } },
];
const shownColumns: Column[] = [
  buildColumn("id", "integer"),
  buildColumn("region", "STRING"),
  buildColumn("remark", "STRING"),
  folder,
  ...position,
  { ...buildColumn("file", "STRING"), combined: { type: "FILESET", fields: ["folder", "region"], joinedBy: "/" } },
];
const withheldColumns: Column[] = [
  buildColumn("salary", "integer"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  { ...buildColumn("bonus", "integer"), computed: { expression: "salary * 2" } },
];
const gridColumn: Column = { ...buildColumn("grid", "decimal"), computed: { expression: "lat * 2" } };

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: ["salary", "at"], roles: ["hr"], others: "withheld" },
    { names: ["lat"], roles: ["ranger"], others: { step: 0.5 } },
  ],
  tellReaders: false,
};

const all = { temporalField: "at", schema: { columns: [...shownColumns, ...withheldColumns, gridColumn] } };
const cut = { temporalField: null, schema: { columns: [...shownColumns, gridColumn] } };
const files = (glob: string) => ({ kind: "files" as const, glob, format: "parquet" as const });
const common = { category: "Tests", locationField: "place", source: files("all.parquet") } satisfies Partial<InternalDataset>;
const ids = ["ruled", "free", "cut"];

const everything = ["audit", "hr", "ranger"];
const withoutColumns = ["audit", "ranger"];
const withCoarse = ["audit", "hr"];

/** Replaces the rows, measures them and evaluates the measurement. */
async function load(rows: number, { salary = "i * 100", remark = "'x'", startDay = 1 } = {}) {
  const select = `select i as id, ['north', 'south'][i % 2 + 1] as region, ${remark}::varchar as remark, ['open', 'insiders'][i % 2 + 1] as folder,
    48.25 as lat, 11.5 as lng, ${salary}::integer as salary, timestamp '2020-01-0${startDay}' + to_hours(i::integer) as "at"
    from range(${rows}) t(i)`;
  await opened.app.bench.prepare(`copy (${select}) to 'FOLDER/all.parquet' (format parquet)`);
  await opened.app.bench.prepare(`copy (select * exclude (salary, "at") from (${select})) to 'FOLDER/cut.parquet' (format parquet)`);
  await measure();
}

async function measure() {
  for (const id of ids) await opened.app.profiles.requestProfile(id);
  await opened.app.profiles.runProfiler();
  await opened.quality.evaluate();
}

beforeAll(async () => {
  await openQuality();
  const { app } = opened;
  await addDataset(app, { ...common, ...all, id: "ruled", access });
  await addDataset(app, { ...common, ...all, id: "free" });
  await addDataset(app, { ...common, ...cut, id: "cut", source: files("cut.parquet") });
  await load(20);
  await load(20, { salary: "null" });
  await load(10, { salary: "null", remark: "null" });
  await load(10, { salary: "null", remark: "null", startDay: 2 });
});
afterAll(closeQuality);

const paths = (id: string) => [
  `/datasets/Tests/${id}/profile`,
  `/datasets/Tests/${id}/profile/thumbnail`,
  `/datasets/Tests/${id}/relations`,
  `/datasets/Tests/${id}/quality`,
  `/datasets/facts?datasetCategory=Tests&datasetId=${id}`,
];
/** Each dataset is measured at a time of its own. */
const timeless = (text: string, id: string) =>
  text.replaceAll(/"(measuredMs|sinceMs|changedMs|updatedMs)":\d+/g, '"$1":0').replaceAll(`"${id}"`, '"id"');
const get = async <Body>(roles: readonly string[], path: string) => (await opened.app.call<Body>(roles, "GET", path)).body;
/** Texts of all answers on the figures of a dataset, with its entries of the lists. */
async function figures(roles: readonly string[], id: string): Promise<string[]> {
  const read = await Promise.all(paths(id).map((path) => opened.app.call(roles, "GET", path)));
  const lists = await Promise.all(["/datasets/thumbnails", "/datasets/quality"].map((path) => get<DatasetQuality[]>(roles, path)));
  const listed = lists.map((list) => JSON.stringify(list.filter(({ dataset }) => dataset.datasetId === id)));
  return [...read.map(({ text }) => text), ...listed].map((text) => timeless(text, id));
}
const profileOf = (roles: readonly string[], id = "ruled") => get<DatasetProfileState>(roles, `/datasets/Tests/${id}/profile`);
const factsOf = async (roles: readonly string[], id = "ruled") =>
  (await get<DatasetFacts[]>(roles, `/datasets/facts?datasetCategory=Tests&datasetId=${id}`))[0];

describe("figures over all rows", () => {
  it("are those of a dataset without rules to a reader of everything", async () => {
    expect(await figures(everything, "ruled")).toEqual(await figures([], "free"));
    expect((await profileOf(everything)).profile?.columns).toHaveLength(10);
  });

  it("are those of a dataset that never had the columns to a reader without them", async () => {
    expect(await figures(withoutColumns, "ruled")).toEqual(await figures([], "cut"));
    const { issues, changes } = await get<QualityReport>(withoutColumns, "/datasets/Tests/ruled/quality");
    expect(issues).toMatchObject([{ kind: "row-drop" }, { kind: "empty-columns", count: 1, columns: [{ name: "remark" }] }]);
    expect([changes.length, (await get<QualityReport>([], "/datasets/Tests/free/quality")).changes.length]).toEqual([1, 2]);
    expect(await get<DatasetRelations>(withoutColumns, "/datasets/Tests/ruled/relations")).toMatchObject({ filesets: [{ id: "open" }] });
  });

  it("do not tell of a change that only withheld times show", async () => {
    const [whole, part] = [await factsOf(everything), await factsOf(withoutColumns)];
    expect(whole?.updatedMs).toBeGreaterThan(part?.updatedMs ?? Infinity);
  });

  it("leave out coarse columns, and what is computed of them", async () => {
    const { profile } = await profileOf(withCoarse);
    expect(profile?.columns.map(({ name }) => name)).toEqual(["id", "region", "remark", "folder", "lng", "salary", "at", "bonus"]);
    const { coverage, positions } = await get<DatasetThumbnail>(withCoarse, "/datasets/Tests/ruled/profile/thumbnail");
    expect([coverage?.unit, positions]).toEqual(["day", []]);
    expect((await factsOf(withCoarse))?.columns).toBe(12);
  });

  it.each([
    ["some", ["north", "hr", "ranger"]],
    ["none", ["admin"]],
  ])("are not shown to a reader of %s of the rows, also if that is not told", async (_, roles) => {
    const [profile, thumbnail, relations, quality, , thumbnails, qualities] = await figures(roles, "ruled");
    expect(profile).toBe('{"state":"restricted","profile":null,"failure":null}');
    expect(thumbnail).toBe('{"coverage":null,"positions":[]}');
    expect(JSON.parse(relations ?? "")).toMatchObject({ filesets: [] });
    expect(JSON.parse(quality ?? "")).toMatchObject({ state: "restricted", measuredMs: null, issues: [], changes: [] });
    expect([thumbnails, qualities]).toEqual(["[]", "[]"]);
    expect(await factsOf(roles)).toMatchObject({ rows: null, oldestMs: null, newestMs: null, updatedMs: null, dueMs: null });
  });

  it("are each reader's own, whoever asked before", async () => {
    const readers = [everything, withoutColumns, withCoarse, ["north"], []];
    const before = [];
    for (const roles of readers) before.push(await figures(roles, "ruled"));
    for (const roles of readers.toReversed()) expect(await figures(roles, "ruled")).toEqual(before[readers.indexOf(roles)]);
    expect(new Set(before.map((texts) => texts.join("\n"))).size).toBe(4);
    const etag = async (roles: readonly string[]) =>
      (await opened.app.app.inject({ url: "/datasets/thumbnails", headers: bearer(roles) })).headers.etag;
    expect(new Set([await etag(everything), await etag(withoutColumns), await etag(withCoarse), await etag(["north"])]).size).toBe(4);
  });

  it("are nobody's where the source may give each reader other rows, as if there were none yet without rules", async () => {
    onTestFinished(() => {
      opened.isPersonal = false;
      opened.app.service.changed();
    });
    opened.isPersonal = true;
    opened.app.service.changed();
    const states = (roles: readonly string[], id: string) =>
      Promise.all([profileOf(roles, id), get<QualityReport>(roles, `/datasets/Tests/${id}/quality`)]);
    expect(await states(everything, "ruled")).toMatchObject([{ state: "restricted" }, { state: "restricted" }]);
    expect(await states([], "free")).toMatchObject([{ state: "none" }, { state: "unknown", measuredMs: null }]);
    for (const id of ["ruled", "free"])
      expect(await factsOf(everything, id)).toMatchObject({ rows: null, newestMs: null, updatedMs: null });
  });

  it("are shown to administrators as they were stored, where they ask for all datasets", async () => {
    const listed = await get<DatasetQuality[]>(["admin"], "/admin/datasetQuality");
    expect(listed.find(({ dataset }) => dataset.datasetId === "ruled")?.issues.at(-1)).toMatchObject({ count: 3 });
  });
});

const bearer = (roles: readonly string[]) => ({
  authorization: `Bearer ${Buffer.from(JSON.stringify(roles)).toString("base64url")}`,
});

it("the failure of a profile names no column that the reader does not have", async () => {
  await opened.app.bench.prepare(`copy (select * exclude (salary) from 'FOLDER/all.parquet') to 'FOLDER/payless.parquet' (format parquet)`);
  await addDataset(opened.app, { ...common, ...all, id: "payless", source: files("payless.parquet"), access });
  await opened.app.profiles.requestProfile("payless");
  await opened.app.profiles.runProfiler();
  const problem = async (roles: readonly string[]) => (await profileOf(roles, "payless")).failure?.problem;
  expect(await problem(everything)).toContain("its data files have no column 'salary'");
  expect(await problem(withoutColumns)).toBe(
    (await problem(everything))?.replace("its data files have no column 'salary'", "one of its columns cannot be read"),
  );
  expect(await profileOf(["north"], "payless")).toEqual({ state: "restricted", profile: null, failure: null });
});
