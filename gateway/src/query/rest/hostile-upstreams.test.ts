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
async function bench(...options: Parameters<typeof restBench>): Promise<RestBench> {
  const made = await restBench(...options);
  benches.push(made);
  return made;
}

const ask = ({ engine }: RestBench, dataset: QueryableDataset, asking = call): Promise<RowStream> => engine.search(dataset, all, asking);
const failureOf = async (asked: Promise<RowStream>): Promise<[EngineFailed["reason"], string]> => {
  const outcome = await asked.catch((error: EngineFailed) => error);
  if (!(outcome instanceof Error)) throw new Error("the upstream was answered");
  return [outcome.reason, outcome.message];
};
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const status =
  (code: number, body = "", headers: Record<string, string> = {}): UpstreamHandler =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

describe("an upstream that points elsewhere", () => {
  it.each([301, 302, 303, 307, 308])("with %i is not followed, and where to is not told", async (code) => {
    const made = await bench();
    made.respond(status(code, "", { location: `${made.url}/secret-place` }));
    const [reason, message] = await failureOf(ask(made, externalOver(made.url)));
    expect(reason).toBe("upstream");
    expect(message).toMatch(
      new RegExp(`^The upstream of this dataset answered ${code} .* points elsewhere, which the portal does not follow\\.$`),
    );
    expect(made.asked.map(({ url }) => url)).toEqual(["/rows"]);
  });
});

describe("an upstream that answers too much", () => {
  const limits = { upstreamAnswerBytes: 20_000 };
  const rows = JSON.stringify([{ text: "x".repeat(30_000) }]);
  const tooMuch = ["upstream", "The upstream of this dataset answered more than 0.02 MB. Narrow the search with more filters."];

  it("is given up, whether it says so or not, compressed or not", async () => {
    const made = await bench({ limits });
    const ways: UpstreamHandler[] = [
      status(200, rows, { "content-length": String(rows.length) }),
      (_, response) => {
        // As many pieces as somebody takes, without an end.
        const more = () => {
          while (!response.destroyed && response.write("[".repeat(5_000)));
        };
        response.on("drain", more);
        more();
      },
      (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(rows)),
    ];
    for (const way of ways) {
      made.respond(way);
      expect(await failureOf(ask(made, externalOver(made.url)))).toEqual(tooMuch);
    }
  });

  it("is read up to exactly the limit, compressed, too", async () => {
    const made = await bench({ limits });
    const fitting = JSON.stringify([{ text: "x".repeat(20_000 - '[{"text":""}]'.length) }]);
    expect(fitting).toHaveLength(20_000);
    for (const way of [
      status(200, fitting),
      (_: unknown, response: Parameters<UpstreamHandler>[1]) => response.setHeader("content-encoding", "gzip").end(gzipSync(fitting)),
    ]) {
      made.respond(way);
      expect(await rowsOf(await ask(made, externalOver(made.url)))).toEqual(JSON.parse(fitting));
    }
  });

  it("as a reason is not repeated", async () => {
    const made = await bench();
    made.respond(status(500, `{"message":"${"x".repeat(100_000)}"}`));
    expect(await failureOf(ask(made, externalOver(made.url)))).toEqual([
      "upstream",
      "The upstream of this dataset answered 500 Internal Server Error.",
    ]);
    made.respond(status(500, `{"message":"${"x".repeat(1_000)}"}`));
    expect((await failureOf(ask(made, externalOver(made.url))))[1]).toBe(
      `The upstream of this dataset answered 500 Internal Server Error: ${"x".repeat(300)}…`,
    );
  });
});

describe("an upstream that takes too long", () => {
  it("is given up: silent, or with an answer that drips", async () => {
    const made = await bench({ limits: { upstreamReadMs: 300 } });
    const ways: UpstreamHandler[] = [
      () => undefined,
      (_, response) => {
        response.write("[");
        const drip = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(drip));
      },
    ];
    for (const way of ways) {
      made.respond(way);
      expect(await failureOf(ask(made, externalOver(made.url)))).toEqual([
        "timed-out",
        "The upstream of this dataset did not answer within 0.3 s.",
      ]);
    }
  });

  it("to take a connection is given up", async () => {
    const mute = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const made = await bench({ limits: { upstreamConnectMs: 300 } });
    const dataset = externalOver(`https://127.0.0.1:${(mute.address() as AddressInfo).port}`);
    expect(await failureOf(ask(made, dataset))).toEqual(["timed-out", "The upstream of this dataset took no connection within 0.3 s."]);
    mute.close();
  });
});

describe("an upstream whose answer is no answer", () => {
  it.each([
    ["text/html; charset=utf-8", "<html>secret page</html>", "did not answer JSON but text/html."],
    ["application/json", '[{"a":1}', "did not answer JSON but application/json."],
    ["", "", "did not answer JSON."],
    ['x"y<script>', "no", "did not answer JSON."],
    ["application/json", "[".repeat(200_000), "did not answer JSON but application/json."],
  ])("of %s fails without a word of it", async (type, body, sentence) => {
    const made = await bench();
    made.respond(status(200, body, type === "" ? {} : { "content-type": type }));
    expect(await failureOf(ask(made, externalOver(made.url)))).toEqual(["upstream", `The upstream of this dataset ${sentence}`]);
    expect(made.log.join("")).not.toMatch(/secret page|script/);
  });

  it("of rows nested deeper than anybody can write fails", async () => {
    const made = await bench();
    made.respond(status(200, `[{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}]`));
    expect(await failureOf(ask(made, externalOver(made.url)))).toEqual([
      "upstream",
      "The upstream of this dataset answered a row that is nested too deeply.",
    ]);
  });

  it("because it breaks off fails", async () => {
    const made = await bench();
    made.respond((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("[");
      setTimeout(() => response.destroy(), 10);
    });
    expect(await failureOf(ask(made, externalOver(made.url)))).toEqual([
      "upstream",
      "The connection to this dataset's upstream failed (ECONNRESET).",
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
  ])("is read from %s", async (body, told) => {
    const made = await bench();
    made.respond(status(422, body));
    expect(await failureOf(ask(made, externalOver(made.url)))).toEqual([
      "upstream",
      `The upstream of this dataset answered 422 Unprocessable Entity${told}`,
    ]);
  });

  it("of a gateway that waited in vain is a time out", async () => {
    const made = await bench();
    made.respond(status(504, "backend"));
    expect((await failureOf(ask(made, externalOver(made.url))))[0]).toBe("timed-out");
  });

  const key = "tök/en=+ 12345-abcdef".replace("ö", "o");
  const withKey = { apiKeyCredential: { headerName: "X-Key", key } };
  it.each([
    ["the whole key", key],
    ["a piece of it", `invalid key …${key.slice(6, 16)}…`],
    ["it percent-encoded", encodeURIComponent(key)],
    ["it in base64", Buffer.from(key).toString("base64")],
    ["it in hexadecimal", Buffer.from(key).toString("hex").toUpperCase()],
  ])("that repeats %s is withheld", async (_, reason) => {
    const made = await bench();
    made.respond(status(401, JSON.stringify({ message: reason })));
    const [, message] = await failureOf(ask(made, externalOver(made.url, {}, withKey)));
    expect(message).toBe("The upstream of this dataset answered 401 Unauthorized. Its reason repeats a secret and is withheld.");
    expect(made.log.join("")).not.toContain(key.slice(6, 16));
  });

  it("in the status line is not told", async () => {
    const made = await bench();
    made.respond((_, response) => response.writeHead(500, `oops ${key}`).end());
    expect((await failureOf(ask(made, externalOver(made.url, {}, withKey))))[1]).toBe(
      "The upstream of this dataset answered 500 Internal Server Error.",
    );
  });

  it.each([
    ["the key", key, key],
    ["what follows its scheme", "Bearer sesame-12345", "sesame-12345"],
    ["the password that it stands for", `Basic ${Buffer.from("portal:sesame-12345").toString("base64")}`, "sesame-12345"],
  ])("is no answer with %s among its rows", async (_, given, echoed) => {
    const made = await bench();
    const credential = { apiKeyCredential: { headerName: "Authorization", key: given } };
    made.respond(json([{ echo: echoed }]));
    expect(await failureOf(ask(made, externalOver(made.url, {}, credential)))).toEqual([
      "upstream",
      "The upstream of this dataset repeats a secret in its answer, which is withheld.",
    ]);
    made.respond(status(400, `no ${echoed}`));
    expect((await failureOf(ask(made, externalOver(made.url, {}, credential))))[1]).toMatch(/is withheld\.$/);
  });

  it("is not written into the log", async () => {
    const made = await bench();
    made.respond(status(500, '{"message":"the upstream\'s own words"}'));
    await failureOf(ask(made, externalOver(made.url)));
    expect(made.log.map((line) => JSON.parse(line) as object)).toEqual([
      { upstream: made.url, api: "/rows", status: 500, reason: "upstream", ms: expect.any(Number), message: "an upstream failed" },
    ]);
  });
});

describe("an upstream's address", () => {
  const refused = "The upstream of this dataset has an address that the portal does not call; an operator can allow it.";

  it("of this machine is not called, by number or by name, unless it is allowed", async () => {
    const made = await bench({ allowedAddresses: [] });
    for (const url of [made.url, made.url.replace("127.0.0.1", "localhost"), made.url.replace("127.0.0.1", "[::ffff:127.0.0.1]")]) {
      expect(await failureOf(ask(made, externalOver(url)))).toEqual(["upstream", refused]);
    }
    expect(made.asked).toEqual([]);
    const allowing = await bench();
    await ask(allowing, externalOver(allowing.url.replace("127.0.0.1", "localhost")));
    expect(allowing.asked).toHaveLength(1);
  });

  it("of a cloud's metadata is not called, although loopback is allowed", async () => {
    const made = await bench();
    for (const host of ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]", "0.0.0.0"]) {
      expect(await failureOf(ask(made, externalOver(`http://${host}/latest`)))).toEqual(["upstream", refused]);
    }
  });

  it("that nobody knows is told", async () => {
    const made = await bench();
    expect((await failureOf(ask(made, externalOver("http://upstream.invalid"))))[1]).toMatch(
      /^The name of this dataset's upstream is not known/,
    );
  });
});

describe("a connection that fails", () => {
  it.each([
    ["GET", 0, 2],
    ["PUT", 1, 2],
    ["POST", 2, 1],
  ])("is tried again once where calling twice is calling once: %s", async (_, method, attempts) => {
    const made = await bench();
    made.respond((__, response) => response.destroy());
    expect(await failureOf(ask(made, externalOver(made.url, { method })))).toEqual([
      "upstream",
      "The connection to this dataset's upstream failed (ECONNRESET).",
    ]);
    expect(made.asked).toHaveLength(attempts);
  });

  it("and then holds is no failure; an answer of any status is none either", async () => {
    const made = await bench();
    made.respond((asked, response, request) => {
      if (made.asked.length === 1) response.destroy();
      else json([{ a: 1 }])(asked, response, request);
    });
    expect(await rowsOf(await ask(made, externalOver(made.url)))).toEqual([{ a: 1 }]);
    made.respond(status(503));
    await failureOf(ask(made, externalOver(made.url)));
    expect(made.asked).toHaveLength(3);
  });

  it("because nobody listens is told", async () => {
    const made = await bench();
    const url = made.url;
    await benches.splice(0)[0]?.close();
    const other = await bench();
    expect(await failureOf(ask(other, externalOver(url)))).toEqual([
      "upstream",
      "The connection to this dataset's upstream failed (ECONNREFUSED).",
    ]);
  });
});

it("a connection is kept for the next call where calling twice is calling once, and not for POST", async () => {
  const made = await bench();
  const ports: (number | undefined)[] = [];
  made.respond((asked, response, request) => {
    ports.push(request.socket.remotePort);
    json([])(asked, response, request);
  });
  for (const method of [0, 0, 1, 2, 2]) await ask(made, externalOver(made.url, { method }));
  const [first, second, third, ...posts] = ports;
  expect([second, third]).toEqual([first, first]);
  expect(new Set([first, ...posts]).size).toBe(3);
});

describe("a caller who leaves", () => {
  it("ends the call at the upstream and frees its place, while it waits, too", async () => {
    const made = await bench({ limits: { upstreamCalls: 1 } });
    let closed = 0;
    made.respond((_, response) => response.on("close", () => (closed += 1)));
    const [first, second] = [new AbortController(), new AbortController()];
    const [running, waiting] = [
      failureOf(ask(made, externalOver(made.url), engineCall(first.signal))),
      failureOf(ask(made, externalOver(made.url), engineCall(second.signal))),
    ];
    await until(() => made.asked.length === 1);
    second.abort();
    expect((await waiting)[0]).toBe("abandoned");
    first.abort();
    expect((await running)[0]).toBe("abandoned");
    await until(() => closed === 1);
    made.respond(json([{ a: 1 }]));
    expect(await rowsOf(await ask(made, externalOver(made.url)))).toEqual([{ a: 1 }]);
    expect(made.asked).toHaveLength(2);
    expect(made.log).toEqual([]);
  });

  it("a slow upstream keeps nobody from another", async () => {
    const made = await bench({ limits: { upstreamCalls: 1 } });
    const leaving = new AbortController();
    made.respond((asked, response, request) => {
      if (request.headers.host?.startsWith("localhost")) json([{ a: 1 }])(asked, response, request);
    });
    const slow = failureOf(ask(made, externalOver(made.url), engineCall(leaving.signal)));
    await until(() => made.asked.length === 1);
    expect(await rowsOf(await ask(made, externalOver(made.url.replace("127.0.0.1", "localhost"))))).toEqual([{ a: 1 }]);
    expect(made.engine.metrics).toMatchObject({ running: 1, waiting: 0 });
    leaving.abort();
    await slow;
    expect(made.engine.metrics).toMatchObject({ running: 0, waiting: 0 });
  });

  it("one person's hanging calls leave places of the upstream to the others", async () => {
    const made = await bench({ limits: { upstreamCalls: 3 } });
    const leaving = new AbortController();
    made.respond(() => {});
    const hanging = Array.from({ length: 10 }, () => failureOf(ask(made, externalOver(made.url), engineCall(leaving.signal, "heavy"))));
    await until(() => made.asked.length === 2);
    expect(made.engine.metrics).toMatchObject({ running: 2, waiting: 8 });
    made.respond(json([{ a: 1 }]));
    expect(await rowsOf(await ask(made, externalOver(made.url), engineCall(undefined, "ada")))).toEqual([{ a: 1 }]);
    leaving.abort();
    await Promise.all(hanging);
  });

  it("is told that the upstream is busy, not the query engine", async () => {
    const made = await bench({ limits: { upstreamCalls: 1, engineWaitMs: 50 } });
    const leaving = new AbortController();
    made.respond(() => {});
    const hanging = failureOf(ask(made, externalOver(made.url), engineCall(leaving.signal, "heavy")));
    expect(await failureOf(ask(made, externalOver(made.url), engineCall(undefined, "ada")))).toEqual([
      "busy",
      expect.stringMatching(/^The upstream of this dataset is busy: no place came free within /),
    ]);
    leaving.abort();
    await hanging;
  });

  it("before the call asks nobody", async () => {
    const made = await bench();
    expect((await failureOf(ask(made, externalOver(made.url), engineCall(AbortSignal.abort()))))[0]).toBe("abandoned");
    expect(made.asked).toEqual([]);
  });
});

it("credentials that cannot be read are told as such, and nobody is called", async () => {
  const made = await bench();
  const dataset = externalOver(made.url);
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
  expect(await failureOf(ask(made, unreadable))).toEqual([
    "failed",
    "The credentials of this dataset cannot be read: an administrator has to enter them again.",
  ]);
  expect(made.asked).toEqual([]);
});
