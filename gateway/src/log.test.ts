import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PortalLog, openLog } from "#log.ts";

let home: string;
let portalLog: PortalLog;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "fairway-log-"));
  portalLog = openLog({ demo: true, home, logLevel: "debug" });
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** The last line, as text: whatever is in it anywhere counts. */
async function lastLine(): Promise<string> {
  // The file opens by itself, some time after.
  for (;;) {
    portalLog.flush();
    const text = await readFile(join(home, "logs/fairway.log"), "utf8").catch(() => "");
    if (text.endsWith("\n")) return text.trimEnd().split("\n").at(-1) ?? "";
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a log line", () => {
  it.each([
    "authorization",
    "Authorization",
    "cookie",
    "set-cookie",
    "X-API-Key",
    "password",
    "newPassword",
    "token",
    "access_token",
    "refresh_token",
    "refreshToken",
    "secret",
  ])("hides what is called %s, at the top, below, in lists and in a child's bindings", async (name) => {
    const secret = { [name]: "tell-nobody" };
    const circle: Record<string, unknown> = { ...secret };
    circle["again"] = circle;
    const fields = {
      ...secret,
      one: { ...secret, two: { ...secret, three: secret } },
      many: [[secret], Object.assign(Object.create(null), secret)],
    };
    portalLog.log.child({ ...secret, bound: secret }).info(fields, "said");
    const line = await lastLine();
    expect(line).not.toContain("tell-nobody");
    expect(JSON.parse(line)).toMatchObject({
      msg: "said",
      [name]: "[hidden]",
      one: { two: { three: { [name]: "[hidden]" } } },
      bound: { [name]: "[hidden]" },
    });
  });

  it("leaves the fields that it was given as they were", async () => {
    const fields = { token: "tell-nobody", inner: { list: [{ secret: 1 }] } };
    const before = structuredClone(fields);
    portalLog.log.info(fields, "said");
    await lastLine();
    expect(fields).toEqual(before);
  });

  it("keeps everything else, also of objects that are no plain ones", async () => {
    portalLog.log.info({ n: 1, when: new Date(0), nothing: null, list: [1, { a: "b" }], tokens: 3 }, "said");
    expect(JSON.parse(await lastLine())).toMatchObject({
      n: 1,
      when: "1970-01-01T00:00:00.000Z",
      nothing: null,
      list: [1, { a: "b" }],
      tokens: 3,
    });
  });

  it("tells of a request its method, its path without the query, and its address", async () => {
    const request = { method: "GET", url: "/api/filesets?signature=tell-nobody", ip: "::1", headers: { authorization: "tell-nobody" } };
    portalLog.log.info({ req: request }, "incoming request");
    expect(JSON.parse(await lastLine())).toMatchObject({ req: { method: "GET", path: "/api/filesets", address: "::1" } });
    expect(await lastLine()).not.toContain("tell-nobody");
  });

  it("tells of a failure no more than what helps to find it", async () => {
    const failure = Object.assign(new Error("no", { cause: new Error("why") }), { code: "E1", connection: { password: "tell-nobody" } });
    portalLog.log.error({ err: failure }, "said");
    const line = await lastLine();
    expect(line).not.toContain("tell-nobody");
    expect(JSON.parse(line)).toMatchObject({ err: { type: "Error", message: "no", code: "E1", cause: { message: "why" } } });
  });
});
