import { randomUUID } from "node:crypto";
import { boardLimits } from "@fairway/contract/boards";
import { datasetGroupLimits } from "@fairway/contract/dataset-groups";
import { maxSuggestionsPerDataset } from "@fairway/contract/description-suggestions";
import { flowLimits } from "@fairway/contract/flows";
import { graphTemplateLimits } from "@fairway/contract/graph-templates";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Platform } from "#seed/seed.ts";
import { buildDataset, buildFilterSupport } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";

const together = 50;
/** Number of items that may be added before a limit. */
const room = 3;
const uploadBytes = 1_000;

const columns = Array.from({ length: together }, (_, index) => `c${index}`);

const dataset = (id: string): Platform["datasets"][number] => ({
  entity: buildDataset({
    category: "nature",
    id,
    source: { kind: "files", glob: `nature/${id}/*.parquet`, format: "parquet" },
    features: ["COUNT"],
    schema: { columns: columns.map((name) => ({ name, type: "integer", description: "", combined: null })) },
    filterSupport: buildFilterSupport({ requiredOrFields: ["c0"] }),
    orderBy: null,
    temporalField: null,
    locationField: null,
    mapSupport: null,
    linkedDatasets: [],
  }),
  sources: {},
  select: `select ${columns.map((name) => `1::integer as ${name}`).join(", ")}`,
});

const query = JSON.stringify({ filters: [{ name: "c0", operator: "=", value: "1" }] });
const storms = { datasetCategory: "nature", datasetId: "storms" };
const quakes = { datasetCategory: "nature", datasetId: "quakes" };

let gateway: Awaited<ReturnType<typeof demoGateway>>;
let token: string;
let adasToken: string;
let savedSearchId: string;

beforeAll(async () => {
  gateway = await demoGateway(
    {
      FAIRWAY_SETTINGS: JSON.stringify({
        limits: {
          alertsPerUser: room,
          apiKeysPerUser: room,
          feedbackPerHour: room,
          feedbackFilesWaiting: room,
          descriptionSuggestionsPerUser: together,
          unfinishedUploadsPerUser: room,
          userDailyUploadBytes: room * uploadBytes,
        },
      }),
    },
    {
      categories: [{ id: "nature", description: "" }],
      datasets: [dataset("storms"), dataset("quakes")],
      filesets: [
        {
          entity: { id: "shared", description: "", s3Bucket: "shared", s3Prefix: "", allowsUploads: true, allowedRoles: [] },
          sources: {},
          selects: [],
          copies: [],
        },
      ],
    },
  );
  token = await gateway.token();
  const saved = await call("POST", "/favorite/queries", { ...storms, queryName: "Storms", query });
  savedSearchId = saved.json<{ id: string }>().id;
  for (const username of ["ada", "grace"]) {
    const password = { setPassword: true, value: "tide-table" };
    await call("POST", "/admin/users", { username, password, email: "", firstName: "", lastName: "", groups: [], roles: [] });
  }
  adasToken = await gateway.token("ada");
  await call("POST", "/admin/flowGroups", { name: "desk", displayName: "Desk", description: "" });
});

afterAll(() => gateway.close());

const call = (method: "POST" | "PUT", path: string, payload: object | string, headers: object = {}) =>
  gateway.app.inject({ method, url: `/api${path}`, headers: { authorization: `Bearer ${token}`, ...headers }, payload });

/** Adds rows of a user, for numbers from 1. */
const fill = (into: string, values: string, rows: number, username = "root") =>
  gateway.database.pool.query(
    `insert into ${into} select ${values} from users, generate_series(1, $1::int) as number where username = $2`,
    [rows, username],
  );

const fillSuggestions = (datasetId: string, rows: number, username: string) =>
  fill(
    "description_suggestions (id, user_id, category, dataset_id, column_name, description, replaces)",
    `gen_random_uuid()::text, id, 'nature', '${datasetId}', 'row ' || number, '', ''`,
    rows,
    username,
  );

interface Kind {
  readonly kind: string;
  /** Leaves `room`. */
  readonly prepare?: () => Promise<unknown>;
  readonly add: (name: string, number: number) => ReturnType<typeof call>;
  readonly refusal: number;
}

const named = "id || '-' || number, id, 'row ' || number, 'row ' || number";

const kinds: readonly Kind[] = [
  {
    kind: "boards",
    prepare: () =>
      fill(
        "boards (id, user_id, name, name_key, description, shared_with_roles, content, version, updated_at)",
        `${named}, '', '{}', '{"panels":[]}', 1, now()`,
        boardLimits.perUser - room,
      ),
    add: (name) => call("POST", "/boards", { name, content: {} }),
    refusal: 409,
  },
  {
    kind: "saved searches",
    prepare: () =>
      fill(
        "saved_searches (id, user_id, name, name_key, category, dataset_id, description, query, shared_with_roles)",
        `${named}, 'nature', 'storms', '', '{}', '{}'`,
        // One is there already.
        savedSearchLimits.perUser - room - 1,
      ),
    add: (queryName) => call("POST", "/favorite/queries", { ...storms, queryName, query }),
    refusal: 409,
  },
  {
    kind: "dataset groups",
    prepare: () =>
      fill("dataset_groups (id, user_id, name, name_key, description, datasets)", `${named}, '', '[]'`, datasetGroupLimits.perUser - room),
    add: (name) => call("POST", "/datasetGroupings", { name, datasets: [storms, quakes] }),
    refusal: 409,
  },
  {
    kind: "graph templates",
    prepare: () =>
      fill(
        "graph_templates (id, user_id, name, name_key, category, dataset_id, template)",
        `${named}, 'nature', 'storms', '{}'`,
        graphTemplateLimits.perUser - room,
      ),
    add: (templateName) => call("POST", "/favorite/graphTemplates", { ...storms, templateName, templateJson: "{}" }),
    refusal: 409,
  },
  {
    kind: "alerts",
    add: (name) => call("POST", "/alerts", { name, savedSearchId, condition: { kind: "new-rows" }, everyMinutes: 60 }),
    refusal: 409,
  },
  { kind: "API keys", add: (name) => call("POST", "/apiKeys", { name, datasets: [storms] }), refusal: 409 },
  {
    kind: "feedback",
    add: (description) =>
      call("POST", "/feedback/create", { username: "root", name: "", email: "", type: "bug", description, datasets: [], attachments: [] }),
    refusal: 429,
  },
  {
    kind: "attachments that wait for their feedback",
    add: (name) => {
      const lines = ["--edge", `content-disposition: form-data; name="file"; filename="${name}.txt"`, "", "It creaks.", "--edge--", ""];
      return call("POST", "/feedback/upload", lines.join("\r\n"), { "content-type": "multipart/form-data; boundary=edge" });
    },
    refusal: 429,
  },
  {
    kind: "suggestions of one user",
    prepare: () => fillSuggestions("quakes", together - room, "root"),
    add: (description, number) =>
      call("PUT", "/datasets/nature/storms/description/suggestions", { columnName: columns[number] ?? null, description }),
    refusal: 429,
  },
  {
    kind: "suggestions for one dataset",
    prepare: async () => {
      await gateway.database.pool.query("delete from description_suggestions");
      await fillSuggestions("storms", maxSuggestionsPerDataset - room, "grace");
    },
    // Of two users, each of whom has a turn of their own.
    add: (description, number) =>
      call(
        "PUT",
        "/datasets/nature/storms/description/suggestions",
        { columnName: columns[number] ?? null, description },
        number % 2 === 0 ? {} : { authorization: `Bearer ${adasToken}` },
      ),
    refusal: 429,
  },
  {
    kind: "requested zips",
    prepare: () => fill("fileset_zips (user_id, fileset_id, paths)", "id, 'shared', '[]'", 20 - room),
    add: (name) => call("POST", "/filesets/shared/zip", { paths: [`${name}.txt`] }),
    refusal: 429,
  },
  {
    kind: "unfinished uploads",
    add: (name) => call("POST", "/filesets/shared/uploads", { file: `${name}.txt`, size: 0 }),
    refusal: 429,
  },
  {
    kind: "bytes of a day's uploads",
    prepare: () => gateway.database.pool.query("delete from fileset_part_uploads"),
    add: (name) => call("POST", "/filesets/shared/uploads", { file: `${name}.txt`, size: uploadBytes }),
    refusal: 507,
  },
  {
    kind: "flows of a group",
    prepare: () =>
      fill(
        "flows (group_name, name, name_key, created_by)",
        "'desk', 'row ' || number, 'row ' || number, username",
        flowLimits.flowsPerGroup - room,
      ),
    add: (name) => call("POST", "/flowGroups/desk/flows", { name }),
    refusal: 507,
  },
];

describe.each(kinds)("$kind", ({ prepare, add, refusal }) => {
  it("are kept up to their limit when 50 calls arrive together", async () => {
    await prepare?.();
    const answers = await Promise.all(Array.from({ length: together }, (_, number) => add(randomUUID(), number)));
    const added = answers.filter(({ statusCode }) => statusCode < 300);
    const refused = answers.filter(({ statusCode }) => statusCode === refusal);
    expect([added.length, refused.length]).toEqual([room, together - room]);
    // And one after another.
    expect((await add(randomUUID(), together)).statusCode).toBe(refusal);
  });
});
