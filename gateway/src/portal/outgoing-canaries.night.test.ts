import { join } from "node:path";
import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { DuckDBInstance } from "@duckdb/node-api";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import pino from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { contractRoutes } from "#testing/contract-routes.ts";
import { buildColumn, buildDataset, buildFilterSupport } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";
import { readLive } from "#testing/live-reader.ts";
import { mailPassword, openMailServer, type ReceivedMail } from "#testing/mail-server.ts";
import { graphOf, summary } from "#testing/subscriptions-app.ts";
import { patience, receiver } from "#testing/webhook-receiver.ts";
import { sheetRows } from "#testing/workbooks.ts";

/** In the cells of withheld rows, and in the name and the cells of a withheld column. */
const [inRows, inColumn] = ["quagga", "quokka"] as const;
/** Of all rows, and of those that the reader of a part sees. */
const [all, visible] = [7_339, 2_447] as const;
/** How the numbers of withheld rows begin, and how the exact places of all rows end. */
const [inNumbers, inPlaces] = ["73317331", "13377331"] as const;

const rowsOf = (from: number, to: number) => `
  select id, if(id % 3 = 0, 'north', '${inRows} coast') as region, if(id % 3 = 0, 'ship ' || id % 7, '${inRows} ' || id % 7) as name,
    if(id % 3 = 0, id % 50, ${inNumbers}00000 + id) as size, timestamp '2024-01-01' + to_minutes(id) as "at",
    id % 60 + 0.${inPlaces} as lat, id % 90 + 0.${inPlaces} as lng, '${inColumn} ' || id as ${inColumn}s
  from range(${from}, ${to}) as ids(id)`;
const asSeen = (select: string) =>
  `select * exclude (${inColumn}s) replace (floor(lat) + 0.25 as lat, floor(lng) + 0.25 as lng) from (${select}) where id % 3 = 0`;
/** Of all rows before some are added. */
const sumOfAll = sizesUpTo(all);

function sizesUpTo(end: number): number {
  return Array.from({ length: end }, (_, id) => (id % 3 === 0 ? id % 50 : Number(`${inNumbers}00000`) + id)).reduce(
    (one, other) => one + other,
    0,
  );
}

/** Withheld values. */
const cells = new RegExp([inRows, inColumn, inNumbers, inPlaces].join("|"), "i");

/** Everything that tells of the rest. */
const canaries = new RegExp(
  [
    inRows,
    inColumn,
    inNumbers,
    inPlaces,
    ...[all, all + 300, all - visible, sumOfAll].map((number) => `(?<![\\w.-])${number}(?![\\w-])`),
  ].join("|"),
  "i",
);

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      note: "You see the rows of the north.",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: [`${inColumn}s`], roles: ["audit"], others: "withheld" },
    { names: ["lat", "lng"], roles: ["audit"], others: { step: 0.5 } },
  ],
};

const shown = [
  buildColumn("id", "integer"),
  buildColumn("region", "STRING"),
  buildColumn("name", "STRING"),
  buildColumn("size", "integer"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
];
const withheld = [buildColumn(`${inColumn}s`, "STRING", { description: `The ${inColumn} of a ship.` })];

const recipe = (id: string, select: string, more: object) => ({
  entity: buildDataset({
    category: "sea",
    id,
    source: { kind: "files", glob: `sea/${id}/*.parquet`, format: "parquet" },
    schema: { columns: shown },
    temporalField: "at",
    locationField: "place",
    mapSupport: { groupItemField: "name", itemLocationField: "place", itemTemporalField: "at" },
    titleField: "name",
    filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
    ...more,
  }),
  sources: {},
  select: `${select} order by "at" desc`,
});

let gateway: Awaited<ReturnType<typeof demoGateway>>;
let mails: Awaited<ReturnType<typeof openMailServer>>;
const received: ReceivedMail[] = [];
let logged = "";
const tokens: Record<string, string> = {};
const people = ["ada", "alan"] as const;
type Person = (typeof people)[number];

beforeAll(async () => {
  mails = await openMailServer((mail) => received.push(mail));
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  gateway = await demoGateway(
    {
      FAIRWAY_SMTP_URL: `smtp://portal:${encodeURIComponent(mailPassword)}@127.0.0.1:${mails.port}`,
      FAIRWAY_SMTP_FROM: "portal@example.org",
      FAIRWAY_SETTINGS: JSON.stringify({ subscriptionRows: true, limits: { notificationEmailSeconds: 1 } }),
    },
    {
      categories: [{ id: "sea", description: "" }],
      datasets: [
        recipe("ships", `select * from (${rowsOf(0, all)})`, {
          schema: { columns: [...shown, ...withheld] },
          access,
          subtitleField: `${inColumn}s`,
        }),
        recipe("twin", `select * from (${asSeen(rowsOf(0, all))})`, {}),
      ],
      usernames: { ada: ["north", "schema-edit"], alan: ["audit", "schema-edit"], owner: ["audit"] },
    },
    { log },
  );
  for (const username of ["root", "owner", ...people]) tokens[username] = await gateway.token(username);
  await gateway.database.pool.query("update users set email = username || '@example.org'");
}, 60_000);

afterAll(async () => {
  await gateway.close();
  await mails.close();
});

async function answerTo(caller: string, method: string, path: string, payload?: unknown) {
  const headers = { authorization: `Bearer ${tokens[caller]}` };
  const url = `/api${path}`;
  return gateway.app.inject({ method: method as "GET", url, headers, ...(payload === undefined ? {} : { payload: payload as object }) });
}

async function call<Body = { readonly id: string }>(caller: string, method: string, path: string, payload?: unknown): Promise<Body> {
  const answer = await answerTo(caller, method, path, payload);
  expect([caller, method, path, answer.statusCode < 300 ? "" : answer.body]).toEqual([caller, method, path, ""]);
  return (answer.body === "" ? undefined : JSON.parse(answer.body)) as Body;
}

/** The same text without the separators of thousands. */
const said = (text: string): string => text.replaceAll(/(?<=\d)[,\u00A0\u202F](?=\d{3})/g, "");

/** The parts of an email, decoded. */
function partsOf({ content }: ReceivedMail): { readonly type: string; readonly bytes: Buffer }[] {
  const boundaries = [...content.matchAll(/boundary="([^"]+)"/g)].flatMap(([, boundary = ""]) => boundary);
  const pieces = boundaries.reduce((texts, boundary) => texts.flatMap((text) => text.split(`--${boundary}`)), [content]);
  return pieces.map((piece) => {
    const [head = "", ...rest] = piece.split("\r\n\r\n");
    const body = rest.join("\r\n\r\n");
    const type = /^Content-Type: ([\w/+-]+)/im.exec(head)?.[1] ?? "";
    const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1];
    if (encoding === "base64") return { type, bytes: Buffer.from(body, "base64") };
    const quoted = encoding === "quoted-printable";
    const plain = quoted
      ? body.replaceAll("=\r\n", "").replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : body;
    return { type, bytes: Buffer.concat([Buffer.from(`${head}\n`), Buffer.from(plain, "latin1")]) };
  });
}

const ships = { datasetCategory: "sea", datasetId: "ships" };
const measures = [
  { aggregation: "count", column: "*" },
  { aggregation: "sum", column: "size" },
  { aggregation: "max", column: "lat" },
];
const sum = [{ aggregation: "sum", column: "size" }];
/** Subjects with a picture in an email, and those without. */
const overTime = summary(null, { measures: sum, by: [{ kind: "time", unit: "day" }] });
const ofNames = summary("table", { measures: sum, by: [{ kind: "value", column: "name" }] });

const panelsOn = (dataset: typeof ships) =>
  [
    { kind: "number", title: "Count", dataset, query: {}, value: measures[0] },
    { kind: "number", title: "Sum", dataset, query: {}, value: measures[1] },
    { kind: "number", title: "North", dataset, query: {}, value: measures[2] },
    { kind: "table", title: "Rows", dataset, query: {} },
    { kind: "map", title: "Map", dataset, query: {} },
    { ...graphOf("Chart", overTime), dataset },
    { ...graphOf("Table", ofNames), dataset },
  ].map((panel, index) => Object.assign({ id: `p${index}`, place: { x: 0, y: index * 4, w: 4, h: 4 } }, panel));

const hidden = { id: "p9", place: { x: 0, y: 40, w: 4, h: 4 }, kind: "table", title: "Rest", dataset: ships };
const naming = { filters: [{ name: `${inColumn}s`, operator: "<>", value: "" }] };

/** Everything that one of both has been sent or can fetch, by channel. */
type Sent = Record<string, string>;

it("nothing that leaves for a reader of a part holds anything of the rest, and what leaves for a reader of everything does", async () => {
  const sent: Record<Person, Sent> = { ada: {}, alan: {} };
  const hooks = { ada: await receiver(), alan: await receiver() };
  const streams = { ada: await live("ada"), alan: await live("alan") };

  // The things of somebody who sees everything, and whose own texts say nothing of it.
  const board = await call("owner", "POST", "/boards", {
    name: "Fleet",
    content: { panels: [...panelsOn(ships), { ...hidden, query: naming }] },
  });
  const twinBoard = await call("owner", "POST", "/boards", {
    name: "Twins",
    content: { panels: panelsOn({ ...ships, datasetId: "twin" }) },
  });
  const search = await call("owner", "POST", "/favorite/queries", { ...ships, queryName: "Ships", query: JSON.stringify({ filters: [] }) });
  const hiddenSearch = await call("owner", "POST", "/favorite/queries", { ...ships, queryName: "Rest", query: JSON.stringify(naming) });
  const shares = await Promise.all(people.map(async (name) => ({ to: { kind: "user", id: (await idOf(name)) ?? "" }, can: "edit" })));
  for (const path of [
    `/boards/${board.id}`,
    `/boards/${twinBoard.id}`,
    `/favorite/queries/${search.id}`,
    `/favorite/queries/${hiddenSearch.id}`,
  ])
    await call("owner", "PUT", `${path}/shares`, { shares });
  await call("owner", "PUT", "/datasets/sea/ships/description/suggestions", {
    columnName: `${inColumn}s`,
    description: "What it is called.",
  });

  const alerts: Record<Person, string[]> = { ada: [], alan: [] };
  const subscriptions: Record<Person, string[]> = { ada: [], alan: [] };
  for (const person of people) {
    const alert = async (name: string, condition: object) => {
      const draft = {
        name,
        savedSearchId: search.id,
        condition,
        everyMinutes: 5,
        tellWhenOver: true,
        email: true,
        webhookUrl: hooks[person].url,
      };
      alerts[person].push((await call(person, "POST", "/alerts", draft)).id);
    };
    await alert("Rows", { kind: "above", rows: 1 });
    await alert("Sum", { kind: "measure", measure: measures[1], operator: ">", value: 1 });
    await alert("Groups", { kind: "groups", by: "name", measure: measures[1], operator: ">", value: 1 });
    await alert("New", { kind: "new-rows" });
    await alert("Change", { kind: "changed", percent: 1 });
    const at = { hour: 8, minute: 0, weekdays: [1], zone: "UTC" };
    const subscribe = async (name: string, of: object, more: object = {}) =>
      subscriptions[person].push((await call(person, "POST", "/subscriptions", { name, of, at, ...more })).id);
    await subscribe("Board", { boardId: board.id });
    await subscribe("Twin", { boardId: twinBoard.id });
    await subscribe("Search", { savedSearchId: search.id }, { withRows: true });
    for (const id of subscriptions[person]) await call(person, "POST", `/subscriptions/${id}/send`);
  }
  const mailsOf = (person: Person) => received.filter(({ to }) => to.includes(`${person}@example.org`));
  const textOfMails = (person: Person) =>
    mailsOf(person)
      .flatMap((mail) => partsOf(mail).map(({ bytes }) => bytes.toString()))
      .join("\n");
  const untilTold = (events: number) =>
    vi.waitFor(() => expect(people.map((person) => hooks[person].posts.length)).toEqual([events, events]), {
      ...patience,
      timeout: 60_000,
    });
  await untilTold(3);
  const areChecked = async () =>
    expect((await gateway.database.pool.query("select from alerts where checked_at is not null")).rowCount).toBe(2 * alerts.ada.length);
  await vi.waitFor(areChecked, { ...patience, timeout: 60_000 });
  await addRows();
  await gateway.database.pool.query("update alerts set next_check_at = now()");
  await untilTold(5);
  // Messages of alerts that wait are in one email.
  const areMailed = () => {
    for (const person of people) {
      const subjects = mailsOf(person).flatMap(({ content }) => /^Subject: .*: (Board|Twin|Search)\r?$/m.exec(content)?.[1] ?? []);
      expect(subjects.toSorted()).toEqual(["Board", "Search", "Twin"]);
      for (const name of ["Rows", "Sum", "Groups", "New", "Change"]) expect(textOfMails(person)).toMatch(new RegExp(`\\b${name}: `));
    }
  };
  await vi.waitFor(areMailed, { ...patience, timeout: 60_000 });

  for (const person of people) {
    const channels = sent[person];
    channels["webhooks"] = hooks[person].posts.map(({ headers, body }) => JSON.stringify(headers) + body).join("\n");
    channels["emails"] = textOfMails(person);
    channels["exports"] = await exported(person);
    channels["tools of assistants"] = await askedByAssistant(person);
    channels["notifications"] = await textOf(person, "/notifications");
    channels["history of alerts"] = (await Promise.all(alerts[person].map((id) => textOf(person, `/alerts/${id}/history`)))).join("\n");
    channels["deliveries"] = (await Promise.all(subscriptions[person].map((id) => textOf(person, `/subscriptions/${id}/deliveries`)))).join(
      "\n",
    );
    channels["lists"] = await listed(person);
    channels["board"] = (await textOf(person, `/boards/${board.id}`)) + (await textOf(person, `/boards/${board.id}/revisions`));
    channels["profile"] =
      (await textOf(person, "/datasets/sea/ships/profile")) + (await textOf(person, "/datasets/sea/ships/profile/thumbnail"));
    channels["live changes"] = streams[person].text();
  }
  const telling = (person: Person) =>
    Object.entries(sent[person]).flatMap(([channel, text]) => {
      const found = canaries.exec(said(text));
      return found === null ? [] : [`${channel}: ${found[0]}`];
    });
  expect(telling("ada")).toEqual([]);
  for (const [channel, text] of Object.entries(sent.ada)) expect([channel, text.length > 0]).toEqual([channel, true]);
  const silent = new Set(["deliveries", "live changes"]);
  expect(telling("alan").map((one) => one.split(":")[0])).toEqual(Object.keys(sent.alan).filter((channel) => !silent.has(channel)));
  expect(streams.ada.messages.map((message) => "topic" in message && message.topic)).toContain("alerts");

  // Administrators read it: it has names of columns and figures, but no values.
  expect(cells.exec(said(logged.replaceAll(`${inColumn}s`, "")))).toBeNull();

  // Nobody can read a picture here: it is the same as of data that never had the rest.
  const pictures = (person: Person) =>
    ["Board", "Twin"].map((name) => {
      const mail = mailsOf(person).find(({ content }) => new RegExp(`^Subject: .*: ${name}\r?$`, "m").test(content));
      return (mail === undefined ? [] : partsOf(mail)).flatMap(({ type, bytes }) =>
        type === "image/png" ? [bytes.toString("base64")] : [],
      );
    });
  const [ofBoard = [], ofTwin = []] = pictures("ada");
  expect(ofBoard.length).toBeGreaterThan(0);
  expect(ofBoard).toEqual(ofTwin);
  expect(pictures("alan")[0]).not.toEqual(pictures("alan")[1]);
}, 180_000);

const idOf = async (username: string): Promise<string | undefined> =>
  (await call<{ id: string }[]>("owner", "GET", `/sharing/candidates?text=${username}`))[0]?.id;

const textOf = async (person: string, path: string): Promise<string> => (await answerTo(person, "GET", path)).body;

const live = (person: Person) => readLive(`http://127.0.0.1:${gateway.port}/api/live`, tokens[person] ?? "");

/** More rows of both kinds, in a file of their own. */
async function addRows(): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`copy (${rowsOf(all, all + 300)}) to '${join(gateway.home, "datasets/sea/ships/more.parquet")}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
}

async function exported(person: Person): Promise<string> {
  const texts: string[] = [];
  for (const format of ["csv", "json", "arrow", "xlsx"]) {
    const { exportId } = await call<{ exportId: string }>(person, "POST", "/datasets/sea/ships/export", {
      format,
      search: { filters: [] },
    });
    const isDone = async () => expect(await call(person, "GET", `/exports/${exportId}`)).toMatchObject({ status: "done" });
    await vi.waitFor(isDone, { ...patience, timeout: 30_000 });
    const { rawPayload, headers } = await answerTo(person, "GET", `/exports/${exportId}/file`);
    const sheets = format === "xlsx" ? JSON.stringify([await sheetRows(rawPayload, 0), await sheetRows(rawPayload, 1)]) : "";
    texts.push(JSON.stringify(headers), rawPayload.toString(), sheets, await textOf(person, `/exports/${exportId}/manifest`));
  }
  return texts.join("\n");
}

/** Answers of each tool, also to questions about what is withheld. */
async function askedByAssistant(person: Person): Promise<string> {
  const { key } = await call<{ key: string }>(person, "POST", "/apiKeys", { name: "assistant", datasets: [ships] });
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${gateway.port}/api/mcp`), { requestInit }));
  const dataset = { category: "sea", dataset: "ships" };
  const questions: Record<string, object[]> = {
    list_datasets: [{}, { text: "ship" }],
    describe_dataset: [dataset],
    sample_rows: [dataset],
    search_rows: [{ ...dataset, limit: 200 }],
    newest_per_item: [dataset],
    aggregate: [{ ...dataset, measures: [{ function: "sum", column: "size" }], by_column: "name" }],
    summarize: [{ ...dataset, by: [{ column: "region" }] }],
    column_values: [
      { ...dataset, column: "region" },
      { ...dataset, column: "name" },
    ],
  };
  const { tools } = await client.listTools();
  const texts = [];
  for (const { name } of tools) {
    for (const input of questions[name] ?? [])
      texts.push(JSON.stringify(await client.callTool({ name, arguments: input as Record<string, unknown> })));
  }
  await client.close();
  return texts.join("\n");
}

/** Every list that a user can fetch. */
async function listed(person: Person): Promise<string> {
  const routes = (await contractRoutes()).filter(
    ({ method, path, access: who, endless }) => method === "GET" && !path.includes(":") && who === "signed-in" && endless !== true,
  );
  const texts = await Promise.all(routes.map(async ({ path }) => `${path} ${await textOf(person, path)}`));
  return texts.join("\n");
}
