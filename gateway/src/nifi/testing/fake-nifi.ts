import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { FakeFields } from "./fake-flow.ts";
import { type FakeAnswer, type FakeCall, answerOf } from "./fake-rest.ts";
import { type FakeGroupState, FakeState } from "./fake-state.ts";

interface FakeNifiOptions {
  readonly version: "1.18.0" | "2.0.0";
  /** Serves HTTPS with a certificate of `testCertificate`. */
  readonly https?: { readonly key: string; readonly cert: string } | undefined;
  /** Passwords by username; without them, access is anonymous. As with NiFi, users sign in over HTTPS only. */
  readonly users?: Readonly<Record<string, string>> | undefined;
}

export interface FakeRequest {
  readonly method: string;
  /** Below `/nifi-api`, with the query. */
  readonly path: string;
  readonly authorization: string | undefined;
}

export interface FakeGroup {
  readonly id: string;
  readonly name: string;
  /** Whether any component runs. */
  readonly running: boolean;
  /** FlowFiles in all queues. */
  readonly queued: number;
  /** As NiFi exports it. */
  readonly definition: FakeFields;
  readonly components: readonly { readonly name: string; readonly type: string; readonly isOn: boolean }[];
}

/**
 * - `hang`: does not answer until `letGo`
 * - `reset`: closes the connection instead of answering
 * - `lose-answer`: does it, then closes the connection
 * - `killed`: does it, then closes the connection and every later one, like a NiFi that is killed, until `recover`
 * - `garbage`: answers something that is not NiFi's
 * - `pretend`: answers what the function returns, as if it had done it
 */
export type FakeFailure =
  | { readonly status: number; readonly text?: string }
  | { readonly pretend: () => unknown }
  | "hang"
  | "reset"
  | "lose-answer"
  | "killed"
  | "garbage";

interface FailureRule {
  readonly method: string | undefined;
  readonly path: RegExp;
  readonly how: FakeFailure;
  left: number;
}

export function startFakeNifi(options: FakeNifiOptions): Promise<FakeNifi> {
  return FakeNifi.start(options);
}

/** Speaks NiFi's REST API as recorded from NiFi 1.18.0 (`nifi-1.18.0.json`), and keeps what it is sent in memory. */
export class FakeNifi {
  /** Without a path. */
  url = "";
  readonly requests: FakeRequest[] = [];
  readonly #options: FakeNifiOptions;
  readonly #state: FakeState;
  readonly #server: ReturnType<typeof createServer>;
  readonly #tokens = new Map<string, string>();
  readonly #hanging: ServerResponse[] = [];
  #rules: FailureRule[] = [];

  private constructor(options: FakeNifiOptions) {
    this.#options = options;
    this.#state = new FakeState(options.version);
    const listener: RequestListener = (request, response) => void this.#answer(request, response);
    this.#server = options.https ? createSecureServer(options.https, listener) : createServer(listener);
  }

  static async start(options: FakeNifiOptions): Promise<FakeNifi> {
    const fake = new FakeNifi(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    const { port } = fake.#server.address() as AddressInfo;
    fake.url = `${options.https ? "https" : "http"}://127.0.0.1:${port}`;
    return fake;
  }

  /** The groups below the root. */
  groups(): readonly FakeGroup[] {
    return [...this.#state.groups.values()].map((group) => this.#view(group));
  }

  findGroup(name: string): FakeGroup | undefined {
    return this.groups().find((group) => group.name === name);
  }

  /** Adds a group that the portal did not deploy, and returns its id. */
  addGroup(name: string, definition: object = { flowContents: { name } }): string {
    return this.#state.addGroup(name, { definition: structuredClone(definition) as FakeFields }).id;
  }

  removeGroup(id: string): void {
    this.#state.groups.delete(id);
  }

  /** Answers 500 to every request that hangs. */
  letGo(): void {
    for (const response of this.#hanging.splice(0)) send(response, { status: 500, type: "text/plain", body: "" });
  }

  /** Changes a group, as someone does on NiFi's canvas: `change` gets its `flowContents`. */
  edit(id: string, change: (contents: FakeFields) => void): void {
    const group = this.#state.group(id);
    const contents = structuredClone(group.contents.contents);
    change(contents);
    group.contents.replace(contents);
    group.version += 1;
  }

  start(id: string): void {
    const group = this.#state.group(id);
    for (const one of group.contents.components) one.validatingReads = 0;
    this.#state.enableServices(group, true);
    this.#state.schedule(group, true);
  }

  stop(id: string): void {
    this.#state.schedule(this.#state.group(id), false);
  }

  /** Starts or stops the component of a group with the given name only. */
  setRunning(id: string, name: string, isRunning: boolean): void {
    for (const one of this.#state.group(id).contents.components) if (one.name === name) one.isOn = isRunning;
  }

  /** Puts data into the first queue. Stuck data does not drain. */
  queue(id: string, flowFiles: number, { stuck = false } = {}): void {
    const [connection] = this.#state.group(id).contents.connections;
    if (connection === undefined) throw new Error("the group has no connection");
    connection.queued = flowFiles;
    connection.isStuck = stuck;
  }

  /** Sets a sensitive property of a component, as someone does on NiFi's canvas. */
  setSecret(id: string, component: string, property: string): void {
    for (const one of this.#state.group(id).contents.components) if (one.name === component) one.secrets.add(property);
  }

  /** Makes components of a name invalid, for a reason in NiFi's words. */
  invalidate(name: string, reason: string): void {
    this.#state.invalid.set(name, reason);
  }

  makeValid(name: string): void {
    this.#state.invalid.delete(name);
  }

  addProcessorType(type: string): void {
    this.#state.processorTypes.add(type);
  }

  /** Makes the next matching calls fail, all of them by default. `path` is matched against the path below `/nifi-api`. */
  fail({ method, path, times = Infinity }: { method?: string; path: RegExp; times?: number }, how: FakeFailure): void {
    this.#rules.push({ method, path, how, left: times });
  }

  /** Ends all failures. */
  recover(): void {
    this.#rules = [];
  }

  /** A token that this NiFi accepts. */
  token(username: string): string {
    const token = `fake.${username}.${randomUUID()}`;
    this.#tokens.set(token, username);
    return token;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #view(group: FakeGroupState): FakeGroup {
    const { components, queued, isRunning } = group.contents;
    return {
      id: group.id,
      name: group.name,
      running: isRunning,
      queued,
      definition: this.#state.definitionOf(group),
      components: components.map(({ name, type, isOn }) => ({ name, type, isOn })),
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://nifi");
    const path = pathname.replace(/^\/nifi-api/, "");
    const method = request.method ?? "GET";
    const { authorization } = request.headers;
    this.requests.push({ method, path: `${path}${search}`, authorization });
    const body = await readBody(request);
    const failure = this.#nextFailure(method, path);
    if (failure === "hang") return void this.#hanging.push(response);
    if (failure === "reset") return void request.socket.destroy();
    if (failure === "garbage") return send(response, { status: 200, body: { hello: "world" } });
    if (typeof failure === "object" && "pretend" in failure) return send(response, { status: 200, body: failure.pretend() });
    if (typeof failure === "object") return send(response, { status: failure.status, type: "text/plain", body: failure.text ?? "" });
    if (!pathname.startsWith("/nifi-api/")) return send(response, { status: 404, type: "text/plain", body: "Not Found" });
    const contentType = request.headers["content-type"] ?? "";
    const answer = await this.#authenticated(
      { origin: this.url, method, path, query: searchParams, contentType, body, identity: "anonymous" },
      authorization,
    );
    if (failure === "killed") this.#rules = [{ method: undefined, path: /./, how: "reset", left: Infinity }];
    if (failure === "lose-answer" || failure === "killed") return void request.socket.destroy();
    return send(response, answer);
  }

  #nextFailure(method: string, path: string): FakeFailure | undefined {
    const rule = this.#rules.find((one) => one.left > 0 && (one.method ?? method) === method && one.path.test(path));
    if (rule) rule.left -= 1;
    return rule?.how;
  }

  async #authenticated(call: FakeCall, authorization: string | undefined): Promise<FakeAnswer> {
    const { users, https } = this.#options;
    if (call.method === "POST" && call.path === "/access/token") return this.#signIn(call);
    if (users === undefined || https === undefined) return answerOf(this.#state, call);
    if (authorization === undefined) return refusal(401, "Anonymous authentication has not been configured.");
    const identity = this.#tokens.get(authorization.replace(/^Bearer /, ""));
    return identity === undefined ? refusal(401, "Unable to validate the access token.") : answerOf(this.#state, { ...call, identity });
  }

  #signIn({ body }: FakeCall): FakeAnswer {
    const { users, https } = this.#options;
    if (https === undefined) return refusal(409, "Access tokens are only issued over HTTPS.");
    if (users === undefined) return refusal(409, "Username/Password login not supported by this NiFi.");
    const form = new URLSearchParams(body.toString());
    const username = form.get("username") ?? "";
    if (!Object.hasOwn(users, username) || users[username] !== form.get("password")) {
      return refusal(400, "The supplied username and password are not valid.");
    }
    return { status: 201, type: "text/plain", body: this.token(username) };
  }
}

const refusal = (status: number, body: string): FakeAnswer => ({ status, type: "text/plain", body });

function send(response: ServerResponse, { status, type, body }: FakeAnswer): void {
  response.writeHead(status, { "content-type": type ?? "application/json" });
  response.end(type === undefined ? JSON.stringify(body) : body);
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
