import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PortalLog, openLog } from "#log/log.ts";

let home: string;
let portalLog: PortalLog;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "fairway-log-"));
  portalLog = openLog({ demo: true, home, logLevel: "debug" });
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** The last line as text. */
async function lastLine(): Promise<string> {
  // The file is opened asynchronously.
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
  ])("hides the field %s at the top level, nested, in lists and in a child's bindings", async (name) => {
    const secret = { [name]: "hunter2" };
    const circular: Record<string, unknown> = { ...secret };
    circular["again"] = circular;
    const fields = {
      ...secret,
      one: { ...secret, two: { ...secret, three: secret } },
      many: [[secret], Object.assign(Object.create(null), secret)],
    };
    portalLog.log.child({ ...secret, bound: secret }).info(fields, "message");
    const line = await lastLine();
    expect(line).not.toContain("hunter2");
    expect(JSON.parse(line)).toMatchObject({
      msg: "message",
      [name]: "[hidden]",
      one: { two: { three: { [name]: "[hidden]" } } },
      bound: { [name]: "[hidden]" },
    });
  });

  it("does not modify the fields that it is passed", async () => {
    const fields = { token: "hunter2", inner: { list: [{ secret: 1 }] } };
    const before = structuredClone(fields);
    portalLog.log.info(fields, "message");
    await lastLine();
    expect(fields).toEqual(before);
  });

  it("keeps everything else, including class instances", async () => {
    portalLog.log.info({ n: 1, when: new Date(0), nothing: null, list: [1, { a: "b" }], tokens: 3 }, "message");
    expect(JSON.parse(await lastLine())).toMatchObject({
      n: 1,
      when: "1970-01-01T00:00:00.000Z",
      nothing: null,
      list: [1, { a: "b" }],
      tokens: 3,
    });
  });

  it("contains the method, the path without the query and the address of a request", async () => {
    const request = { method: "GET", url: "/api/filesets?signature=hunter2", ip: "::1", headers: { authorization: "hunter2" } };
    portalLog.log.info({ req: request }, "incoming request");
    expect(JSON.parse(await lastLine())).toMatchObject({ req: { method: "GET", path: "/api/filesets", address: "::1" } });
    expect(await lastLine()).not.toContain("hunter2");
  });

  it("contains only the type, message, code, stack and cause of an error", async () => {
    const error = Object.assign(new Error("no", { cause: new Error("why") }), { code: "E1", connection: { password: "hunter2" } });
    portalLog.log.error({ err: error }, "message");
    const line = await lastLine();
    expect(line).not.toContain("hunter2");
    expect(JSON.parse(line)).toMatchObject({ err: { type: "Error", message: "no", code: "E1", cause: { message: "why" } } });
  });
});
