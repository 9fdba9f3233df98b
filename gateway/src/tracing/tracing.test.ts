import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { readConfig } from "#config/config.ts";
import { openLog } from "#log/log.ts";
import { type ReceivedSpan, valuesOf } from "#testing/otlp-receiver.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { currentSpan, currentTracer, traced } from "./trace.ts";
import { tracingTo, openGateway } from "#testing/traced-gateway.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Texts that users type, or that only the portal knows. */
const secrets = { filter: "A planted filter value", password: "tide-table" };

async function searched(url: string) {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
  const login = await post("/auth/login", { username: "root", password: secrets.password });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const response = await post(
    "/datasets/Coast/tides/search?secret=Planted%20query",
    { filters: [{ name: "harbor", operator: ">", value: secrets.filter }] },
    { authorization: `Bearer ${token.access_token}` },
  );
  const answer = { status: response.status, body: await response.text() };
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("Leith") as string });
  return { requestId: response.headers.get("x-request-id"), token: token.access_token };
}

/** The call with this request id, and everything below it by the ids of parents. */
function traceOf(spans: readonly ReceivedSpan[], requestId: string | null) {
  const root = spans.find(({ attributes }) => valuesOf(attributes)["fairway.request_id"] === requestId);
  const below = spans.filter((span) => {
    const parents = new Set<string | undefined>();
    for (let id = span.parentSpanId; id !== undefined && !parents.has(id); id = spans.find(({ spanId }) => spanId === id)?.parentSpanId) {
      parents.add(id);
    }
    return root !== undefined && parents.has(root.spanId);
  });
  return { root, below };
}

it("connects a call with its statements and its engine query in one trace, found by the request id, without values", async () => {
  const { receiver, flush } = await tracingTo({
    OTEL_SERVICE_NAME: "our portal",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20planted-token",
  });
  const { requestId, token } = await searched(await openGateway());
  await flush();

  expect(receiver.resources()[0]).toMatchObject({ "service.name": "our portal" });
  expect(receiver.headers[0]?.authorization).toBe("Bearer planted-token");
  const { root, below } = traceOf(receiver.spans(), requestId);
  expect(root).toMatchObject({ name: "POST /datasets/:category/:datasetId/search", kind: 2 });
  expect(valuesOf(root?.attributes ?? [])).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/datasets/:category/:datasetId/search",
    "http.response.status_code": 200,
  });
  expect(new Set(below.map(({ traceId }) => traceId))).toEqual(new Set([root?.traceId]));
  const statement = below.find(({ name, kind }) => name === "SELECT" && kind === 3);
  expect(valuesOf(statement?.attributes ?? [])).toMatchObject({
    "db.system.name": "postgresql",
    "db.query.text": expect.stringContaining("$1") as string,
  });
  const query = below.find(({ name }) => name === "engine search");
  expect(valuesOf(query?.attributes ?? [])).toMatchObject({ "fairway.engine": "files", "fairway.dataset": "Coast/tides" });
  const slot = below.find(({ name }) => name === "slot for queries");
  expect(slot?.parentSpanId).toBe(query?.spanId);
  expect(valuesOf(slot?.attributes ?? [])).toMatchObject({
    "fairway.queue_wait_ms": expect.anything() as unknown,
    "db.system.name": "duckdb",
    "db.query.text": expect.stringContaining("harbor") as string,
    "db.response.returned_rows": 2,
  });
  for (const secret of [secrets.filter, "Planted query", secrets.password, token, "planted-token", "root"]) {
    expect(receiver.text()).not.toContain(secret);
  }
});

const callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736";

it("continues the trace of a trusted proxy, and of nobody else", async () => {
  const { receiver, flush } = await tracingTo();
  const url = await openGateway({ TRUSTED_PROXIES: "127.0.0.1" });
  const call = async (headers: Record<string, string>) => (await fetch(`${url}/health/live`, { headers })).headers.get("x-request-id");
  const traceparent = `00-${callersTrace}-00f067aa0ba902b7-01`;
  const proxied = await call({ traceparent, "x-forwarded-for": "192.0.2.7" });
  const direct = await call({ traceparent });
  const malformed = await call({ traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, "x-forwarded-for": "192.0.2.7" });
  await flush();
  const rootOf = (requestId: string | null) => traceOf(receiver.spans(), requestId).root;
  expect(rootOf(proxied)).toMatchObject({ traceId: callersTrace, parentSpanId: "00f067aa0ba902b7" });
  expect(rootOf(direct)?.traceId).not.toBe(callersTrace);
  expect(rootOf(direct)?.parentSpanId).toBeUndefined();
  expect(rootOf(malformed)?.traceId).toMatch(/^(?!0{32})[\da-f]{32}$/);
});

it("is off without an address, by OTEL_SDK_DISABLED, and refuses what it cannot do", () => {
  expect(readConfig({}, { demo: true }).tracing).toBeUndefined();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
  expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: "true" }, { demo: true }).tracing).toBeUndefined();
  expect(readConfig(endpoint, { demo: true }).tracing?.url).toBe("http://collector:4318/v1/traces");
  const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example.org/in" };
  expect(readConfig(own, { demo: true }).tracing?.url).toBe("https://traces.example.org/in");
  const wrong = {
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_TRACES_SAMPLER: "xray",
    OTEL_TRACES_SAMPLER_ARG: "2",
    OTEL_EXPORTER_OTLP_HEADERS: "secret words",
  };
  expect(() => readConfig(wrong, { demo: true })).toThrow(
    /^(?!.*secret words)(?=.*PROTOCOL)(?=.*SAMPLER is)(?=.*SAMPLER_ARG)(?=.*HEADERS is not valid)/s,
  );
});

it("does not time work that belongs to no call", async () => {
  const { receiver, flush } = await tracingTo();
  await traced(
    () => ({ name: "housekeeping" }),
    () => Promise.resolve(),
  );
  await flush();
  expect(receiver.spans()).toEqual([]);
});

it("does not complain about work that goes on after the answer of its call", async () => {
  const { receiver, flush, warnings } = await tracingTo();
  const request = currentTracer()?.startRequest({ name: "POST" }, undefined);
  await request?.within(async () => {
    currentSpan().set("before", 1);
    request.end(false);
    currentSpan().set("after", 2);
  });
  await flush();
  expect(receiver.spans().map(({ attributes }) => valuesOf(attributes))).toEqual([{ before: 1 }]);
  expect(warnings).toEqual([]);
});

it("marks work that failed by the kind of its error, without the message", async () => {
  const { receiver, flush } = await tracingTo();
  const failure = new RangeError(`about ${randomBytes(4).toString("hex")}`);
  const request = currentTracer()?.startRequest({ name: "GET" }, undefined);
  await expect(
    request?.within(() =>
      traced(
        () => ({ name: "work" }),
        () => Promise.reject(failure),
      ),
    ),
  ).rejects.toBe(failure);
  request?.end(true);
  await flush();
  const [work] = receiver.spans();
  expect(work).toMatchObject({ name: "work", status: { code: 2 } });
  expect(valuesOf(work?.attributes ?? [])).toEqual({ "error.type": "RangeError" });
  expect(receiver.text()).not.toContain(failure.message);
});

it("names the trace in log lines", async () => {
  const { flush } = await tracingTo();
  const home = await temporaryFolder();
  const portalLog = openLog({ demo: true, home, logLevel: "info", tracing: {} });
  const request = currentTracer()?.startRequest({ name: "GET" }, undefined);
  const ids = request?.within(() => {
    portalLog.log.info("within");
    return currentTracer()?.ids();
  });
  portalLog.log.info("outside");
  request?.end(false);
  await flush();
  const read = async () => {
    portalLog.flush();
    const text = await readFile(join(home, "logs/fairway.log"), "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  await expect.poll(read, { timeout: 30_000 }).toHaveLength(2);
  const [within, outside] = await read();
  expect(within).toMatchObject({ msg: "within", ...ids });
  expect(ids?.trace_id).toMatch(/^[\da-f]{32}$/);
  expect(outside).not.toHaveProperty("trace_id");
});
