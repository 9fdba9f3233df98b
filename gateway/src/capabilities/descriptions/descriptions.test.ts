import type { DatasetSchema } from "@fairway/contract/datasets";
import type { DescriptionLayer } from "@fairway/contract/descriptions";
import type { ErrorBody } from "@fairway/contract/errors";
import { expect, it } from "vitest";
import { catalogApp } from "#testing/catalog-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp(catalogApp, ["dataset_descriptions", "community_description_revisions"]);

type Layer = "community" | "user";

const path = (layer: Layer, dataset = "nature/storms") => `/datasets/${dataset}/description/${layer}`;
const save = (token: string, layer: Layer, body: unknown, ifMatch?: string) =>
  shared().gateway.call<DescriptionLayer & ErrorBody & { current?: DescriptionLayer }>("PUT", path(layer), {
    token,
    body,
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });
const read = (token: string, layer: Layer) => shared().gateway.call<DescriptionLayer>("GET", path(layer), { token });
const schema = (token: string) => shared().gateway.call<DatasetSchema>("GET", "/datasets/nature/storms/schema", { token });

const draft = (description: string, columns: Record<string, string> = {}) => ({
  description,
  columnDescriptions: Object.entries(columns).map(([columnName, text]) => ({ columnName, description: text })),
});

it("[SCHEMA-14][SCHEMA-17] community descriptions are saved with schema-edit only, and everyone sees them", async () => {
  const { ada, grace, root } = shared();
  const refused = await save(grace, "community", draft("Vandalized."));
  expect(refused.status).toBe(403);
  expect((await save(root, "community", draft("Vandalized."))).status).toBe(403);
  const saved = await save(ada, "community", draft("Tracks of **storms**.", { Wind_Speed: "In knots." }));
  expect(saved.status).toBe(200);
  expect(saved.body.description).toBe("Tracks of **storms**.");
  expect(saved.body.columns.at(-1)).toEqual({ name: "Wind_Speed", description: "In knots." });
  const { body } = await schema(grace);
  expect(body).toMatchObject({ description: "Rows to test with.", communityDescription: "Tracks of **storms**.", userDescription: "" });
  expect(body.columns.at(-1)).toMatchObject({ name: "Wind_Speed", communityDescription: "In knots.", userDescription: "" });
});

it("[SCHEMA-18] every user saves private descriptions", async () => {
  const { ada, grace, root } = shared();
  for (const token of [ada, grace, root]) expect((await save(token, "user", draft("Notes."))).status).toBe(200);
});

it("[SCHEMA-15][SCHEMA-16] private descriptions are answered to who saved them, and nobody else sees them", async () => {
  const { ada, grace } = shared();
  expect((await save(ada, "user", draft("Not Grace's."))).status).toBe(200);
  expect((await save(grace, "user", draft("My notes.", { lat: "North." }))).status).toBe(200);
  expect((await read(grace, "user")).body).toEqual({
    description: "My notes.",
    columns: ["id", "lat", "lng", "place", "at", "Wind_Speed"].map((name) => ({ name, description: name === "lat" ? "North." : "" })),
  });
  expect((await schema(grace)).body).toMatchObject({ communityDescription: "", userDescription: "My notes." });
  expect((await schema(ada)).body).toMatchObject({ communityDescription: "", userDescription: "Not Grace's." });
});

it("a save keeps the descriptions of columns that it does not name, and removes empty ones", async () => {
  const { ada } = shared();
  await save(ada, "community", draft("First.", { lat: "North.", lng: "East." }));
  const { body } = await save(ada, "community", draft("", { lat: "" }));
  expect(body.description).toBe("");
  expect(body.columns.filter(({ description }) => description !== "")).toEqual([{ name: "lng", description: "East." }]);
});

it("a save of an older version is refused with what is stored, in each layer by itself; one without a version overwrites", async () => {
  const { ada } = shared();
  const etagOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers["etag"]);
  const first = etagOf(await read(ada, "community"));
  const ofSchema = etagOf(await schema(ada));
  const second = etagOf(await save(ada, "community", draft("One."), first));
  for (const stale of [first, ofSchema, `W/${first}`, '"something"', etagOf(await read(ada, "user"))]) {
    const refused = await save(ada, "community", draft("Two."), stale);
    expect([stale, refused.status, refused.body.errors[0]?.code]).toEqual([stale, 409, "stale-version"]);
    expect([refused.body.current?.description, etagOf(refused)]).toEqual(["One.", "undefined"]);
  }
  expect((await save(ada, "user", draft("Mine."), ofSchema)).status).toBe(200);
  expect((await save(ada, "community", draft("Two."), `W/${second}`)).status).toBe(200);
  expect((await save(ada, "community", draft("Three."), etagOf(await schema(ada)))).status).toBe(200);
  expect((await save(ada, "community", draft("Four."))).body.description).toBe("Four.");
  expect((await save(ada, "community", draft("Five."), "*")).body.description).toBe("Five.");
});

it("of many saves of one version at once, one succeeds", async () => {
  const { ada } = shared();
  const { headers } = await read(ada, "community");
  const saves = await Promise.all(
    Array.from({ length: 8 }, (_, index) => save(ada, "community", draft(`${index}`), String(headers["etag"]))),
  );
  expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
});

it("refuses unknown and repeated columns by name, texts that are too long, and datasets that the user may not know", async () => {
  const { ada, grace, gateway } = shared();
  const twice = { description: "", columnDescriptions: ["lat", "altitude", "lat"].map((columnName) => ({ columnName, description: "x" })) };
  const { status, body } = await save(ada, "user", twice);
  expect([status, body.errors.map(({ code, path: at }) => [code, at])]).toEqual([
    400,
    [
      ["unknown-column", "columnDescriptions.1.columnName"],
      ["invalid-value", "columnDescriptions.2.columnName"],
    ],
  ]);
  expect((await save(ada, "user", draft("x".repeat(20_001)))).status).toBe(400);
  expect((await save(ada, "user", draft("\0"))).status).toBe(400);
  expect((await read(ada, "user")).body.description).toBe("");
  for (const method of ["GET", "PUT"] as const) {
    const options = { token: grace, ...(method === "PUT" ? { body: draft("Found.") } : {}) };
    const hidden = await gateway.call(method, path("user", "money/secrets"), options);
    const missing = await gateway.call(method, path("user", "money/nothing"), options);
    expect([hidden.status, hidden.body]).toEqual([404, missing.body]);
  }
});

it("community descriptions have a history with who saved what", async () => {
  const { ada, grace, gateway } = shared();
  await save(ada, "community", draft("One.", { lat: "North." }));
  await save(ada, "community", draft("Two."));
  const { body } = await gateway.call<Record<string, unknown>[]>("GET", `${path("community")}/revisions`, { token: grace });
  expect(body.map(({ version, username, description }) => [version, username, description])).toEqual([
    [2, "ada", "Two."],
    [1, "ada", "One."],
  ]);
  expect(body[0]).toMatchObject({ columns: expect.arrayContaining([{ name: "lat", description: "North." }]) });
});

it("the history comes in pages, which end early where texts are large, and keeps the last 100 states", async () => {
  const { ada, grace, gateway } = shared();
  const { db } = gateway.database;
  for (let at = 1; at <= 22; at += 1) await save(ada, "community", draft(`State ${at}.`));
  const page = async (query = "") => {
    const answer = await gateway.call<{ version: number }[]>("GET", `${path("community")}/revisions${query}`, { token: grace });
    return answer.body.map(({ version }) => version);
  };
  expect(await page()).toEqual(Array.from({ length: 20 }, (_, at) => 22 - at));
  expect(await page("?before=3")).toEqual([2, 1]);
  expect(await page("?before=1")).toEqual([]);
  const large = JSON.stringify([{ name: "lat", description: "x".repeat(4_000_000) }]);
  await db.updateTable("community_description_revisions").set({ columns: large }).where("version", ">", 10).execute();
  expect(await page()).toEqual([22, 21]);
  expect(await page("?before=21")).toEqual([20, 19]);
  await db.updateTable("dataset_descriptions").set({ version: 130 }).execute();
  await save(ada, "community", draft("State 131."));
  expect(await page("?before=131")).toEqual([]);
});

it("all descriptions of a dataset download as CSV, in which no text runs as a formula", async () => {
  const { ada, grace, gateway } = shared();
  const { app } = gateway;
  await save(ada, "community", draft("Über **storms**", { lat: '=HYPERLINK("x")', lng: "One,\r\ntwo" }));
  await save(ada, "user", draft("Mine"));
  await save(grace, "user", draft("- Hers", { Wind_Speed: "Hers, too" }));
  const download = (query = "", dataset = "nature/storms") =>
    app.inject({ url: `/datasets/${dataset}/descriptions.csv${query}`, headers: { authorization: `Bearer ${grace}` } });
  const { headers, body } = await download();
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  expect(headers["content-disposition"]).toContain('attachment; filename="storms-descriptions.csv"');
  expect(body).toBe(
    [
      "column,type,system,community,private",
      ",Dataset,Rows to test with.,Über **storms**,'- Hers",
      "id,Integer,Counts up.,,",
      `lat,Decimal,The lat.,"'=HYPERLINK(""x"")",`,
      'lng,Decimal,The lng.,"One,\r\ntwo",',
      "place,String,The place.,,",
      "at,Epoch Timestamp in Milliseconds,The at.,,",
      'Wind_Speed,String,The Wind_Speed.,,"Hers, too"',
      "",
    ].join("\r\n"),
  );
  expect((await download("?bom=true")).body).toBe(`\uFEFF${body}`);
  for (const name of ["money/secrets", "money/nothing"]) expect((await download("", name)).statusCode).toBe(404);
});

it("a read of the version that the caller has is answered with 304", async () => {
  const { ada, grace, gateway } = shared();
  for (const url of ["/datasets/nature/storms/schema", path("community"), path("user")]) {
    const get = (ifNoneMatch?: string) =>
      gateway.app.inject({
        url,
        headers: { authorization: `Bearer ${grace}`, ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }) },
      });
    const first = await get();
    const again = await get(`W/${String(first.headers["etag"])}`);
    expect([url, again.statusCode, again.body, again.headers["etag"]]).toEqual([url, 304, "", first.headers["etag"]]);
    await save(ada, "community", draft(`After ${url}.`));
    await save(grace, "user", draft(`After ${url}.`));
    expect([url, (await get(String(first.headers["etag"]))).statusCode]).toEqual([url, 200]);
  }
});
