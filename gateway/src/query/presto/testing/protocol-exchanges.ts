import { setTimeout as wait } from "node:timers/promises";
import { headerName } from "../client/protocol.ts";
import type { ServerKind } from "../client/statements.ts";

/** One answer of a server, without what differs from run to run. */
export interface Exchange {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Without parameters. */
  readonly contentType: string;
  /** JSON, or text. */
  readonly body: unknown;
}

const slowStatement = "select count(*) from tpch.sf100.lineitem a, tpch.sf100.lineitem b where a.comment = b.comment";
const limitedStatement = `${slowStatement} limit 1`;
const rowsStatement = "select nationkey, name from tpch.tiny.nation where nationkey < 3 order by nationkey";

interface Sent {
  readonly status: number;
  readonly nextUri: string | undefined;
  readonly body: unknown;
}

/** Makes the calls that the client makes, and those whose answers it has to understand. A real server takes `pauseMs` for what it does. */
export async function protocolExchanges(kind: ServerKind, url: string, pauseMs = 1_000): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const send = async (
    what: string,
    method: string,
    address: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Sent> => {
    const response = await fetch(new URL(address, url), { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const [contentType = ""] = (response.headers.get("content-type") ?? "").split(";");
    const answer: unknown = contentType === "application/json" ? JSON.parse(text) : text;
    const path = normalized(address.replace(url, ""));
    exchanges.push({ what, method, path, status: response.status, contentType, body: pruned(answer) });
    const { nextUri } = Object(answer) as { nextUri?: string };
    return { status: response.status, nextUri, body: answer };
  };
  const user = { [headerName(kind, "User")]: "fairway" };
  const post = (what: string, sql: string, headers: Record<string, string> = {}) =>
    send(what, "POST", "/v1/statement", { ...user, ...headers }, sql);
  const follow = async (what: string, first: Sent, isDone: (body: unknown) => boolean = () => false): Promise<Sent> => {
    let answer = first;
    while (answer.nextUri !== undefined && !isDone(answer.body)) answer = await send(what, "GET", answer.nextUri);
    return answer;
  };
  const state = (body: unknown): string => (Object(body) as { stats?: { state?: string } }).stats?.state ?? "";

  await send("info", "GET", "/v1/info");
  await send("no user", "POST", "/v1/statement", {}, "select 1");
  await post("no statement", "");
  const first = await post("rows", rowsStatement);
  await send("rows, other slug", "GET", (first.nextUri ?? "").replace(/[xy][\da-f]{16,}/, "x00000000000000000000000000000000"));
  const second = await send("rows", "GET", first.nextUri ?? "");
  await send("rows, repeated", "GET", first.nextUri ?? "");
  await follow("rows", second);
  const prepared = { [headerName(kind, "Prepared-Statement")]: `fairway=${encodeURIComponent("select ? as a, ? as b")}` };
  await follow("prepared", await post("prepared", "EXECUTE fairway USING BIGINT '1', 'x'", prepared));
  await follow("syntax error", await post("syntax error", "selec 1"));
  await follow("missing table", await post("missing table", "select 1 from tpch.tiny.nothing"));
  await follow("failure while running", await post("failure while running", "select 1 / (nationkey - nationkey) from tpch.tiny.nation"));
  const limited = { [headerName(kind, "Session")]: "query_max_execution_time=500ms" };
  await follow("time limit", await post("time limit", limitedStatement, limited));
  await follow(
    "unknown session property",
    await post("unknown session property", "select 1", { [headerName(kind, "Session")]: "nothing=1" }),
  );
  const running = await follow(
    "cancel while it runs",
    await post("cancel while it runs", slowStatement),
    (body) => state(body) === "RUNNING",
  );
  await send("cancel while it runs", "DELETE", running.nextUri ?? "");
  await wait(pauseMs / 2);
  await follow("cancel while it runs", await send("cancel while it runs", "GET", running.nextUri ?? ""));
  const { body } = await post("end by id", slowStatement);
  const { id } = body as { id: string };
  await wait(pauseMs);
  await send("end by id, no user", "DELETE", `/v1/query/${id}`);
  await send("end by id", "DELETE", `/v1/query/${id}`, user);
  const [unknown, slug] = ["20000101_000000_00000_aaaaa", "x00000000000000000000000000000000"];
  const path = kind === "trino" ? `${unknown}/${slug}/1` : `${unknown}/1?slug=${slug}`;
  await send("unknown query", "GET", `/v1/statement/executing/${path}`);
  await send("no such call", "GET", "/v1/nothing");
  const long = { [headerName(kind, "Prepared-Statement")]: `fairway=${encodeURIComponent(`select 1 -- ${"x".repeat(12_000)}`)}` };
  await follow("long header", await post("long header", "select 1", long));
  return distinct(exchanges);
}

/** Servers answer a varying number of times while nothing happens, and may hold any state. */
function distinct(exchanges: readonly Exchange[]): Exchange[] {
  const byText = new Map(exchanges.map((exchange) => [JSON.stringify(exchange), exchange]));
  return [...byText.values()];
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\d{8}_\d{6}_\d{5}_\w{5}/g, "QUERY"],
  [/https?:\/\/127\.0\.0\.1:\d+/g, "http://server"],
  [/[xy][\da-f]{16,}/g, "SLUG"],
  [/(executing\/QUERY\/SLUG|queued\/QUERY\/SLUG|executing\/QUERY|queued\/QUERY)\/\d+/g, "$1/TOKEN"],
];
const normalized = (text: string): string => replacements.reduce((result, [pattern, by]) => result.replaceAll(pattern, by), text);

/** Large, different at any time, or of the server's own code; the client reads none of them. */
const leftOut = new Set(["stats", "failureInfo", "uptime", "environment", "partialCancelUri", "typeSignature", "runtimeStats"]);

function pruned(value: unknown): unknown {
  if (typeof value === "string") return normalized(value);
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !leftOut.has(key))
      .map(([key, one]) => [key, pruned(one)]),
  );
}
