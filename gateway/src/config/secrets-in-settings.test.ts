import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ConfigurationError, readConfig } from "#config/config.ts";
import { allVariables } from "#config/config-variables.ts";
import { retiredVariables } from "#config/retired-variables.ts";
import { demoGateway, stormsRecipe } from "#testing/demo-gateway.ts";
import { operatorCommand } from "#testing/run-command.ts";
import { openTracing } from "#tracing/open-tracing.ts";

/** In every password, key and token that anything below gets. */
const marker = "m4rk3r-0f-4-s3cr3t";

const logged: string[] = [];
const log = pino(
  { level: "debug" },
  new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  }),
);

/** The texts in which a service can repeat a request: as it is, decoded and encoded. */
const spellings = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  ...text.split(/\s+/).flatMap((word) => [Buffer.from(word, "base64").toString(), Buffer.from(word).toString("base64")]),
];

const received: string[] = [];
/** Refuses every call, and repeats all that it was sent. */
const echo = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const sent = [request.url ?? "", ...Object.values(request.headers).flat(), Buffer.concat(chunks).toString()];
    const texts = sent.flatMap((text) => spellings(text ?? ""));
    received.push(texts.join("\n"));
    const isStatement = request.url === "/v1/statement";
    const body = isStatement ? { id: "1", stats: {}, error: { message: texts.join(), errorName: "X", errorType: "EXTERNAL" } } : { texts };
    response.writeHead(
      isStatement ? 200 : 403,
      texts
        .join(" ")
        .replaceAll(/[^\x21-\x7e]/g, "")
        .slice(0, 200),
      {
        "content-type": "application/json",
      },
    );
    response.end(JSON.stringify(body));
  });
});

let home: string;
let url: string;
let gateway: Awaited<ReturnType<typeof demoGateway>>;
let root: string;
let ada: string;

const environment = () => ({
  FAIRWAY_MASTER_KEY: Buffer.from(marker.padEnd(32, "!")).toString("base64"),
  FAIRWAY_S3_ACCESS_KEY_ID: `id-${marker}`,
  FAIRWAY_S3_SECRET_ACCESS_KEY: `key-${marker}`,
  FAIRWAY_PRESTO_PASSWORD: `presto-${marker}`,
  FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1",
  FAIRWAY_WEBHOOK_ADDRESSES: "127.0.0.1",
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: "fairway",
  OIDC_CLIENT_SECRET: `oidc-${marker}`,
  FAIRWAY_CAC_CLIENT_SECRET: `card-${marker}`,
  FAIRWAY_SETTINGS: join(home, "settings.json"),
  FAIRWAY_SMTP_URL: `smtp://portal:mail-${marker}@127.0.0.1:1`,
  FAIRWAY_SMTP_FROM: "portal@example.org",
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${marker}`,
  PUBLIC_URL: "https://portal.example.org",
});

beforeAll(async () => {
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  home = await mkdtemp(join(tmpdir(), "fairway-secrets-"));
  const cac = { clientId: "portal", authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userInfoUrl: `${url}/me` };
  await writeFile(
    join(home, "settings.json"),
    JSON.stringify({ cac, scanCommand: ["/bin/sh", "-c", "exit 3", "scan", `--token=${marker}`] }),
  );
  gateway = await demoGateway(
    { ...environment(), LOG_LEVEL: "debug" },
    {
      categories: [{ id: "nature", description: "" }],
      datasets: [stormsRecipe],
      filesets: [
        {
          entity: { id: "charts", description: "", s3Bucket: "charts", s3Prefix: "", allowsUploads: true, allowedRoles: [] },
          sources: {},
          selects: [],
          copies: [],
        },
      ],
    },
    { log },
  );
  root = await gateway.token();
  const password = { setPassword: true, value: "tide-table" };
  await call(root, "POST", "/admin/users", { username: "ada", password, email: "", firstName: "", lastName: "", groups: [], roles: [] });
  ada = await gateway.token("ada");
});
afterAll(async () => {
  await gateway.close();
  echo.closeAllConnections();
  echo.close();
  await rm(home, { recursive: true, force: true });
});

const call = async (token: string | undefined, method: "GET" | "POST" | "PUT", path: string, payload?: object | string, type?: string) => {
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...(type !== undefined && { "content-type": type }) };
  const { statusCode, body } = await gateway.app.inject({ method, url: `/api${path}`, headers, ...(payload !== undefined && { payload }) });
  return { status: statusCode, text: body };
};

const expectNoSecret = (place: string, text: string): void => {
  for (const spelling of [marker, encodeURIComponent(marker), Buffer.from(marker).toString("base64").slice(0, 20)]) {
    const at = text.indexOf(spelling);
    expect([place, at < 0 ? "" : text.slice(Math.max(0, at - 200), at + 50)]).toEqual([place, ""]);
  }
};

describe("credentials of services", () => {
  it("appear in no answer and no line of the log when their service refuses and repeats them", async () => {
    const configuration = { name: "echo", prestoURL: url, s3URL: url, s3Region: "here" };
    expect((await call(root, "POST", "/admin/config", configuration)).status).toBe(201);
    expect((await call(root, "PUT", "/admin/config/echo/enable")).status).toBe(200);
    const external = {
      name: "Echo",
      baseRoute: url,
      apis: [{ name: "rows", path: "/rows", method: 0 }],
      apiKeyCredential: { headerName: "X-Key", key: `upstream-${marker}` },
    };
    const saved = await call(root, "POST", "/admin/datasets/external", external);
    expect(saved.status).toBe(201);
    const search = { datasetCategory: "nature", datasetId: "storms", queryName: "All", query: JSON.stringify({ filters: [] }) };
    const { id: savedSearchId } = JSON.parse((await call(ada, "POST", "/favorite/queries", search)).text) as { id: string };
    const alert = {
      name: "Rows",
      savedSearchId,
      condition: { kind: "above", rows: 5 },
      everyMinutes: 60,
      webhookUrl: `${url}/hook/${marker}`,
    };
    const { id: alertId } = JSON.parse((await call(ada, "POST", "/alerts", alert)).text) as { id: string };
    const upload = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n`;
    const card = { code: "c", state: "s", nonce: "n", verifier: "v".repeat(43), codeVerifier: "v".repeat(43), redirectUri: `${url}/login` };

    const answers: [what: string, answer: { status: number; text: string }][] = [
      ["external dataset", saved],
      ["search of the external dataset", await call(ada, "POST", "/datasets/Echo/rows/search", { filters: [] })],
      ["files on S3", await call(ada, "GET", "/filesets/charts/list")],
      ["warnings of filesets on S3", await call(root, "GET", "/admin/filesets")],
      ["tables", await call(root, "GET", "/admin/tables")],
      ["provider", await call(undefined, "POST", "/oidc/requests", {})],
      ["card issuer", await call(undefined, "POST", "/geoAxis/cacLogin", card)],
      ["webhook", await call(ada, "POST", `/alerts/${alertId}/test`)],
      ["scan of an upload", await call(ada, "POST", "/filesets/charts/upload?path=a.txt", upload, "multipart/form-data; boundary=b")],
      ["settings with an error", await call(root, "POST", "/admin/config", { ...configuration, name: "other", s3URL: "no url" })],
    ];
    for (const [what, { text }] of answers) expectNoSecret(what, text);
    // They did reach their services.
    for (const service of ["upstream-", "presto-", "id-", "hook/"]) expect(received.join("\n")).toContain(`${service}${marker}`);

    const { text: description } = await call(undefined, "GET", "/openapi.json");
    const { paths } = JSON.parse(description) as { paths: Record<string, { get?: object }> };
    const listed = Object.entries(paths).flatMap(([path, { get }]) => (get === undefined || path.includes("{") ? [] : [path]));
    expect(listed).toEqual(expect.arrayContaining(["/health/ready", "/apiKeys", "/admin/config", "/admin/metadata"]));
    for (const path of listed.filter((one) => one !== "/live")) expectNoSecret(path, (await call(root, "GET", path)).text);
    expect(logged.length).toBeGreaterThan(50);
    expectNoSecret("the log", logged.join(""));
  });

  it("appear in no line of the log when the receiver of traces refuses them", async () => {
    const address = url.replace("//", `//portal:traces-${marker}@`);
    const lines: string[] = [];
    const tracing = openTracing(
      {
        url: `${address}/v1/traces`,
        headers: { "x-token": `Bearer header-${marker}` },
        serviceName: "fairway",
        sampler: "always_on",
        ratio: 1,
      },
      { warn: (...line: unknown[]) => void lines.push(JSON.stringify(line)) },
    );
    tracing.tracer.startRequest({ name: "GET" }, undefined).end(false);
    await tracing.close();
    expect(received.join("\n")).toContain(`header-${marker}`);
    expect(lines.join("\n")).toContain("traces could not be sent");
    expectNoSecret("the log", lines.join("\n"));
  });

  it("appear in no finding of the doctor", async () => {
    const { out, err } = await operatorCommand(["doctor", "--json"], {
      ...environment(),
      FAIRWAY_HOME: join(home, "none"),
      PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      DATABASE_URL: `postgres://portal:database-${marker}@127.0.0.1:1/none`,
    });
    expect(out).toContain("The database");
    for (const [place, text] of Object.entries({ out, err })) expectNoSecret(place, text);
  });
});

describe("settings that are not valid", () => {
  /** Paths, which messages have to name. */
  const files = new Set(["FAIRWAY_SETTINGS", "OIDC_CA", "FAIRWAY_PRESTO_CA"]);

  it.each([...allVariables.keys(), ...retiredVariables.keys()].filter((name) => !files.has(name)))(
    "are refused without what may be a password in them: %s",
    (name) => {
      expect.hasAssertions();
      for (const value of [`ftp://portal:${marker}@host\0`, `https://portal:a/${marker}@host\0`, `{"key":"https://a:${marker}@host`]) {
        const text = problemsOf({ [name]: value });
        expectNoSecret(name, text);
      }
    },
  );

  it("of the settings file are refused without the part that is wrong", async () => {
    const path = join(home, "broken.json");
    await writeFile(path, `{"cac": {"clientSecret": ${marker}}}`);
    onTestFinished(() => rm(path));
    const text = problemsOf({ FAIRWAY_SETTINGS: path });
    expect(text).toContain("it is not valid JSON");
    expect(text).not.toContain(marker.slice(0, 4));
  });

  function problemsOf(env: Record<string, string>): string {
    try {
      return readConfig(env, { demo: false }).warnings.join("\n");
    } catch (error) {
      if (error instanceof ConfigurationError) return error.message;
      throw error;
    }
  }
});
