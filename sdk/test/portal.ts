import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { demoGateway } from "@fairway/gateway/testing/demo-gateway";
import { onTestFinished } from "vitest";
import { buildColumn, buildDataset, buildFilterSupport } from "@fairway/gateway/testing/dataset-app";

type Content = NonNullable<Parameters<typeof demoGateway>[1]>;
type Dataset = Content["datasets"][number];

const filterSupport = buildFilterSupport({ supportsTimeRange: true });

/** 30 tides, one for each hour of 2024-01-01 and the next morning. The time is in seconds. */
const tides = (id: string, features: Dataset["entity"]["features"]): Dataset => ({
  entity: buildDataset({
    id,
    category: "Coast",
    description: "Heights of the sea.",
    source: { kind: "files", glob: `coast/${id}/*.parquet`, format: "parquet" },
    schema: {
      columns: [
        buildColumn("number", "integer"),
        buildColumn("harbor", "STRING"),
        buildColumn("height", "decimal", { unit: "m" }),
        buildColumn("time", "TIMESTAMP_SECONDS"),
      ],
    },
    temporalField: "time",
    features,
    filterSupport,
  }),
  sources: {},
  select: `
    select number, case when number % 2 = 0 then 'Dover, "Kent"' else 'Brest' || chr(27) || '[2J' end as harbor,
      number / 4 as height, 1704067200 + number * 3600 as time
    from range(30) numbers (number)`,
});

/** Numbers that no double holds: a column of each width, one with empty cells, and decimals. */
const hashes: Dataset = {
  entity: {
    ...tides("hashes", ["SAMPLE", "PAGINATION", "COUNT"]).entity,
    description: "Numbers with many digits.",
    temporalField: null,
    filterSupport: { ...filterSupport, supportsTimeRange: false },
    schema: {
      columns: [
        buildColumn("row", "integer"),
        buildColumn("hash", "integer"),
        buildColumn("parent", "integer"),
        buildColumn("total", "integer"),
        buildColumn("price", "decimal"),
      ],
    },
  },
  sources: {},
  select: `
    select * from (values
      (0, 5::ubigint, null::bigint, 12345678901234567890123456789012345678::decimal(38, 0), 0.5::decimal(38, 4)),
      (1, 17293822569102704640::ubigint, 9007199254740993::bigint, 7::decimal(38, 0), 12345678901234567890.1234::decimal(38, 4)),
      (2, 9223372036854775808::ubigint, (-9223372036854775808)::bigint, -8::decimal(38, 0), -0.25::decimal(38, 4))
    ) hashes (row, hash, parent, total, price)`,
};

const fileset = (id: string, allowsUploads: boolean) => ({
  id,
  description: "",
  s3Bucket: id,
  s3Prefix: "",
  allowsUploads,
  allowedRoles: [],
});

const content: Content = {
  categories: [{ id: "Coast", description: "What the sea does." }],
  datasets: [tides("tides", ["SAMPLE", "PAGINATION", "COUNT"]), tides("all tides", ["SAMPLE", "COUNT"]), hashes],
  filesets: [
    { entity: fileset("inbox", true), sources: {}, selects: [], copies: [] },
    { entity: fileset("secret", true), sources: {}, selects: [], copies: [] },
    {
      entity: fileset("charts", false),
      sources: {},
      copies: [],
      selects: [
        `select path, 'chart of ' || path as content, timestamp '2024-01-01' as modified, '{"sea":"north"}' as tags
         from (values ('index.txt'), ('north/dover.txt'), ('north/deep/ä b.txt')) files (path)`,
      ],
    },
  ],
};

export interface Portal {
  readonly url: string;
  /** Opens the datasets, `inbox` and `charts`. */
  readonly apiKey: string;
  /** Of the key's owner. */
  readonly boardId: string;
  /** Of an administrator. */
  readonly accessToken: string;
  close(): Promise<void>;
}

/** A gateway with tides, files and a key that opens them. Uploads are limited to 1,000,000 bytes. */
export async function startPortal(): Promise<Portal> {
  const gateway = await demoGateway(
    { LIMIT_UPLOAD_MAX_BYTES: "1000000", FAIRWAY_SETTINGS: '{"limits":{"pagingMaxRows":8,"unpagedMaxRows":20}}' },
    content,
  );
  const url = `http://127.0.0.1:${gateway.port}`;
  const post = async (path: string, body: object, token?: string) => {
    const headers = { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const { token } = (await post("/auth/login", { username: "root", password: "tide-table" })) as { token: { access_token: string } };
  const accessToken = token.access_token;
  const datasets = ["tides", "all tides"].map((datasetId) => ({ datasetCategory: "Coast", datasetId }));
  const { key } = (await post("/apiKeys", { name: "sdk", datasets, filesetIds: ["inbox", "charts"] }, accessToken)) as { key: string };
  const text = { id: "words", kind: "text", title: "", text: "**Low** tide", place: { x: 0, y: 0, w: 6, h: 3 } };
  // Keys see boards of datasets that they reach, and texts where they reach all of them.
  const count = {
    id: "count",
    kind: "number",
    title: "",
    dataset: { datasetCategory: "Coast", datasetId: "tides" },
    query: { filters: [] },
    value: { aggregation: "count", column: "*" },
    place: { x: 6, y: 0, w: 6, h: 3 },
  };
  const { id: boardId } = (await post("/boards", { name: "Harbor", content: { panels: [text, count] } }, accessToken)) as { id: string };
  const search = { datasetCategory: "Coast", datasetId: "tides", queryName: "All", query: JSON.stringify({ filters: [] }) };
  const { id: savedSearchId } = (await post("/favorite/queries", search, accessToken)) as { id: string };
  await post("/alerts", { name: "High tide", savedSearchId, condition: { kind: "new-rows" }, everyMinutes: 1_440 }, accessToken);
  return { url, apiKey: key, boardId, accessToken, close: () => gateway.close() };
}

export async function temporaryFolder(onClose: (close: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-sdk-"));
  onClose(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A server that answers as a test says; returns its address. */
export async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return addressOf(server);
}

/** An address where nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = addressOf(server);
  server.close();
  await once(server, "close");
  return address;
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const execute = promisify(execFile);

/** Runs a program to its end, whatever its exit code. */
export async function outcomeOf(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  try {
    return { code: 0, ...(await execute(program, [...args], options)) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { code, stdout, stderr };
  }
}
