import type { Column } from "@fairway/contract/columns";
import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asCaller, type Caller } from "#turns/caller.ts";
import {
  addDataset,
  buildColumn,
  buildFilter,
  buildFilterSupport,
  type CallerState,
  type DatasetApp,
  datasetApp,
} from "#testing/dataset-app.ts";

let app: DatasetApp;

const columns: Column[] = [
  buildColumn("id", "integer"),
  buildColumn("region", "STRING"),
  buildColumn("team", "STRING"),
  buildColumn("salary", "integer"),
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  { ...buildColumn("place", "STRING"), combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } },
  { ...buildColumn("bonus", "integer"), computed: { expression: "salary * 2" } },
  { ...buildColumn("grid", "decimal"), computed: { expression: "lat * 2" } },
];

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      note: "You see the rows of your own region.",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["south"], rows: { filters: [{ name: "region", operator: "=", value: "south" }] } },
        { roles: ["*"], rows: { filters: [{ name: "team", operator: "=", valueFrom: "groups" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: ["salary"], roles: ["hr"], others: "withheld" },
    { names: ["lat", "lng"], roles: ["ranger"], others: { step: 0.5 } },
  ],
};

const common = {
  category: "Work",
  source: { kind: "files" as const, glob: "staff.parquet", format: "parquet" as const },
  schema: { columns },
  temporalField: "at",
  locationField: "place",
} satisfies Partial<InternalDataset>;

beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(`copy (select * from (values
    (1, 'north', 'red', 100, 48.2, 11.6, timestamp '2024-01-01'), (2, 'south', 'red', 200, -33.9, 18.4, timestamp '2024-02-01'),
    (3, 'north', 'blue', 300, 52.5, 13.4, timestamp '2024-03-01'), (4, null, 'blue', 400, 60.1, 24.9, timestamp '2024-04-01'),
    (5, 'North', null, 500, 59.3, 18.1, timestamp '2024-05-01')
  ) as staff(id, region, team, salary, lat, lng, "at")) to 'FOLDER/staff.parquet' (format parquet)`);
  await addDataset(app, { ...common, id: "ruled", access });
  await addDataset(app, { ...common, id: "free" });
  await addDataset(app, {
    ...common,
    id: "narrowed",
    access: { columns: [{ names: ["salary"], roles: ["hr"], others: "withheld" }] },
    filterSupport: buildFilterSupport({ preFilledFilters: [buildFilter("salary", { value: "200", operator: ">", preFilled: true })] }),
  });
});
afterAll(() => app.close());

const search = async (caller: readonly string[] | CallerState, id = "ruled", body: object = {}) =>
  (await app.call<{ results: Record<string, unknown>[] }>(caller, "POST", `/datasets/Work/${id}/search`, { filters: [], ...body })).body
    .results;
const idsOf = async (caller: readonly string[] | CallerState, id?: string) => (await search(caller, id)).map((row) => row["id"]);
const describeAs = async (caller: readonly string[] | CallerState, id = "ruled") =>
  (await app.call<DatasetDescription>(caller, "GET", `/datasets/Work/${id}/describe`)).body;

describe("rules for rows", () => {
  it.each<[string, readonly string[] | CallerState, number[]]>([
    ["a role", ["north"], [3, 1]],
    ["two roles, which show what each does", ["north", "south"], [3, 2, 1]],
    ["the names of groups, exactly", { roles: [], groups: ["g"], groupNames: ["blue"] }, [4, 3]],
    ["a role and a group", { roles: ["south"], groups: ["g"], groupNames: ["blue", "green"] }, [4, 3, 2]],
    ["a grant of all rows", ["audit"], [5, 4, 3, 2, 1]],
    ["no grant: no rows", ["other"], []],
    ["the administrator's role alone", ["admin"], []],
  ])("show a reader the rows of %s", async (_, caller, ids) => {
    expect(await idsOf(caller)).toEqual(ids);
    const count = await app.call<{ rows: number }>(caller, "POST", "/datasets/Work/ruled/rowCount", { filters: [] });
    expect(count.body.rows).toBe(ids.length);
  });

  it("are told without what they compare", async () => {
    expect((await describeAs(["north"])).access).toMatchObject({
      rows: "some",
      columns: "some",
      hasWithheldColumns: true,
      notes: ["You see the rows of your own region."],
    });
    expect((await describeAs(["north", "hr"])).access).toMatchObject({ columns: "some", hasWithheldColumns: false });
    expect((await describeAs(["other"])).access).toMatchObject({ rows: "none" });
    expect((await describeAs(["audit"])).access?.madeOfCoarse).toEqual(["grid"]);
    expect((await describeAs(["audit", "hr", "ranger"])).access).toMatchObject({
      rows: "all",
      columns: "all",
      notes: [],
      coarse: [],
      madeOfCoarse: [],
    });
    expect((await describeAs([], "free")).access).toBeUndefined();
  });

  it("decide the extent of time that is told", async () => {
    expect((await describeAs(["audit"])).timeExtent).toEqual({ startMs: Date.UTC(2024, 0, 1), endMs: Date.UTC(2024, 4, 1) });
    expect((await describeAs(["north"])).timeExtent).toEqual({ startMs: Date.UTC(2024, 0, 1), endMs: Date.UTC(2024, 2, 1) });
    expect((await describeAs(["other"])).timeExtent).toBeNull();
  });
});

describe("rules for columns", () => {
  it("leave out a column with everything that is made of it", async () => {
    const names = (await describeAs(["north"])).schema.columns.map(({ name }) => name);
    expect(names).toEqual(["id", "region", "team", "lat", "lng", "at", "place", "grid"]);
    const [row] = await search(["north"]);
    expect(Object.keys(row ?? {}).toSorted()).toEqual(["at", "grid", "id", "lat", "lng", "region", "team"]);
    const filters = [{ name: "salary", operator: ">", value: 0 }];
    const withheld = await app.call(["north"], "POST", "/datasets/Work/ruled/search", { filters });
    const unknown = await app.call(["north"], "POST", "/datasets/Work/ruled/search", {
      filters: [{ ...filters[0], name: "no_such_column" }],
    });
    expect([withheld.status, withheld.text]).toEqual([400, unknown.text.replaceAll("no_such_column", "salary")]);
    expect(await search(["north", "hr"], "ruled", { filters })).toMatchObject([{ salary: 300, bonus: 600 }, { salary: 100 }]);
  });

  it("make values coarse, and those that are computed from them", async () => {
    expect((await search(["audit"], "ruled", { filters: [{ name: "id", operator: "=", value: 3 }] }))[0]).toMatchObject({
      lat: 52.75,
      lng: 13.25,
      grid: 105.5,
    });
    expect((await search(["audit", "ranger"], "ruled", { filters: [{ name: "lat", operator: "=", value: 52.5 }] }))[0]).toMatchObject({
      id: 3,
    });
    expect(await search(["audit"], "ruled", { filters: [{ name: "lat", operator: "=", value: 52.5 }] })).toEqual([]);
  });

  it("keep the dataset's own filters, unseen", async () => {
    expect(await idsOf([], "narrowed")).toEqual([5, 4, 3]);
    expect((await describeAs([], "narrowed")).filterSupport.preFilledFilters).toEqual([]);
    expect((await describeAs(["hr"], "narrowed")).filterSupport.preFilledFilters).toHaveLength(1);
  });
});

it("the audit log is told what was withheld, and nothing of columns that do not exist", async () => {
  const deniedOf = async (caller: readonly string[], path: string, body: object = { filters: [] }) => {
    const owner: Caller = { owner: "person u" };
    await asCaller(owner, () => app.call(caller, "POST", path, body));
    return [...(owner.denied ?? [])];
  };
  const searchOf = (name: string) => ({ filters: [{ name, operator: ">", value: 0 }] });
  expect(await deniedOf(["north"], "/datasets/Work/ruled/search", searchOf("salary"))).toEqual(["column salary"]);
  expect(await deniedOf(["north"], "/datasets/Work/ruled/search", searchOf("SALARY"))).toEqual(["column salary"]);
  expect(await deniedOf(["north"], "/datasets/Work/ruled/search", searchOf("wages"))).toEqual([]);
  expect(await deniedOf(["other"], "/datasets/Work/ruled/search")).toEqual(["no rows"]);
  await addDataset(app, { ...common, id: "closed", roles: ["chief"] });
  expect(await deniedOf(["north"], "/datasets/Work/closed/search")).toEqual(["dataset"]);
  expect(await deniedOf(["north"], "/datasets/Work/nowhere/search")).toEqual([]);
  expect(await deniedOf(["chief"], "/datasets/Work/closed/search")).toEqual([]);
});

it("a rule that cannot be applied makes its dataset fail, and no other", async () => {
  await app.bench.prepare(
    `copy (select id, region, salary, lat, lng, "at" from 'FOLDER/staff.parquet') to 'FOLDER/teamless.parquet' (format parquet)`,
  );
  await addDataset(app, {
    ...common,
    id: "teamless",
    source: { kind: "files", glob: "teamless.parquet", format: "parquet" },
    access: { ...access, columns: [{ names: ["team", "salary"], roles: ["hr"], others: "withheld" }] },
  });
  const member = { roles: ["north"], groups: ["g"], groupNames: ["blue"] };
  const answer = await app.call(member, "POST", "/datasets/Work/teamless/search", {
    filters: [],
  });
  expect([answer.status, answer.text]).toEqual([
    503,
    expect.stringContaining("The access rules of this dataset cannot be applied now. Tell an administrator."),
  ]);
  expect(answer.text).not.toContain("team");
  expect(await idsOf(["north"])).toEqual([3, 1]);
});
