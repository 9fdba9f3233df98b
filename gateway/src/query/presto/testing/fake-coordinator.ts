import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { headerName } from "../client/protocol.ts";
import type { ResultColumn, ServerKind } from "../client/statements.ts";
import { type FakeAnswer, type FakeError, errorAnswer, fakeAnswers } from "./fake-answers.ts";

/** Result of a statement. */
export interface FakeResult {
  readonly columns?: readonly ResultColumn[];
  readonly pages?: readonly (readonly (readonly unknown[])[])[];
  /** Answers before the query runs; without any, an error is that of a statement that is wrong. */
  readonly queued?: number;
  /** Ends the query after its pages. */
  readonly error?: FakeError;
  /** Runs after its pages until it is canceled. */
  readonly isEndless?: boolean;
}

/** A statement that arrived, with what the client said about it. */
export interface FakeStatement {
  readonly id: string;
  /** Prepared statements as they were prepared. */
  readonly sql: string;
  /** The body, if it executes a prepared statement. */
  readonly execute: string | undefined;
  /** Headers without the prefix of the kind. */
  readonly session: Readonly<Record<string, string>>;
  /** Pages that were asked for, counted from 0. */
  readonly asked: readonly number[];
  readonly isCanceled: boolean;
}

interface FakeQuery extends FakeStatement {
  readonly slug: string;
  readonly result: FakeResult;
  readonly asked: number[];
  readonly endsAtMs: number;
  isCanceled: boolean;
}

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/**
 * - `hang`: never answers
 * - `reset`: closes the connection instead of answering
 * - `lose-answer`: does it, then closes the connection
 * - `slow`: answers after a while
 * - a function: changes the text of the answer
 */
export type FakeFailure =
  | { readonly status: number; readonly text?: string; readonly location?: string }
  | "hang"
  | "reset"
  | "lose-answer"
  | "slow"
  | ((text: string) => string);

interface FakeOptions {
  readonly kind: ServerKind;
  readonly version?: string;
  /** Serves HTTPS with a certificate of `testCertificate`. */
  readonly https?: { readonly key: string; readonly cert: string };
  /** The only `Authorization` that is accepted; without it, everybody is. */
  readonly authorization?: string;
}

interface FailureRule {
  readonly method: string | undefined;
  readonly path: RegExp;
  readonly how: FakeFailure;
  left: number;
}

const pollMs = 20;
const slowMs = 300;
const maxPrestoHeaders = 8_192;

/** Speaks the protocol of Trino or Presto as recorded from real servers, and answers statements by rules. */
export class FakeCoordinator {
  /** Without a path. */
  url = "";
  readonly requests: FakeRequest[] = [];
  /** In the order of their arrival. */
  readonly statements: FakeStatement[] = [];
  readonly #options: FakeOptions;
  readonly #server: ReturnType<typeof createServer>;
  #queries = new Map<string, FakeQuery>();
  readonly #results: { readonly sql: RegExp; readonly result: FakeResult }[] = [];
  #rules: FailureRule[] = [];
  isStarting = false;

  private constructor(options: FakeOptions) {
    this.#options = options;
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    this.#server = options.https ? createSecureServer(options.https, listener) : createServer(listener);
  }

  static async start(options: FakeOptions): Promise<FakeCoordinator> {
    const fake = new FakeCoordinator(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    const { port } = fake.#server.address() as AddressInfo;
    fake.url = `${options.https ? "https" : "http"}://127.0.0.1:${port}`;
    return fake;
  }

  /** Answers statements that match; the rule added last counts. Other statements fail with a syntax error. */
  answer(sql: RegExp, result: FakeResult): void {
    this.#results.unshift({ sql, result });
  }

  /** Makes the next matching calls fail, all of them by default. */
  fail({ method, path, times = Infinity }: { method?: string; path: RegExp; times?: number }, how: FakeFailure): void {
    this.#rules.push({ method, path, how, left: times });
  }

  /** Ends all failures. */
  recover(): void {
    this.#rules = [];
  }

  /** Forgets every query, as a coordinator that was restarted. */
  restart(): void {
    this.#queries = new Map();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = request;
    this.requests.push({ method, path, headers });
    const body = await readBody(request);
    const failure = this.#nextFailure(method, path);
    if (failure === "hang") return;
    if (failure === "reset") return void request.socket.destroy();
    if (typeof failure === "object") {
      const { status, text = "", location } = failure;
      response.writeHead(status, { "content-type": "text/plain", ...(location !== undefined && { location }) });
      return void response.end(text);
    }
    const { status, type, text } = await this.#answerTo(method, path, headers, body);
    if (failure === "lose-answer") return void request.socket.destroy();
    if (failure === "slow") await wait(slowMs);
    response.writeHead(status, type === undefined ? {} : { "content-type": type });
    response.end(typeof failure === "function" ? failure(text) : text);
  }

  #nextFailure(method: string, path: string): FakeFailure | undefined {
    const rule = this.#rules.find((one) => one.left > 0 && (one.method ?? method) === method && one.path.test(path));
    if (rule) rule.left -= 1;
    return rule?.how;
  }

  async #answerTo(method: string, path: string, headers: IncomingMessage["headers"], body: string): Promise<FakeAnswer> {
    const { kind, authorization, version } = this.#options;
    const answers = fakeAnswers(kind, this.url);
    if (method === "GET" && path === "/v1/info") return answers.info(version, this.isStarting);
    if (kind === "presto" && lengthOf(headers) > maxPrestoHeaders) return answers.headersTooLarge();
    if (authorization !== undefined && headers.authorization !== authorization) return answers.signedOut();
    if (method === "POST" && path === "/v1/statement") return this.#post(headers, body);
    if (method === "DELETE" && path.startsWith("/v1/query/")) {
      if (kind === "trino" && headers[headerName(kind, "User")] === undefined) return answers.noUser();
      const query = this.#queries.get(path.slice("/v1/query/".length));
      if (query) query.isCanceled = true;
      return answers.canceled();
    }
    const page = pageAddress(path);
    if (page === undefined) return answers.noSuchCall();
    const query = this.#queries.get(page.id);
    if (query === undefined || query.slug !== page.slug) return answers.missing();
    if (method !== "DELETE") return this.#step(query, page.token);
    query.isCanceled = true;
    return answers.canceled();
  }

  #post(headers: IncomingMessage["headers"], body: string): FakeAnswer {
    const { kind } = this.#options;
    const answers = fakeAnswers(kind, this.url);
    const prefix = headerName(kind, "");
    const session = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)]] : [])),
    );
    if (session["user"] === undefined) return answers.noUser();
    if (body === "") return answers.noStatement();
    const prepared = Object.fromEntries(
      (session["prepared-statement"] ?? "")
        .split(",")
        .filter((one) => one !== "")
        .map((one) => one.split("=").map((part) => decodeURIComponent(part))),
    ) as Record<string, string>;
    const [, name = ""] = /^EXECUTE (\w+) USING /.exec(body) ?? [];
    const sql = prepared[name] ?? body;
    const query: FakeQuery = {
      id: `20261123_000000_${String(this.statements.length).padStart(5, "0")}_fake1`,
      slug: `x${randomUUID().replaceAll("-", "")}`,
      sql,
      execute: sql === body ? undefined : body,
      session,
      asked: [],
      isCanceled: false,
      ...this.#limitsOf(
        session["session"] ?? "",
        this.#results.find((one) => one.sql.test(sql))?.result ?? { error: syntaxError, queued: 0 },
      ),
    };
    this.#queries.set(query.id, query);
    this.statements.push(query);
    return answers.step(query, { state: "QUEUED", token: 1, isExecuting: false });
  }

  #limitsOf(session: string, result: FakeResult): Pick<FakeQuery, "endsAtMs" | "result"> {
    const [, property = "", limitMs = "60000"] = /^(\w+)=(?:(\d+)ms)?/.exec(session) ?? [];
    const isKnown = property === "" || property === "query_max_execution_time";
    return { endsAtMs: performance.now() + Number(limitMs), result: isKnown ? result : { error: unknownPropertyError, queued: 0 } };
  }

  async #step(query: FakeQuery, token: number): Promise<FakeAnswer> {
    const { result, asked } = query;
    const answers = fakeAnswers(this.#options.kind, this.url);
    const { queued = 1, pages = [], columns, error, isEndless = false } = result;
    if (queued === 0 && error) return errorAnswer(answers, query, error);
    const last = asked.at(-1) ?? 0;
    if (token < last || token > last + 1) return answers.gone();
    asked.push(token);
    // Trino answers rows under its address for running queries only.
    const page = token - queued - (this.#options.kind === "trino" ? 1 : 0);
    if (page < -1 || (page >= pages.length && isEndless)) await wait(pollMs);
    if (query.isCanceled) return errorAnswer(answers, query, canceledError);
    if (performance.now() > query.endsAtMs) return errorAnswer(answers, query, timeLimitError);
    if (page < 0) return answers.step(query, { state: "QUEUED", token: token + 1, isExecuting: page === -1 });
    const running = { state: "RUNNING" as const, token: token + 1, isExecuting: true, ...(columns && { columns }) };
    const data = pages[page];
    if (data !== undefined) return answers.step(query, { ...running, data });
    if (isEndless) return answers.step(query, running);
    return error ? errorAnswer(answers, query, error) : answers.step(query, { state: "FINISHED", ...(columns && { columns }) });
  }
}

/** Trino has the slug in the path, Presto in the query. */
function pageAddress(path: string): { readonly id: string; readonly slug: string; readonly token: number } | undefined {
  const [, id, first = "", query] = /^\/v1\/statement\/(?:queued|executing)\/(\w+)\/(\w+\/\d+|\d+)(?:\?slug=(\w+))?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const [slug = "", token] = first.includes("/") ? first.split("/") : [query, first];
  return { id, slug, token: Number(token) };
}

const lengthOf = (headers: IncomingMessage["headers"]): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 0);

const userError = (errorCode: number, errorName: string, message: string): FakeError => ({
  message,
  errorCode,
  errorName,
  errorType: "USER_ERROR",
});
const syntaxError = userError(1, "SYNTAX_ERROR", "line 1:1: mismatched input");
const canceledError = userError(3, "USER_CANCELED", "Query was canceled");
const unknownPropertyError = userError(14, "INVALID_SESSION_PROPERTY", "Unknown session property");
const timeLimitError: FakeError = {
  message: "Query exceeded the maximum execution time limit",
  errorCode: 131_075,
  errorName: "EXCEEDED_TIME_LIMIT",
  errorType: "INSUFFICIENT_RESOURCES",
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
