import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { type AccessCheck, type AccessPreview, datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import { afterAll, beforeAll, expect, it } from "vitest";
import { internalDatasets } from "#entities/entity-types.ts";
import { implement } from "#http/capability.ts";
import { madeUpReader } from "#identity/made-up-reader.ts";
import { addDataset, buildColumn, buildFilterSupport, type DatasetApp, datasetApp } from "#testing/dataset-app.ts";
import { asCaller, type Caller } from "#turns/caller.ts";
import { accessRoutes } from "./access-rules.ts";

let app: DatasetApp;

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["*"], rows: { filters: [{ name: "team", operator: "=", valueFrom: "groups" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: ["salary", "at"], roles: ["hr"], others: "withheld" },
    { names: ["lat", "lng"], roles: ["ranger"], others: { step: 0.5 } },
  ],
};

beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(`copy (select * from (values
    (1, 'north', 'red', 100, 48.2, 11.6, timestamp '2024-01-01'), (2, 'south', 'red', 200, -33.9, 18.4, timestamp '2024-02-01'),
    (3, 'north', 'blue', 300, 52.5, 13.4, timestamp '2024-03-01'), (4, null, 'blue', 400, 60.1, 24.9, timestamp '2024-04-01')
  ) as staff(id, region, team, salary, lat, lng, "at")) to 'FOLDER/staff.parquet' (format parquet)`);
  await addDataset(
    app,
    {
      id: "staff",
      category: "Work",
      roles: ["staff"],
      source: { kind: "files", glob: "staff.parquet", format: "parquet" },
      schema: {
        columns: [
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
        ],
      },
      temporalField: "at",
      locationField: "place",
      filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
    },
    false,
  );
  app.serve({
    routes: {
      access: implement(
        datasetAccessAdministration,
        accessRoutes({
          datasets: {
            get: async (id) => {
              const { body, version, enabled } = await app.entities.get(internalDatasets, id);
              return { ...body, version, enabled };
            },
            warningsOf: () =>
              Promise.resolve([
                { code: "data-missing", message: "Elsewhere.", path: "source" },
                { code: "unknown-role", message: "Here.", path: "access.rules.0" },
              ]),
          },
          useAs: app.service.useAs,
          findReader: (id) =>
            Promise.resolve(id === "ada" ? madeUpReader({ roles: ["staff", "north", "hr"], username: "ada" }) : undefined),
          roleNames: () => Promise.resolve(new Set(["north", "audit"])),
        }),
      ),
    },
  });
});
afterAll(() => app.close());

const path = "/admin/datasets/internal/staff/access";
const preview = (body: object) => app.call<AccessPreview>(["admin"], "POST", `${path}/preview`, body);
const check = (sent: DatasetAccess | null) => app.call<AccessCheck>(["admin"], "POST", `${path}/check`, { access: sent });
const shownOf = ({ columns }: AccessPreview) => Object.fromEntries(columns.map(({ name, shown }) => [name, shown]));

it("shows a dataset, also a disabled one, as somebody would have it by rules that are not saved", async () => {
  const { body } = await preview({ access, as: { roles: ["staff"], groups: ["blue"] } });
  expect(body).toMatchObject({ reads: true, rows: "some", count: 2, missing: ["time range"] });
  expect(shownOf(body)).toEqual({
    id: "stored",
    region: "stored",
    team: "stored",
    salary: "withheld",
    lat: "coarse",
    lng: "coarse",
    at: "withheld",
    place: "coarse",
    bonus: "withheld",
    grid: "coarse",
  });
  expect(body.sample).toEqual([
    { id: 3, region: "north", team: "blue", lat: 52.75, lng: 13.25, grid: 105.5 },
    { id: 4, region: null, team: "blue", lat: 60.25, lng: 24.75, grid: 120.5 },
  ]);
});

it("shows it as an account has it, and names the roles that show a column", async () => {
  const { body } = await preview({ access, as: { userId: "ada" } });
  expect(body).toMatchObject({ rows: "some", count: 2, missing: [] });
  expect(body.columns.filter(({ by }) => by.length > 0)).toEqual([
    { name: "salary", shown: "stored", by: ["hr"] },
    { name: "at", shown: "stored", by: ["hr"] },
  ]);
  expect((await preview({ access, as: { userId: "nobody" } })).status).toBe(404);
});

it("shows nothing of the rows to somebody who may not know of the dataset, or holds no grant", async () => {
  expect((await preview({ access, as: { roles: ["north"] } })).body).toMatchObject({ reads: false, rows: "none", count: 0, sample: [] });
  expect((await preview({ access, as: { roles: ["staff"] } })).body).toMatchObject({ reads: true, rows: "none", count: 0, sample: [] });
});

it("takes the stored rules if none are sent, and none for null", async () => {
  for (const sent of [{}, { access: null }]) {
    expect((await preview({ ...sent, as: { roles: ["staff"] } })).body).toMatchObject({ rows: "all", count: 4, missing: [] });
  }
});

it("counts what each grant shows, and what nobody sees", async () => {
  expect((await check(access)).body).toEqual({
    warnings: [{ code: "unknown-role", message: "Here.", path: "access.rules.0" }],
    grants: [
      { rule: 0, grant: 0, rows: 2 },
      { rule: 0, grant: 1, rows: null },
      { rule: 0, grant: 2, rows: 4 },
    ],
    unseenRows: null,
  });
  const region = (value: string, role = "north") => ({
    roles: [role],
    rows: { filters: [{ name: "region", operator: "=" as const, value }] },
  });
  const regions = (...grants: ReturnType<typeof region>[]): DatasetAccess => ({ rules: [{ name: "Region", grants }] });
  expect((await check(regions(region("north"), region("south")))).body.unseenRows).toBe(1);
  // Nobody holds a role that does not exist.
  expect((await check(regions(region("north"), region("south", "gone")))).body).toMatchObject({
    grants: [{ rows: 2 }, { rows: 1 }],
    unseenRows: 2,
  });
  expect((await check(null)).body).toMatchObject({ grants: [], unseenRows: 0 });
});

it("denies an administrator nothing who looks at what others do not see", async () => {
  const administrator: Caller = { owner: "person u" };
  await asCaller(administrator, () => preview({ access, as: { roles: ["staff"] } }));
  await asCaller(administrator, () => check({ rules: [{ name: "Nobody", grants: [{ roles: ["gone"], rows: "all" }] }] }));
  expect(administrator.denied).toBeUndefined();
});

it("refuses rules with the words and paths of a save, and everybody but administrators", async () => {
  const wrong: DatasetAccess = { columns: [{ names: ["nowhere"], roles: ["hr"], others: "withheld" }] };
  const refused = [
    await app.call(["admin"], "POST", `${path}/check`, { access: wrong }),
    await app.call(["admin"], "POST", `${path}/preview`, { access: wrong, as: { roles: [] } }),
  ];
  for (const { status, body } of refused) {
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          code: "invalid-request",
          message: "'access.columns.0.names.0': there is no column 'nowhere'",
          path: "access.columns.0.names.0",
        },
      ],
    ]);
  }
  expect((await app.call(["admin"], "POST", `${path}/check`, { access: { rules: [{ name: "Empty", grants: [] }] } })).status).toBe(400);
  expect((await app.call(["staff"], "POST", `${path}/check`, { access })).status).toBe(403);
});
