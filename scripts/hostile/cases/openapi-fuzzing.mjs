// @ts-check
import { errorBody } from "@fairway/contract/errors";
import { pathPart } from "../lib/naughty-strings.mjs";
import { Random } from "../lib/random.mjs";
import { schemaValues } from "../lib/schema-values.mjs";

export const name = "Calls generated from the API's OpenAPI document, as every kind of caller";

const seed = 20_261_122;
/** Statuses for external causes: an unavailable upstream or a busy engine. */
const allowedFailures = new Set([502, 503, 504]);

/** Callers and their roles. They share one portal, so that what one of them breaks affects the others. */
const callers = /** @type {const} */ ({ viewer: [], editor: ["schema-edit"], developer: ["flow-developer-storm-desk"], other: ["admin"] });

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal, short }) {
  const calls = short ? 250 : 2_000;
  const portal = await openPortal();
  try {
    const random = new Random(seed);
    const { text } = await portal.call("GET", "/openapi.json");
    const { paths, components } = JSON.parse(text);
    const valueOf = schemaValues(components.schemas, random);
    // Without streams, which never answer as a whole.
    const operations = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(/** @type {Record<string, any>} */ (methods)).map(([method, operation]) => ({
          path,
          method: method.toUpperCase(),
          operation,
        })),
      )
      .filter(({ operation }) => operation.responses["200"]?.content?.["text/event-stream"] === undefined);
    const tokens = await tokensOf(portal);
    const administrator = tokens.find(([caller]) => caller === "other") ?? random.pick(tokens);
    return await portal.measure(async () => {
      const problems = new Map();
      for (let call = 0; call < calls; call += 1) {
        const { path, method, operation } = random.pick(operations);
        // Most operations require an administrator, and a 403 would not exercise the code behind them.
        const [caller, headers] = random.isHit(0.5) ? administrator : random.pick(tokens);
        const target = targetOf(path, operation, valueOf);
        const schema = operation.requestBody?.content["application/json"]?.schema;
        const body = schema === undefined ? undefined : (JSON.stringify(valueOf(schema)) ?? "");
        const { status, text: answer } = await portal.call(method, target, {
          headers,
          ...(body === undefined ? {} : { body }),
          timeoutMs: 30_000,
        });
        // Pages for people without a sign-in say as a page what is wrong.
        const isPage = operation.responses["200"]?.content?.["text/html"] !== undefined && answer.startsWith("<!doctype html>");
        const isInformative = status < 400 || isErrorBody(answer) || (status < 500 && isPage);
        const isBroken = status === 0 || (status >= 500 && !allowedFailures.has(status)) || !isInformative;
        if (isBroken)
          problems.set(`${method} ${path} as ${caller}: ${status} ${answer.slice(0, 150)} for ${String(body).slice(0, 300)}`, true);
      }
      const note = `${operations.length} operations, seed ${seed}`;
      return problems.size === 0 ? note : { note, problem: [...problems.keys()].slice(0, 10).join("\n                   ") };
    });
  } finally {
    await portal.stop();
  }
}

/** @param {string} text */
function isErrorBody(text) {
  try {
    return errorBody.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @param {{ parameters: { name: string, in: string, required: boolean, schema: object }[] }} operation
 * @param {ReturnType<typeof schemaValues>} valueOf
 */
function targetOf(path, { parameters }, valueOf) {
  const text = (/** @type {object} */ schema) => {
    const value = valueOf(schema);
    return pathPart(typeof value === "string" ? value : JSON.stringify(value)) || "x";
  };
  const known = /** @type {Record<string, string>} */ ({ category: "Trials", datasetId: "points" });
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter) => {
    const { schema } = parameters.find((one) => one.in === "path" && one.name === parameter) ?? { schema: {} };
    return known[parameter] ?? text(schema);
  });
  const query = parameters.filter((one) => one.in === "query").map((one) => `${one.name}=${text(one.schema)}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/**
 * Headers by caller. Excludes the first administrator, so that access cannot be lost.
 * @param {import("../lib/portal.mjs").Portal} portal
 * @returns {Promise<[string, Record<string, string>][]>}
 */
async function tokensOf(portal) {
  const administrator = await portal.asAdministrator();
  const password = "a long password";
  /** @type {[string, Record<string, string>][]} */
  const tokens = [["anonymous", {}]];
  for (const role of ["schema-edit", "flow-developer-storm-desk"]) {
    await portal.call("POST", "/admin/roles", { token: administrator, body: { name: role } });
  }
  for (const [username, roles] of Object.entries(callers)) {
    const draft = {
      username,
      email: "",
      firstName: "",
      lastName: "",
      groups: [],
      roles: roles.map((role) => ({ name: role })),
      password: { setPassword: true, value: password },
    };
    const { status, text } = await portal.call("POST", "/admin/users", { token: administrator, body: draft });
    if (status !== 201) throw new Error(`${username} could not be created: ${status} ${text.slice(0, 300)}`);
    tokens.push([username, { authorization: `Bearer ${await portal.signIn({ username, password })}` }]);
  }
  const token = await portal.asViewer();
  const draft = { name: "fuzzing", datasets: [{ datasetCategory: "Trials", datasetId: "points" }] };
  const { text } = await portal.call("POST", "/apiKeys", { token, body: draft });
  return [...tokens, ["key", { "x-api-key": JSON.parse(text).key }]];
}
