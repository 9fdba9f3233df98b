// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { errorBody } from "@fairway/contract/errors";
import { NoAdministrator, canAllCall, fuzzingCallers } from "../lib/fuzzing-callers.mjs";
import { createThings } from "../lib/fuzzed-things.mjs";
import { CallGenerator } from "../lib/generated-calls.mjs";
import { KnownValues } from "../lib/known-values.mjs";
import { sumMeasurements } from "../lib/portal.mjs";
import { Random } from "../lib/random.mjs";
import { schemaValues } from "../lib/schema-values.mjs";
import { writerLimits } from "../lib/writers.mjs";

export const name = "Calls generated from the API's OpenAPI document, as every kind of caller";

/** Each portal takes this many calls: later ones would mostly meet what earlier ones have deleted or disabled. */
const callsPerPortal = 2_000;
const callsBetweenChecks = 100;
/** A call without an answer for this long fails. */
const timeoutMs = 30_000;

/** With a mail server that does not answer, because subscriptions need one. */
const env = {
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
  FAIRWAY_SMTP_URL: "smtp://127.0.0.1:1",
  FAIRWAY_SMTP_FROM: "portal@fairway.example",
  ...writerLimits,
};

/** Decision 2 of the specification: what these statuses mean. @type {Readonly<Record<number, readonly string[]>>} */
const failureCodes = { 502: ["upstream-failed"], 503: ["engine-busy", "not-ready"], 504: ["timed-out"], 507: ["no-room"] };
/** Operations that call services, run queries or keep files in stores. */
const reachesOthers =
  /^\/(?:datasets|admin\/(?:datasets|buckets|tables|config|torch-service|flow|doc-files|docs|filesets|ownDatasets|feedback)|flowDeployments|flowGroups|filesets|docs|exports|imports|ownDatasets|geoAxis|oidc|alerts|subscriptions|mcp|feedback|health\/ready|ecosystems|externalPages)/i;
/** Parts of errors that callers must not learn: stacks, statements, and where the portal keeps its files. */
const internals =
  /\bat \S+ \(|\.[cm]?[jt]s:\d+|node_modules|node:internal|fairway-hostile-|\b(?:select|insert into|update) .+ (?:from|values|set) /i;

/** @typedef {import("../lib/generated-calls.mjs").ListedOperation} ListedOperation */

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal, short, calls = short ? 250 : callsPerPortal, seed = 20_261_122 }) {
  const measurements = [];
  const totals = { operations: 0, succeeded: new Set(), called: new Set() };
  /** @type {Map<string, number>} */
  const problems = new Map();
  /** @type {Map<string, number>} */
  const failures = new Map();
  for (let done = 0; done < calls;) {
    const portal = await openPortal({ env });
    const fuzzing = new Fuzzing(portal, new Random(seed + done), totals, problems, failures);
    try {
      await fuzzing.prepare();
      measurements.push(await portal.measure(() => fuzzing.run(Math.min(callsPerPortal, calls - done))));
    } catch (error) {
      // An attack may end the portal, which is a problem, or delete the account that repairs it.
      if (portal.isRunning && (fuzzing.calls === 0 || !(error instanceof NoAdministrator))) throw error;
    } finally {
      await portal.stop();
    }
    done += Math.max(1, fuzzing.calls);
  }
  const { called, succeeded, operations } = totals;
  const allowed = [...failures].map(([failure, times]) => `${times} × ${failure}`).join("; ");
  const note = `${calls} calls, seed ${seed}: ${called.size} of ${operations} operations called, ${succeeded.size} with success; failures of others: ${allowed || "none"}`;
  const found = [...problems].map(([problem, times]) => `${times} × ${problem}`);
  return {
    ...sumMeasurements(measurements),
    note,
    ...(found.length === 0 ? {} : { problem: found.slice(0, 40).join("\n                   ") }),
  };
}

class Fuzzing {
  #portal;
  #random;
  #totals;
  #problems;
  #failures;
  #known = new KnownValues();
  /** Made so far. */
  calls = 0;
  /** @type {readonly ListedOperation[]} */
  #operations = [];
  /** @type {CallGenerator} */
  #generator;
  /** @type {import("../lib/fuzzing-callers.mjs").Caller[]} */
  #callers = [];

  /**
   * @param {import("../lib/portal.mjs").Portal} portal
   * @param {Random} random
   * @param {{ operations: number, called: Set<unknown>, succeeded: Set<unknown> }} totals
   * @param {Map<string, number>} problems
   * @param {Map<string, number>} failures
   */
  constructor(portal, random, totals, problems, failures) {
    this.#portal = portal;
    this.#random = random;
    this.#totals = totals;
    this.#problems = problems;
    this.#failures = failures;
    this.#generator = new CallGenerator(random, schemaValues({}, random), this.#known);
  }

  /** Reads the document, which is generated at its first call. */
  async prepare() {
    const { paths, components } = JSON.parse((await this.#portal.call("GET", "/openapi.json")).text);
    this.#operations = listed(paths);
    this.#totals.operations = this.#operations.length;
    this.#generator = new CallGenerator(this.#random, schemaValues(components.schemas, this.#random), this.#known);
    this.#callers = await fuzzingCallers(this.#portal);
    const missing = await this.#repair();
    if (missing.length > 0) throw new Error(`the things to attack could not be created: ${missing.join("; ")}`);
  }

  /** @param {number} calls */
  async run(calls) {
    /** @type {ListedOperation[]} */
    let waiting = [];
    for (; this.calls < calls; this.calls += 1) {
      if (this.calls % callsBetweenChecks === 0 && !(await canAllCall(this.#portal, this.#callers))) {
        this.#callers = await fuzzingCallers(this.#portal);
      }
      // Every operation once before any is called again.
      if (waiting.length === 0) {
        if (this.calls > 0) await this.#repair();
        waiting = [
          ...shuffled(this.#operations.filter(isDestructive), this.#random),
          ...shuffled(
            this.#operations.filter((one) => !isDestructive(one)),
            this.#random,
          ),
        ];
      }
      const operation = waiting.pop();
      if (operation !== undefined) await this.#call(operation);
      if (!this.#portal.isRunning) throw new Error("the portal ended");
    }
    return "";
  }

  /** Creates what is missing, and resolves with what could not be created. */
  async #repair() {
    const [administrator, ...others] = this.#callers;
    if (administrator === undefined) throw new Error("there are no callers");
    const users = others.filter(({ name: caller }) => caller === "editor" || caller === "developer");
    return createThings(this.#portal, administrator, users, (path, answer) => this.#known.remember(path, answer));
  }

  /** @param {ListedOperation} listed */
  async #call(listed) {
    const { method, path, operation } = listed;
    // Most operations require an administrator, and a 403 would not exercise the code behind them.
    const caller = this.#random.isHit(0.5) ? this.#callers[0] : this.#random.pick(this.#callers);
    if (caller === undefined) throw new Error("there are no callers");
    const { manner, target, headers, body } = this.#generator.next(listed);
    const { status, text } = await this.#portal.call(method, target, {
      headers: { ...caller.headers, ...headers },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
    });
    const name = `${method} ${path}`;
    this.#totals.called.add(name);
    if (status > 0 && status < 400) {
      this.#totals.succeeded.add(name);
      this.#known.remember(path, parsed(text));
    }
    const isPage = operation.responses["200"]?.content?.["text/html"] !== undefined && text.startsWith("<!doctype html>");
    // The connection may end a moment before the process.
    if (status === 0) await sleep(1_000);
    const problem = this.#portal.isRunning ? problemOf(path, status, text, isPage) : "the portal ended";
    if (problem !== undefined) {
      const detail = `${target.slice(0, 300)} with ${String(body).slice(0, 600)} ${JSON.stringify(headers)}`;
      // The first one of a kind is shown with its call.
      const kind = [...this.#problems.keys()].find((known) => known.startsWith(`${name}: ${problem}`));
      count(this.#problems, kind ?? `${name}: ${problem} as ${caller.name}, ${manner}: ${detail}`);
    } else if (status >= 500) count(this.#failures, `${status} ${messageOf(text).slice(0, 80)}`);
  }
}

/**
 * Without streams, which never answer as a whole.
 * @param {Record<string, Record<string, import("../lib/generated-calls.mjs").Operation>>} paths
 * @returns {ListedOperation[]}
 */
function listed(paths) {
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })))
    .filter(({ operation }) => operation.responses["200"]?.content?.["text/event-stream"] === undefined);
}

/** These come last, because others would find nothing afterwards. @param {ListedOperation} operation */
const isDestructive = ({ method, path }) => method === "DELETE" || /\/(?:import|bulk|disable|abandon|logout|config)$/.test(path);

/**
 * @param {string} path
 * @param {number} status
 * @param {string} text
 * @param {boolean} isPage pages for people without a sign-in say as a page what is wrong
 */
function problemOf(path, status, text, isPage) {
  if (status === 0) return `no answer, ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  const answer = errorBody.safeParse(parsed(text));
  if (!answer.success) return status < 500 && isPage ? undefined : `${status} without an error body: ${text.slice(0, 200)}`;
  const [first] = answer.data.errors;
  if (internals.test(JSON.stringify(answer.data.errors.map((/** @type {{ message: string }} */ error) => error.message))))
    return `${status} tells internals: ${first?.message.slice(0, 300)}`;
  if (status < 500) return undefined;
  const isClear = failureCodes[status]?.includes(first?.code ?? "") === true && reachesOthers.test(path);
  return isClear ? undefined : `${status} ${first?.code} ${first?.message.slice(0, 200)}`;
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function messageOf(text) {
  const answer = errorBody.safeParse(parsed(text));
  return answer.success ? (answer.data.errors[0]?.message ?? "") : "";
}

/** @param {Map<string, number>} counts @param {string} key */
const count = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);

/**
 * @template T
 * @param {readonly T[]} values
 * @param {Random} random
 */
function shuffled(values, random) {
  return values
    .map((value) => ({ value, order: random.next() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ value }) => value);
}
