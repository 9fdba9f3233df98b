// @ts-check
// Clients that use a platform while its servers are killed, and remember what it acknowledged.
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { demoAccounts } from "@fairway/demo/accounts";
import { call, expectCall, signIn } from "../harness/calls.mjs";

/** A call without an answer for this long hangs. */
const hangMs = 60_000;
/** An acknowledged export has to end within this time: another gateway takes it over after 25 seconds. */
const exportEndMs = 180_000;
const pauseMs = 250;
const savedSearches = 50;
const files = 40;
const partBytes = 5_242_880;

const search = {
  path: "/datasets/Natural%20hazards/earthquakes/search",
  body: {
    filters: [{ name: "mag", operator: ">=", value: "5" }],
    sort: [{ column: "time", direction: "asc" }],
    paging: { offset: 0, max: 50 },
  },
};
const exporting = {
  path: "/datasets/Aviation/flights/export",
  body: {
    format: "csv",
    search: { filters: [{ name: "origin", operator: "<>", value: "-" }], sort: [{ column: "distance", direction: "desc" }] },
  },
};

/** A dataset that is a table of the query server, and a filter of it that every row passes. */
export const tableDataset = {
  id: "bird-strikes",
  path: "/datasets/Aviation/bird-strikes",
  filters: [{ name: "species", operator: "<>", value: "-" }],
};
const tableSearch = { path: `${tableDataset.path}/search`, body: { filters: tableDataset.filters, paging: { offset: 0, max: 50 } } };
/** Counts of a map's cells. Unlike breakdowns, these do not say when they were computed, so that they can be compared. */
const tableGrid = { path: `${tableDataset.path}/grid`, body: { filters: tableDataset.filters, level: 4 } };
const tableExport = { path: `${tableDataset.path}/export`, body: { format: "csv", search: { filters: tableDataset.filters } } };

/** @typedef {"search" | "search of a table" | "export of a table" | "export" | "upload" | "upload in parts" | "sign-in" | "save"} ClientName */
/** Outcome of a call: a status with the code of its error, or how its connection failed. */
/** @typedef {{ client: ClientName, at: string, outcome: string, detail: string, isAllowed: boolean }} Failure */

/** The sentences of failures of a query server that is away. */
const unreachable = /^(?:The (?:connection to the )?|A part of the )query server /;

/** @typedef {{ client: "export" | "export of a table", path: string, token: string }} BegunExport */

/** Codes of errors that say that something is away for a moment. */
const temporary = new Set(["not-ready", "upstream-failed", "engine-busy", "timed-out"]);

const sha256 = (/** @type {string | Uint8Array} */ content) => createHash("sha256").update(content).digest("hex");

export class FaultClients {
  #origin;
  /** @type {Failure[]} */
  failures = [];
  /** Times of successful calls in milliseconds. @type {Record<string, number[]>} */
  succeeded = {};
  /** Contents that a file may have: the last acknowledged one, and those of later uploads without an answer. @type {Map<string, Set<string>>} */
  #uploaded = new Map();
  /** Number of the last acknowledged write by id. @type {Map<string, number>} */
  #saved = new Map();
  /** @type {string[]} */
  #refreshTokens = [];
  /** @type {string[]} */
  #wrong = [];
  /** Acknowledged exports that have not ended yet. @type {Map<string, BegunExport>} */
  #exports = new Map();
  #finishedExports = 0;
  /** Those that say that the query server was away. */
  interruptedExports = 0;
  #number = 0;
  #tables;
  /** Hashes of what searches and exports answer, by path. @type {Map<string, string>} */
  #expected = new Map();
  /** @type {Map<string, string>} */
  #tokens = new Map();

  /**
   * @param {string} origin the balancer's
   * @param {{ tables: boolean }} options `tables`: whether there is a query server
   */
  constructor(origin, { tables }) {
    this.#origin = origin;
    this.#tables = tables;
  }

  /** Signs everyone in, and asks while nothing is disturbed what the answers have to be. */
  async prepare() {
    for (const { username, password } of demoAccounts.users) this.#tokens.set(username, await signIn(this.#origin, username, password));
    const token = this.#tokenOf("viewer");
    for (const { path, body } of [search, ...(this.#tables ? [tableSearch, tableGrid] : [])]) {
      const { text } = await call(this.#origin, "POST", path, { token, body });
      this.#expected.set(path, sha256(text));
    }
    for (const { path, body } of [exporting, ...(this.#tables ? [tableExport] : [])]) {
      const { exportId } = await expectCall(this.#origin, "POST", path, { token, body });
      for (;;) {
        const { status } = await expectCall(this.#origin, "GET", `/exports/${exportId}`, { token });
        if (status === "done") break;
        if (status !== "running") throw new Error(`the first export ended as ${status}`);
        await sleep(pauseMs);
      }
      const file = await call(this.#origin, "GET", `/exports/${exportId}/file`, { token });
      this.#expected.set(path, sha256(file.text));
    }
  }

  /** Works until `stop` is called. */
  start() {
    const stopping = new AbortController();
    const repeat = async (/** @type {() => Promise<void>} */ work) => {
      while (!stopping.signal.aborted) {
        await work();
        await sleep(pauseMs);
      }
    };
    const running = Promise.all([
      repeat(() => this.#search("search", search, "viewer")),
      repeat(() => this.#search("search", search, "developer")),
      repeat(() => this.#export("export", exporting, "viewer")),
      repeat(() => this.#export("export", exporting, "editor")),
      ...(this.#tables
        ? [
            repeat(() => this.#search("search of a table", tableSearch, "viewer")),
            repeat(() => this.#search("search of a table", tableGrid, "developer")),
            repeat(() => this.#export("export of a table", tableExport, "admin")),
          ]
        : []),
      repeat(() => this.#upload("editor")),
      repeat(() => this.#upload("developer")),
      repeat(() => this.#uploadInParts("editor")),
      repeat(() => this.#signIn()),
      repeat(() => this.#save("developer")),
      repeat(() => this.#save("developer")),
    ]);
    return {
      stop: async () => {
        stopping.abort();
        await running;
      },
    };
  }

  get acknowledged() {
    return this.#uploaded.size + this.#saved.size + this.#refreshTokens.length + this.#finishedExports + this.#exports.size;
  }

  /** Reads everything back that was acknowledged, and returns what is missing or wrong. */
  async lost() {
    /** @type {string[]} */
    const lost = [];
    const token = this.#tokenOf("developer");
    for (const [file, contents] of this.#uploaded) {
      const { status, text } = await this.#bytes(`/filesets/public-data/download?file=${file}`, token);
      if (status !== 200 || !contents.has(text)) lost.push(`the file ${file} (${status})`);
    }
    const saved = await expectCall(this.#origin, "GET", "/favorite/queries", { token });
    const numbers = new Map(saved.map((/** @type {{ id: string, description: string }} */ one) => [one.id, Number(one.description)]));
    for (const [id, number] of this.#saved) if ((numbers.get(id) ?? 0) < number) lost.push(`the saved search ${number}`);
    for (const refreshToken of this.#refreshTokens) {
      const { status } = await call(this.#origin, "POST", "/auth/refresh", { body: { refreshToken } });
      if (status !== 200) lost.push(`a session (${status})`);
    }
    for (const [exportId, begun] of this.#exports) await this.#endOfExport(exportId, begun);
    lost.push(...this.#wrong, ...[...this.#exports.keys()].map((exportId) => `the export ${exportId}, which did not end`));
    return lost;
  }

  #tokenOf(/** @type {string} */ username) {
    return this.#tokens.get(username) ?? "";
  }

  /**
   * @param {"search" | "search of a table"} client
   * @param {{ path: string, body: unknown }} question
   * @param {string} username
   */
  async #search(client, { path, body }, username) {
    const answer = await this.#call(client, "POST", path, { token: this.#tokenOf(username), body });
    if (answer && sha256(answer.text) !== this.#expected.get(path))
      this.#wrong.push(`an answer of a ${client}: ${answer.text.slice(0, 200)}`);
  }

  /**
   * @param {BegunExport["client"]} client
   * @param {{ path: string, body: unknown }} question
   * @param {string} username
   */
  async #export(client, { path, body }, username) {
    const token = this.#tokenOf(username);
    // After an answer that was lost, the export of before may still run.
    const started = await this.#call(client, "POST", path, { token, body }, ["too-many-requests"]);
    if (started === undefined) return;
    const { exportId } = started.json;
    const begun = { client, path, token };
    this.#exports.set(exportId, begun);
    // On a busy machine, servers may be away for longer: then it is looked at again at the end.
    await this.#endOfExport(exportId, begun);
  }

  /** Checks how the export ended, if it does in time. @param {string} exportId @param {BegunExport} begun */
  async #endOfExport(exportId, { client, path, token }) {
    for (const endMs = Date.now() + exportEndMs; Date.now() < endMs;) {
      await sleep(pauseMs);
      const state = await this.#call(client, "GET", `/exports/${exportId}`, { token });
      if (state === undefined || state.json.status === "running") continue;
      this.#exports.delete(exportId);
      const { status, failure } = state.json;
      if (status !== "done") {
        // A query server forgets its queries when it is killed.
        if (client === "export of a table" && status === "failed" && unreachable.test(failure)) this.interruptedExports += 1;
        else this.#wrong.push(`an ${client}, which ended as ${status}: ${failure}`);
        return;
      }
      this.#finishedExports += 1;
      const file = await this.#call(client, "GET", `/exports/${exportId}/file`, { token });
      if (file && sha256(file.text) !== this.#expected.get(path))
        this.#wrong.push(`the file of an ${client} (${file.text.length} characters)`);
      return;
    }
  }

  /** @param {string} username */
  async #upload(username) {
    const file = `faults-${username}-${(this.#number += 1) % files}.bin`;
    const address = await this.#call("upload", "GET", `/filesets/public-data/upload?file=${file}`, { token: this.#tokenOf(username) });
    if (address === undefined) return;
    const content = randomBytes(50_000).toString("base64");
    const contents = this.#uploaded.get(file);
    contents?.add(content);
    const path = address.json.uploadUrl.replace(/^\/api/, "");
    const stored = await this.#call("upload", "PUT", path, { raw: content });
    if (stored) this.#uploaded.set(file, new Set([content]));
  }

  /** Each part may reach another gateway. @param {string} username */
  async #uploadInParts(username) {
    const token = this.#tokenOf(username);
    const file = `faults-parts-${(this.#number += 1) % files}.bin`;
    const content = randomBytes(((partBytes + 100_000) * 3) / 4).toString("base64");
    const body = { file, size: content.length, version: String(this.#number) };
    const begun = await this.#call("upload in parts", "POST", "/filesets/public-data/uploads", { token, body });
    if (begun === undefined) return;
    this.#uploaded.get(file)?.add(content);
    const uploads = `/filesets/public-data/uploads/${begun.json.uploadId}`;
    for (let part = 1; (part - 1) * begun.json.partBytes < content.length; part += 1) {
      const address = await this.#call("upload in parts", "GET", `${uploads}/parts/${part}`, { token });
      if (address === undefined) return;
      const raw = content.slice((part - 1) * begun.json.partBytes, part * begun.json.partBytes);
      const path = address.json.uploadUrl.replace(/^\/api/, "");
      if ((await this.#call("upload in parts", "PUT", path, { raw })) === undefined) return;
    }
    const stored = await this.#call("upload in parts", "POST", `${uploads}/complete`, { token, body: {} });
    if (stored) this.#uploaded.set(file, new Set([content]));
  }

  async #signIn() {
    const account = demoAccounts.users.find(({ username }) => username === "viewer");
    const body = { username: account?.username, password: account?.password };
    const answer = await this.#call("sign-in", "POST", "/auth/login", { body });
    if (answer === undefined) return;
    this.#refreshTokens.push(answer.json.token.refresh_token);
    await this.#call("sign-in", "GET", "/profile", { token: answer.json.token.access_token });
  }

  /** Ids of saved searches that may be changed, by slot. @type {Map<number, string>} */
  #slots = new Map();

  /** @param {string} username */
  async #save(username) {
    const token = this.#tokenOf(username);
    const number = (this.#number += 1);
    const slot = number % savedSearches;
    const id = this.#slots.get(slot);
    // Nobody else changes it meanwhile.
    this.#slots.delete(slot);
    const body = { queryName: `search ${number}`, description: String(number), query: JSON.stringify({ filters: [] }) };
    const answer =
      id === undefined
        ? await this.#call("save", "POST", "/favorite/queries", {
            token,
            body: { datasetCategory: "Natural hazards", datasetId: "earthquakes", ...body },
          })
        : await this.#call("save", "PUT", `/favorite/queries/${id}`, { token, body });
    if (answer === undefined) return;
    this.#saved.set(answer.json.id, number);
    this.#slots.set(slot, answer.json.id);
  }

  /**
   * The answer if the call succeeded. Everything else is recorded.
   * @param {ClientName} client
   * @param {string} method
   * @param {string} path
   * @param {Parameters<typeof call>[3]} options
   * @param {readonly string[]} [allowedCodes]
   */
  async #call(client, method, path, options, allowedCodes = []) {
    const at = `${method} ${path.split("?")[0]?.replaceAll(/[\w-]{20,}/g, "…") ?? ""}`;
    const startedMs = performance.now();
    const answer = await call(this.#origin, method, path, { ...options, timeoutMs: hangMs }).catch((error) => /** @type {Error} */ (error));
    if (answer instanceof Error) {
      const isHanging = performance.now() - startedMs > hangMs - 500;
      this.failures.push({
        client,
        at,
        outcome: isHanging ? "no answer in time" : "connection broken",
        detail: answer.message,
        // A body that breaks off is not JSON either.
        isAllowed: !isHanging,
      });
      return undefined;
    }
    const { status, text, json } = answer;
    if (status < 300) {
      (this.succeeded[client] ??= []).push(performance.now() - startedMs);
      return answer;
    }
    const [error] = Array.isArray(json?.errors) ? json.errors : [];
    const isClear = typeof error?.code === "string" && typeof error?.message === "string" && error.message !== "";
    this.failures.push({
      client,
      at,
      outcome: `${status} ${error?.code ?? "without a code"}`,
      detail: text.slice(0, 300),
      isAllowed: isClear && (temporary.has(error.code) || allowedCodes.includes(error.code)),
    });
    return undefined;
  }

  /** @param {string} path @param {string} token */
  #bytes(path, token) {
    return call(this.#origin, "GET", path, { token });
  }
}
