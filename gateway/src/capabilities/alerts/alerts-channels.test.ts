import { createHmac, randomUUID } from "node:crypto";
import type { Alert } from "@fairway/contract/alerts";
import { describe, expect, it, onTestFinished } from "vitest";
import { alertsApp } from "#testing/alerts-app.ts";
import { testMasterKey } from "#testing/test-master-key.ts";
import { above, patience, type Post, receiver, eventsOf } from "#testing/webhook-receiver.ts";
import { addDeliveries, Deliveries, type DeliveryParts } from "./deliveries.ts";
import { decryptTarget, encryptTarget } from "./webhook-target.ts";

const app = await alertsApp();

/** Gives many people an alert and a webhook each, as the given ones are. */
async function ownedByMany(alertId: string, people: number): Promise<void> {
  onTestFinished(async () => void (await app.pool.query("delete from users where id like 'slow-%'")));
  await app.pool.query(
    "insert into users (id, username, username_key) select 'slow-' || n, 'slow-' || n, 'slow-' || n from generate_series(1, $1::int) n",
    [people],
  );
  const { rows } = await app.pool.query<{ target: string }>("select target from alert_webhooks where alert_id = $1", [alertId]);
  const url = decryptTarget(testMasterKey, alertId, rows[0]?.target ?? "");
  if (url === undefined) throw new Error("the alert has no webhook");
  for (let n = 1; n <= people; n += 1) {
    const id = randomUUID();
    await app.pool.query(
      `insert into alerts select (jsonb_populate_record(alerts, jsonb_build_object('id', $2::text, 'user_id', 'slow-' || $3::int))).* from alerts where id = $1`,
      [alertId, id, n],
    );
    await app.pool.query("insert into alert_webhooks (alert_id, target) values ($1, $2)", [id, encryptTarget(testMasterKey, id, url)]);
  }
}

const signatureOf = (secret: string, { headers, body }: Post): string => {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
};

describe("a webhook", () => {
  it("gets each message once, signed, with a link, and with the same id in further attempts", async () => {
    const { posts, answers, url } = await receiver();
    const gateway = await app.open();
    const { id, draft, secret } = await app.create(gateway, "ada", { ...above, webhookUrl: url });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    answers.push(500, 503);
    await app.writeRows(11);
    await app.check(id);
    await app.check(id);
    await expect.poll(() => posts.length, patience).toBe(3);
    await expect.poll(async () => (await app.find(gateway, "ada", id)).webhook, patience).toEqual({ url, state: "ok", problem: "" });
    expect(eventsOf(posts)[0]).toEqual({
      type: "alert.firing",
      timestamp: expect.any(String),
      data: {
        alert: { id, name: draft.name },
        title: `${draft.name}: 11 rows`,
        text: expect.stringContaining("more than 10 rows"),
        link: expect.stringMatching(/^https:\/\/data\.example\.org\/search\//),
        dataset: { datasetCategory: "Tests", datasetId: "rows" },
        rows: 11,
        newRows: null,
      },
    });
    expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    for (const post of posts) expect(post.headers["webhook-signature"]).toBe(signatureOf(secret, post));
    expect(Math.abs(Number(posts[0]?.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(60);
    expect((await app.history(gateway, "ada", id)).checks.map(({ told }) => told)).toEqual([[], ["portal", "webhook"], []]);
    expect((await app.pool.query("select from alert_deliveries")).rowCount).toBe(0);
  });

  it("that answers with a redirect is not followed, and with 410 is given up at once", async () => {
    const { answers, url } = await receiver();
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { ...above, webhookUrl: url });
    answers.push(302);
    expect((await app.call(gateway, "ada", "POST", `/alerts/${id}/test`)).body).toEqual({
      webhookProblem: "answered with the status 302, and redirects are not followed",
    });
    answers.push(410);
    await app.writeRows(11);
    await app.check(id);
    await expect.poll(async () => (await app.find(gateway, "ada", id)).webhook?.state, patience).toBe("dead");
  });

  it("of another user is not kept waiting by one that hangs", async () => {
    const [slow, quick] = [await receiver(), await receiver()];
    const gateway = await app.open();
    slow.answers.push("hang");
    const first = await app.create(gateway, "ada", { ...above, webhookUrl: slow.url });
    const second = await app.create(gateway, "ada", { ...above, webhookUrl: slow.url });
    const other = await app.create(gateway, "bob", { ...above, webhookUrl: quick.url });
    await app.writeRows(11);
    await app.pool.query("update alerts set next_check_at = now()");
    for (const { id } of [first, second, other]) await app.waitForChecks(id, 2);
    await expect.poll(() => [slow.posts.length, quick.posts.length], patience).toEqual([1, 1]);
  });

  it("of another user is not kept waiting by those of twenty that hang, nor by a long queue of messages for them", async () => {
    const [slow, quick] = [await receiver(), await receiver()];
    const gateway = await app.open();
    const { id: theirs } = await app.create(gateway, "ada", { ...above, webhookUrl: slow.url });
    const { id: other } = await app.create(gateway, "bob", { ...above, webhookUrl: quick.url });
    slow.answers.push(...Array.from({ length: 100 }, () => "hang" as const));
    await ownedByMany(theirs, 20);
    await app.pool.query(
      `insert into alert_deliveries (id, alert_id, body, needs_dataset, created_at, next_attempt_at)
       select 'msg_' || id || n, id, '{}', false, now() - interval '1 hour', now() - interval '1 hour' from alerts, generate_series(1, 3) n
       where user_id like 'slow-%'`,
    );
    await addDeliveries(app.base.database.db, other, [{ id: "msg_other", body: '{"type":"alert.firing"}', needsDataset: false }]);
    await expect.poll(() => [slow.posts.length, quick.posts.length], patience).toEqual([20, 1]);
  });

  it("of users without a failure gets its messages before those of users with one", async () => {
    const { url } = await receiver();
    const gateway = await app.open();
    const { id: failing } = await app.create(gateway, "ada", { ...above, webhookUrl: url });
    const { id: other } = await app.create(gateway, "bob", { ...above, webhookUrl: url });
    await gateway.close();
    await app.pool.query("update alert_webhooks set problem = 'did not answer in time' where alert_id = $1", [failing]);
    const { db } = app.base.database;
    for (const id of [failing, other]) await addDeliveries(db, id, [{ id: `msg_${id}`, body: "{}", needsDataset: false }]);
    const next = async () => (await new Deliveries({ db } as DeliveryParts).claim(1)).map((one) => one.alert_id);
    expect([await next(), await next()]).toEqual([[other], [failing]]);
  });

  it("gets no message about a dataset that its owner has lost meanwhile", async () => {
    const { posts, answers, url } = await receiver();
    const gateway = await app.open();
    await app.setRoles("ada", ["insider"]);
    const { id } = await app.create(gateway, "ada", { ...above, webhookUrl: url }, "secret");
    answers.push(500);
    await app.setRoles("ada", []);
    await app.pool.query(
      `insert into alert_deliveries (id, alert_id, body, needs_dataset) values ('msg_1', $1, '{"type":"alert.firing"}', true), ('msg_2', $1, '{"type":"alert.paused"}', false)`,
      [id],
    );
    await expect.poll(async () => (await app.pool.query("select from alert_deliveries")).rowCount, patience).toBe(0);
    // The message of the pause was tried twice.
    expect(eventsOf(posts).map(({ type }) => type)).toEqual(["alert.paused", "alert.paused"]);
  });

  it("may not have an address within the network of the portal, unless the operator lists it", async () => {
    const { posts, port } = await receiver();
    const strict = await app.open({ webhookAddresses: [] });
    const saved = await app.saveSearch(strict, "ada");
    for (const url of [
      "http://127.0.0.1/",
      "https://10.1.2.3/hook",
      "https://192.168.0.1",
      "https://169.254.169.254/latest",
      "https://[::1]:8080/",
      "https://[fd00::1]/",
      "https://0x7f.1/",
      "http://93.184.216.34/",
    ]) {
      const refused = await app.call(strict, "ada", "POST", "/alerts", app.draftOf(saved, { webhookUrl: url }));
      expect([url, refused.status, refused.body.errors[0]?.path]).toEqual([url, 400, "webhookUrl"]);
    }
    for (const url of [
      "ftp://example.org",
      "https://user:pw@example.org",
      "javascript:alert(1)",
      "",
      `https://example.org/${"x".repeat(2_000)}`,
    ]) {
      expect((await app.call(strict, "ada", "POST", "/alerts", app.draftOf(saved, { webhookUrl: url }))).status).toBe(400);
    }
    // A name is resolved when it is called.
    for (const url of [`http://localhost:${port}/`, `https://localhost:${port}/`]) {
      const { id } = await app.create(strict, "ada", { webhookUrl: url });
      expect((await app.call(strict, "ada", "POST", `/alerts/${id}/test`)).body).toEqual({
        webhookProblem: "has an address that the portal does not call",
      });
    }
    expect(posts).toEqual([]);
  });

  it("keeps its secret while its address stays, and is stored encrypted", async () => {
    const { url } = await receiver();
    const gateway = await app.open();
    const { id, draft, secret } = await app.create(gateway, "ada", { webhookUrl: url });
    const save = async (webhookUrl: string | null) =>
      (await app.call<{ webhookSecret: string | null } & Alert>(gateway, "ada", "PUT", `/alerts/${id}`, { ...draft, webhookUrl })).body;
    expect(await save(url)).toMatchObject({ webhookSecret: null, webhook: { url } });
    const other = await save(`${url}2`);
    expect(other.webhookSecret).toMatch(/^whsec_/);
    expect(other.webhookSecret).not.toBe(secret);
    const { rows } = await app.pool.query<{ target: string }>("select target from alert_webhooks");
    expect(rows[0]?.target).toMatch(/^v1\./);
    expect(await save(null)).toMatchObject({ webhookSecret: null, webhook: null });
    expect((await app.pool.query("select from alert_webhooks")).rowCount).toBe(0);
  });
});
