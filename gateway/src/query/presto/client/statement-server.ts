import { setTimeout as wait } from "node:timers/promises";
import { EngineFailed } from "#query/engine.ts";
import { abandoned } from "#query/slots.ts";
import type { Compiled } from "#query/sql/compile.ts";
import { type BoundStatement, bindStatement } from "./bound-statement.ts";
import { Coordinator, type CoordinatorAnswer } from "./coordinator.ts";
import { CallRefused, callFailure, statusFailure } from "./failures.ts";
import { kindOfVersion, parsed, serverInfo, statementAnswer } from "./protocol.ts";
import { preparedHeaders, sessionHeaders, userHeader } from "./session-headers.ts";
import { StatementRun, unlessAborted } from "./statement-run.ts";
import type {
  CoordinatorLimits,
  ServerKind,
  StatementCall,
  StatementResult,
  StatementServer,
  StatementServerSettings,
} from "./statements.ts";

const defaultLimits: CoordinatorLimits = { connectMs: 10_000, readMs: 30_000, retryMs: 10_000, pageBytes: 64_000_000 };
/** How long closing waits for cancellations. */
const closeMs = 2_000;
const probeMs = 10_000;
const headersTooLarge = 431;
const neverAborted = new AbortController().signal;

/** Opens no connection yet. Throws EngineFailed for settings that cannot be used. */
export function openStatementServer(settings: StatementServerSettings): StatementServer {
  return new OpenStatementServer(settings);
}

class OpenStatementServer implements StatementServer {
  readonly #settings: StatementServerSettings;
  readonly #coordinator: Coordinator;
  readonly #runs = new Set<StatementRun>();
  readonly #background = new Set<Promise<void>>();
  #kind: Promise<ServerKind> | undefined;

  constructor(settings: StatementServerSettings) {
    this.#settings = settings;
    this.#coordinator = new Coordinator(settings, { ...defaultLimits, ...settings.limits });
  }

  async kind(signal: AbortSignal): Promise<ServerKind> {
    if (signal.aborted) throw abandoned(signal);
    const asking = (this.#kind ??= this.#askKind());
    asking.catch(() => {
      if (this.#kind === asking) this.#kind = undefined;
    });
    return await unlessAborted(asking, signal).catch((error: unknown) => {
      throw error instanceof EngineFailed ? error : abandoned(signal);
    });
  }

  async run(statement: Compiled, call: StatementCall): Promise<StatementResult> {
    const bound = bindStatement(statement);
    const kind = await this.kind(call.signal);
    const user = userHeader(kind, this.#settings, call.user);
    const headers = { ...user, ...sessionHeaders(kind, this.#settings, call) };
    const parts = {
      headers: user,
      coordinator: this.#coordinator,
      log: this.#settings.log,
      inBackground: (work: Promise<void>) => this.#keep(work),
      onEnd: () => void this.#runs.delete(run),
    };
    const run: StatementRun = new StatementRun(parts, call);
    this.#runs.add(run);
    return run.start(() => this.#post(kind, headers, bound));
  }

  async close(): Promise<void> {
    for (const run of this.#runs) run.stop(new EngineFailed("upstream", "The connection to the query server was closed. Try again."));
    await Promise.race([Promise.all(this.#background), wait(closeMs)]);
    await this.#coordinator.close();
  }

  #keep(work: Promise<void>): void {
    this.#background.add(work);
    void work.finally(() => this.#background.delete(work));
  }

  async #post(kind: ServerKind, headers: Record<string, string>, { prepared, literal }: BoundStatement): Promise<CoordinatorAnswer> {
    const send = (body: string, extra: Record<string, string> = {}) =>
      this.#call("POST", "/v1/statement", { headers: { ...headers, ...extra, "content-type": "text/plain; charset=utf-8" }, body });
    const preparing = prepared && preparedHeaders(kind, prepared.statement);
    let answer = prepared && preparing ? await send(prepared.execute, preparing) : await send(literal);
    // A proxy may take fewer headers than the server.
    if (answer.status === headersTooLarge && preparing) answer = await send(literal);
    // The address may belong to another server by now.
    if (answer.status !== 200) this.#kind = undefined;
    return answer;
  }

  async #askKind(): Promise<ServerKind> {
    const info = await this.#call("GET", "/v1/info");
    const { nodeVersion, starting } = parsed(serverInfo, info.text) ?? {};
    if (info.status === 200 && starting === true) throw new EngineFailed("busy", "The query server is starting. Try again later.");
    const known = info.status === 200 && nodeVersion ? kindOfVersion(nodeVersion.version) : undefined;
    return known ?? this.#tryKinds();
  }

  /** Asks with the headers of each kind: servers refuse statements without a user in their own header. */
  async #tryKinds(): Promise<ServerKind> {
    let refused: CoordinatorAnswer | undefined;
    for (const kind of ["trino", "presto"] as const) {
      const user = userHeader(kind, this.#settings, undefined);
      const headers = { ...user, ...sessionHeaders(kind, this.#settings, { user: undefined, timeoutMs: probeMs }) };
      const answer = await this.#call("POST", "/v1/statement", { headers, body: "select 1" });
      const { id } = parsed(statementAnswer, answer.text) ?? {};
      if (answer.status === 200 && id !== undefined) {
        // Nobody reads its row.
        this.#keep(this.#call("DELETE", `/v1/query/${id}`, { headers: user }).then(ignore, ignore));
        return kind;
      }
      refused ??= answer.status === 200 ? undefined : answer;
    }
    if (refused) throw statusFailure(refused.status, undefined);
    throw callFailure(new CallRefused("not-the-protocol"), this.#coordinator.limits, undefined);
  }

  #call(method: "GET" | "POST" | "DELETE", path: `/v1/${string}`, { headers = {}, body }: Content = {}): Promise<CoordinatorAnswer> {
    const call = { method, url: this.#coordinator.url(path), headers, signal: neverAborted };
    return this.#coordinator.repeated(body === undefined ? call : { ...call, body });
  }
}

interface Content {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const ignore = (): void => undefined;
