import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { EngineFailed, QueryableDataset, RowStream, SearchQuery } from "#query/engine.ts";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { type RestBench, type UpstreamHandler, externalOver, json, restBench } from "./test-upstream.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };

const benches: RestBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});
async function openBench(...options: Parameters<typeof restBench>): Promise<RestBench> {
  const bench = await restBench(...options);
  benches.push(bench);
  return bench;
}

const search = ({ engine }: RestBench, dataset: QueryableDataset, by = call): Promise<RowStream> => engine.search(dataset, all, by);
const failureOf = async (result: Promise<RowStream>): Promise<[EngineFailed["reason"], string]> => {
  const outcome = await result.catch((error: EngineFailed) => error);
  if (!(outcome instanceof Error)) throw new Error("the search succeeded");
  return [outcome.reason, outcome.message];
};
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const status =
  (code: number, body = "", headers: Record<string, string> = {}): UpstreamHandler =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

describe("a redirecting upstream", () => {
  it.each([301, 302, 303, 307, 308])("with %i is not followed, and its target is not revealed", async (code) => {
    const bench = await openBench();
    bench.respond(status(code, "", { location: `${bench.url}/secret-place` }));
    const [reason, message] = await failureOf(search(bench, externalOver(bench.url)));
    expect(reason).toBe("upstream");
    expect(message).toMatch(
      new RegExp(`^The service behind this dataset answered ${code} .* points elsewhere, which the portal does not follow\\.$`),
    );
    expect(bench.requests.map(({ url }) => url)).toEqual(["/rows"]);
  });
});

describe("a response that is too large", () => {
  const limits = { upstreamAnswerBytes: 20_000 };
  const rows = JSON.stringify([{ text: "x".repeat(30_000) }]);
  const tooMuch = ["upstream", "The service behind this dataset returned more than 0.02 MB. Narrow the search with more filters."];

  it("is aborted, whether or not its size is declared and whether or not it is compressed", async () => {
    const bench = await openBench({ limits });
    const handlers: UpstreamHandler[] = [
      status(200, rows, { "content-length": String(rows.length) }),
      (_, response) => {
        // An endless response.
        const writeMore = () => {
          while (!response.destroyed && response.write("[".repeat(5_000)));
        };
        response.on("drain", writeMore);
        writeMore();
      },
      (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(rows)),
    ];
    for (const handler of handlers) {
      bench.respond(handler);
      expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual(tooMuch);
    }
  });

  it("is read up to exactly the limit, compressed or not", async () => {
    const bench = await openBench({ limits });
    const fitting = JSON.stringify([{ text: "x".repeat(20_000 - '[{"text":""}]'.length) }]);
    expect(fitting).toHaveLength(20_000);
    for (const handler of [
      status(200, fitting),
      (_: unknown, response: Parameters<UpstreamHandler>[1]) => response.setHeader("content-encoding", "gzip").end(gzipSync(fitting)),
    ]) {
      bench.respond(handler);
      expect(await rowsOf(await search(bench, externalOver(bench.url)))).toEqual(JSON.parse(fitting));
    }
  });

  it("is not repeated as a reason", async () => {
    const bench = await openBench();
    bench.respond(status(500, `{"message":"${"x".repeat(100_000)}"}`));
    expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual([
      "upstream",
      "The service behind this dataset answered 500 Internal Server Error.",
    ]);
    bench.respond(status(500, `{"message":"${"x".repeat(1_000)}"}`));
    expect((await failureOf(search(bench, externalOver(bench.url))))[1]).toBe(
      `The service behind this dataset answered 500 Internal Server Error: ${"x".repeat(300)}…`,
    );
  });
});

describe("a slow upstream", () => {
  it("is given up if it is silent or sends its response too slowly", async () => {
    const bench = await openBench({ limits: { upstreamReadMs: 300 } });
    const handlers: UpstreamHandler[] = [
      () => undefined,
      (_, response) => {
        response.write("[");
        const drip = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(drip));
      },
    ];
    for (const handler of handlers) {
      bench.respond(handler);
      expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual([
        "timed-out",
        "The service behind this dataset did not answer within 0.3 s.",
      ]);
    }
  });

  it("is given up if it does not accept a connection", async () => {
    const mute = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const bench = await openBench({ limits: { upstreamConnectMs: 300 } });
    const dataset = externalOver(`https://127.0.0.1:${(mute.address() as AddressInfo).port}`);
    expect(await failureOf(search(bench, dataset))).toEqual([
      "timed-out",
      "The service behind this dataset accepted no connection within 0.3 s.",
    ]);
    mute.close();
  });
});

describe("an invalid response", () => {
  it.each([
    ["text/html; charset=utf-8", "<html>secret page</html>", "did not return JSON but text/html."],
    ["application/json", '[{"a":1}', "did not return JSON but application/json."],
    ["", "", "did not return JSON."],
    ['x"y<script>', "no", "did not return JSON."],
    ["application/json", "[".repeat(20_000), "did not return JSON but application/json."],
  ])("of type %s fails without being quoted", async (type, body, sentence) => {
    const bench = await openBench();
    bench.respond(status(200, body, type === "" ? {} : { "content-type": type }));
    expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual(["upstream", `The service behind this dataset ${sentence}`]);
    expect(bench.log.join("")).not.toMatch(/secret page|script/);
  });

  it("of rows that are nested too deeply fails", async () => {
    const bench = await openBench();
    bench.respond(status(200, `[{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}]`));
    expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual([
      "upstream",
      "The service behind this dataset returned a row that is nested too deeply.",
    ]);
  });

  it("that breaks off fails", async () => {
    const bench = await openBench();
    bench.respond((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("[");
      setTimeout(() => response.destroy(), 10);
    });
    expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual([
      "upstream",
      "The connection to the service behind this dataset failed (ECONNRESET).",
    ]);
  });
});

describe("an upstream's reason", () => {
  it.each([
    ['{"message":"no such\\nport"}', ": no such port"],
    ['{"error":{"message":"inner"}}', ": inner"],
    ['{"errors":[{"detail":"first"},{"detail":"second"}]}', ": first"],
    ['{"title":"Bad","detail":"worse"}', ": worse"],
    ['{"error":"plain"}', ": plain"],
    ["just text", ": just text"],
    ["<html><h1>Oops</h1></html>", "."],
    ['{"code":7}', "."],
    ['{"message":{"message":{"message":{"message":{"message":"deep"}}}}}', "."],
    ["", "."],
  ])("is read from %s", async (body, reason) => {
    const bench = await openBench();
    bench.respond(status(422, body));
    expect(await failureOf(search(bench, externalOver(bench.url)))).toEqual([
      "upstream",
      `The service behind this dataset answered 422 Unprocessable Entity${reason}`,
    ]);
  });

  it("of a gateway timeout counts as a timeout", async () => {
    const bench = await openBench();
    bench.respond(status(504, "backend"));
    expect((await failureOf(search(bench, externalOver(bench.url))))[0]).toBe("timed-out");
  });

  const key = "tök/en=+ 12345-abcdef".replace("ö", "o");
  const withKey = { apiKeyCredential: { headerName: "X-Key", key } };
  it.each([
    ["the whole key", key],
    ["a part of it", `invalid key …${key.slice(6, 16)}…`],
    ["it percent-encoded", encodeURIComponent(key)],
    ["it in base64", Buffer.from(key).toString("base64")],
    ["it in hexadecimal", Buffer.from(key).toString("hex").toUpperCase()],
  ])("that repeats %s is withheld", async (_, reason) => {
    const bench = await openBench();
    bench.respond(status(401, JSON.stringify({ message: reason })));
    const [, message] = await failureOf(search(bench, externalOver(bench.url, {}, withKey)));
    expect(message).toBe("The service behind this dataset answered 401 Unauthorized. Its reason repeats a secret and is withheld.");
    expect(bench.log.join("")).not.toContain(key.slice(6, 16));
  });

  it("in the status line is not repeated", async () => {
    const bench = await openBench();
    bench.respond((_, response) => response.writeHead(500, `oops ${key}`).end());
    expect((await failureOf(search(bench, externalOver(bench.url, {}, withKey))))[1]).toBe(
      "The service behind this dataset answered 500 Internal Server Error.",
    );
  });

  it.each([
    ["the key", key, key],
    ["the part after its scheme", "Bearer sesame-12345", "sesame-12345"],
    ["the password that it encodes", `Basic ${Buffer.from("portal:sesame-12345").toString("base64")}`, "sesame-12345"],
  ])("is withheld, like rows that contain %s", async (_, key, echoed) => {
    const bench = await openBench();
    const credential = { apiKeyCredential: { headerName: "Authorization", key } };
    bench.respond(json([{ echo: echoed }]));
    expect(await failureOf(search(bench, externalOver(bench.url, {}, credential)))).toEqual([
      "upstream",
      "The service behind this dataset repeats a secret in its response, which is withheld.",
    ]);
    bench.respond(status(400, `no ${echoed}`));
    expect((await failureOf(search(bench, externalOver(bench.url, {}, credential))))[1]).toMatch(/is withheld\.$/);
  });

  it("is not logged", async () => {
    const bench = await openBench();
    bench.respond(status(500, '{"message":"the upstream\'s own words"}'));
    await failureOf(search(bench, externalOver(bench.url)));
    expect(bench.log.map((line) => JSON.parse(line) as object)).toEqual([
      { upstream: bench.url, api: "/rows", status: 500, reason: "upstream", ms: expect.any(Number), message: "an upstream failed" },
    ]);
  });
});

describe("an upstream's address", () => {
  const refused = "The service behind this dataset has an address that the portal does not call; an operator can allow it.";

  it("on this machine is not called by number or by name, unless it is allowed", async () => {
    const bench = await openBench({ allowedAddresses: [] });
    for (const url of [bench.url, bench.url.replace("127.0.0.1", "localhost"), bench.url.replace("127.0.0.1", "[::ffff:127.0.0.1]")]) {
      expect(await failureOf(search(bench, externalOver(url)))).toEqual(["upstream", refused]);
    }
    expect(bench.requests).toEqual([]);
    const permissive = await openBench();
    await search(permissive, externalOver(permissive.url.replace("127.0.0.1", "localhost")));
    expect(permissive.requests).toHaveLength(1);
  });

  it("of a cloud's metadata service is not called, even if loopback is allowed", async () => {
    const bench = await openBench();
    for (const host of ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]", "0.0.0.0"]) {
      expect(await failureOf(search(bench, externalOver(`http://${host}/latest`)))).toEqual(["upstream", refused]);
    }
  });

  it("with an unknown name is reported", async () => {
    const bench = await openBench();
    expect((await failureOf(search(bench, externalOver("http://upstream.invalid"))))[1]).toMatch(
      /^The name of the service behind this dataset is not known/,
    );
  });
});

describe("a connection that fails", () => {
  it.each([
    ["GET", 0, 2],
    ["PUT", 1, 2],
    ["POST", 2, 1],
  ])("is retried once for idempotent methods only: %s", async (_, method, attempts) => {
    const bench = await openBench();
    bench.respond((__, response) => response.destroy());
    expect(await failureOf(search(bench, externalOver(bench.url, { method })))).toEqual([
      "upstream",
      "The connection to the service behind this dataset failed (ECONNRESET).",
    ]);
    expect(bench.requests).toHaveLength(attempts);
  });

  it("once is not a failure, and neither is a response with any status", async () => {
    const bench = await openBench();
    bench.respond((received, response, request) => {
      if (bench.requests.length === 1) response.destroy();
      else json([{ a: 1 }])(received, response, request);
    });
    expect(await rowsOf(await search(bench, externalOver(bench.url)))).toEqual([{ a: 1 }]);
    bench.respond(status(503));
    await failureOf(search(bench, externalOver(bench.url)));
    expect(bench.requests).toHaveLength(3);
  });

  it("because nothing is listening is reported", async () => {
    const bench = await openBench();
    const url = bench.url;
    await benches.splice(0)[0]?.close();
    const other = await openBench();
    expect(await failureOf(search(other, externalOver(url)))).toEqual([
      "upstream",
      "The connection to the service behind this dataset failed (ECONNREFUSED).",
    ]);
  });
});

it("a connection is reused for idempotent methods, but not for POST", async () => {
  const bench = await openBench();
  const ports: (number | undefined)[] = [];
  bench.respond((received, response, request) => {
    ports.push(request.socket.remotePort);
    json([])(received, response, request);
  });
  for (const method of [0, 0, 1, 2, 2]) await search(bench, externalOver(bench.url, { method }));
  const [first, second, third, ...posts] = ports;
  expect([second, third]).toEqual([first, first]);
  expect(new Set([first, ...posts]).size).toBe(3);
});

describe("calls that hang", () => {
  it("end at the upstream and free their slot when the caller disconnects, even while waiting", async () => {
    const bench = await openBench({ limits: { upstreamCalls: 1 } });
    let closed = 0;
    bench.respond((_, response) => response.on("close", () => (closed += 1)));
    const [first, second] = [new AbortController(), new AbortController()];
    const [running, waiting] = [
      failureOf(search(bench, externalOver(bench.url), engineCall(first.signal))),
      failureOf(search(bench, externalOver(bench.url), engineCall(second.signal))),
    ];
    await until(() => bench.requests.length === 1);
    second.abort();
    expect((await waiting)[0]).toBe("abandoned");
    first.abort();
    expect((await running)[0]).toBe("abandoned");
    await until(() => closed === 1);
    bench.respond(json([{ a: 1 }]));
    expect(await rowsOf(await search(bench, externalOver(bench.url)))).toEqual([{ a: 1 }]);
    expect(bench.requests).toHaveLength(2);
    expect(bench.log).toEqual([]);
  });

  it("do not block calls of another upstream", async () => {
    const bench = await openBench({ limits: { upstreamCalls: 1 } });
    const leaving = new AbortController();
    bench.respond((received, response, request) => {
      if (request.headers.host?.startsWith("localhost")) json([{ a: 1 }])(received, response, request);
    });
    const slow = failureOf(search(bench, externalOver(bench.url), engineCall(leaving.signal)));
    await until(() => bench.requests.length === 1);
    expect(await rowsOf(await search(bench, externalOver(bench.url.replace("127.0.0.1", "localhost"))))).toEqual([{ a: 1 }]);
    expect(bench.engine.metrics).toMatchObject({ running: 1, waiting: 0 });
    leaving.abort();
    await slow;
    expect(bench.engine.metrics).toMatchObject({ running: 0, waiting: 0 });
  });

  it("leave slots of the upstream to other users", async () => {
    const bench = await openBench({ limits: { upstreamCalls: 3 } });
    const leaving = new AbortController();
    bench.respond(() => {});
    const hanging = Array.from({ length: 10 }, () =>
      failureOf(search(bench, externalOver(bench.url), engineCall(leaving.signal, "heavy"))),
    );
    await until(() => bench.requests.length === 2);
    expect(bench.engine.metrics).toMatchObject({ running: 2, waiting: 8 });
    bench.respond(json([{ a: 1 }]));
    expect(await rowsOf(await search(bench, externalOver(bench.url), engineCall(undefined, "ada")))).toEqual([{ a: 1 }]);
    leaving.abort();
    await Promise.all(hanging);
  });

  it("make others see that the upstream is busy, not the query engine", async () => {
    const bench = await openBench({ limits: { upstreamCalls: 1, engineWaitMs: 50 } });
    const leaving = new AbortController();
    bench.respond(() => {});
    const hanging = failureOf(search(bench, externalOver(bench.url), engineCall(leaving.signal, "heavy")));
    expect(await failureOf(search(bench, externalOver(bench.url), engineCall(undefined, "ada")))).toEqual([
      "busy",
      expect.stringMatching(/^The service behind this dataset is busy: no slot became free within /),
    ]);
    leaving.abort();
    await hanging;
  });

  it("are not started for a caller that has disconnected", async () => {
    const bench = await openBench();
    expect((await failureOf(search(bench, externalOver(bench.url), engineCall(AbortSignal.abort()))))[0]).toBe("abandoned");
    expect(bench.requests).toEqual([]);
  });
});

it("credentials that cannot be decrypted are reported, and the upstream is not called", async () => {
  const bench = await openBench();
  const dataset = externalOver(bench.url);
  if (dataset.source.kind !== "rest") throw new Error("it is a service");
  const unreadable = {
    ...dataset,
    source: {
      ...dataset.source,
      secrets: () => {
        throw new Error("another master key");
      },
    },
  };
  expect(await failureOf(search(bench, unreadable))).toEqual([
    "failed",
    "The credentials of this dataset cannot be read: an administrator has to enter them again.",
  ]);
  expect(bench.requests).toEqual([]);
});
