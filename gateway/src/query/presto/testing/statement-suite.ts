import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { openStatementServer } from "../client/statement-server.ts";
import type { ServerKind, StatementCall, StatementServer, StatementServerSettings } from "../client/statements.ts";

/** Tests of every server that has the catalog `tpch`. */
export function describeStatementServer(name: string, kind: ServerKind, url: string): void {
  describe(`the client with ${name}`, { timeout: 60_000 }, () => {
    let server: StatementServer;
    beforeAll(async () => {
      const log = { warn: () => undefined };
      const addresses = new AddressPolicy(["127.0.0.1"]);
      server = openStatementServer({ url, source: "fairway", user: "fairway", asUser: false, addresses, log });
      // The first statement of a server takes far longer than any other one.
      await read("select 1");
    }, 180_000);
    afterAll(() => server.close());

    const never = new AbortController().signal;
    const open = (sql: string, parameters: readonly unknown[] = [], call: Partial<StatementCall> = {}) =>
      server.run({ sql, parameters }, { signal: never, user: "ada", timeoutMs: 60_000, ...call });
    const read = async (...request: Parameters<typeof open>) => {
      const { columns, pages } = await open(...request);
      const rows: (readonly unknown[])[] = [];
      for await (const page of pages) rows.push(...page);
      return { columns, rows };
    };

    it("finds out which server it is", async () => {
      expect(await server.kind(never)).toBe(kind);
    });

    it("gets values back as they were sent, as parameters and in long statements", async () => {
      const text = "it's ☃ 😀 é \n\t\\ ? $1 -- \"";
      const values = [text, 9_007_199_254_740n, -1n, 0.1, 1e21, true, false];
      const columns = values.map((_, at) => `$${at + 1} as v${at}`).join(", ");
      const expected = [text, 9_007_199_254_740, -1, 0.1, 1e21, true, false];
      expect((await read(`select ${columns}`, values)).rows).toEqual([expected]);
      expect((await read(`select ${columns} -- ${"long ".repeat(1_000)}`, values)).rows).toEqual([expected]);
    });

    it("reads all pages", async () => {
      const { columns, rows } = await read("select orderkey, comment from tpch.tiny.orders");
      expect(columns.map(({ name: column }) => column)).toEqual(["orderkey", "comment"]);
      expect(new Set(rows.map(([key]) => key)).size).toBe(15_000);
    });

    it("reports a failed statement in a sentence with the id of the query", async () => {
      const failure = read("select nothing from tpch.tiny.orders");
      await expect(failure).rejects.toMatchObject({ reason: "failed", errorType: "USER_ERROR" });
      await expect(failure).rejects.toThrow(/^The query server did not accept the query \(query [\w]+\)\.$/);
    });

    const slow = "select count(*) from tpch.sf100.lineitem a, tpch.sf100.lineitem b where a.comment = b.comment";
    /** The state of a query, from the server's own table. */
    const stateOf = async (queryId: string) =>
      (await read("select state from system.runtime.queries where query_id = $1", [queryId])).rows.flat()[0];

    it("cancels a query at the server when its caller leaves", async () => {
      const controller = new AbortController();
      const { queryId, pages } = await open(slow, [], { signal: controller.signal });
      const reading = pages[Symbol.asyncIterator]().next();
      expect(await stateOf(queryId)).toMatch(/RUNNING|PLANNING|STARTING|QUEUED/);
      controller.abort();
      await expect(reading).rejects.toMatchObject({ reason: "abandoned" });
      await expect.poll(() => stateOf(queryId)).toBe("FAILED");
    });

    it("cancels a query that nobody reads any further", async () => {
      const { queryId, pages } = await open("select * from tpch.sf1.lineitem");
      for await (const rows of pages) {
        expect(rows.length).toBeGreaterThan(0);
        break;
      }
      await expect.poll(() => stateOf(queryId)).toBe("FAILED");
    });

    it("ends a query by its time limit", async () => {
      await expect(read(slow, [], { timeoutMs: 2_000 })).rejects.toMatchObject({ reason: "timed-out" });
    });

    it("reads many rows with little memory", { timeout: 120_000 }, async () => {
      const { pages } = await open("select orderkey, comment from tpch.sf1.lineitem limit 300000", [], { timeoutMs: 120_000 });
      let rows = 0;
      let most = 0;
      for await (const page of pages) {
        rows += page.length;
        most = Math.max(most, page.length);
      }
      expect(rows).toBe(300_000);
      expect(most).toBeLessThan(100_000);
    });
  });
}

/** A server over HTTPS that requires sign-in. Its user may run statements as `ada` only. */
export interface SecureServer {
  readonly url: string;
  readonly ca: string;
  readonly user: string;
  readonly password: string;
  readonly token: string;
}

export function describeSecureServer(name: string, { url, ca, user, password, token }: SecureServer): void {
  describe(`sign-in at ${name}`, { timeout: 60_000 }, () => {
    /** As whom a statement of Ada runs. */
    const userOf = async (settings: Partial<StatementServerSettings>, person = "ada") => {
      const log = { warn: () => undefined };
      const addresses = new AddressPolicy(["127.0.0.1"]);
      const server = openStatementServer({ url, source: "fairway", user, asUser: false, ca, addresses, log, ...settings });
      try {
        const call = { signal: new AbortController().signal, user: person, timeoutMs: 60_000 };
        const { pages } = await server.run({ sql: "select current_user", parameters: [] }, call);
        const rows: unknown[] = [];
        for await (const page of pages) rows.push(...page.flat());
        return rows[0];
      } finally {
        await server.close();
      }
    };

    it("takes a password or a token, as the portal's account or as the signed-in user", async () => {
      expect(await userOf({ password })).toBe(user);
      expect(await userOf({ token })).toBe(user);
      expect(await userOf({ password, asUser: true })).toBe("ada");
      expect(await userOf({ token, asUser: true })).toBe("ada");
    });

    it("says what is wrong with a sign-in, a certificate or a user", async () => {
      for (const wrong of [{}, { password: "wrong" }, { token: "a.b.c" }]) {
        await expect(userOf(wrong)).rejects.toThrow("does not accept the portal's sign-in");
      }
      await expect(userOf({ password, ca: undefined })).rejects.toThrow("does not trust the certificate");
      await expect(userOf({ password, asUser: true }, "grace")).rejects.toThrow(/does not allow this query.* Tell an administrator/);
    });
  });
}
