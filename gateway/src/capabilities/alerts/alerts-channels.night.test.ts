import { describe, expect, it, onTestFinished } from "vitest";
import { mailSettings } from "#config/mail-settings.ts";
import { alertsApp } from "#testing/alerts-app.ts";
import { mailPassword, openMailServer, type ReceivedMail } from "#testing/mail-server.ts";
import { addDeliveries } from "./deliveries.ts";
import { above, patience, receiver, eventsOf } from "#testing/webhook-receiver.ts";

const app = await alertsApp();

describe("a webhook", () => {
  it("is given up after some failures with a notice, and gets messages again once a test reaches it", async () => {
    const { posts, answers, url } = await receiver();
    const gateway = await app.open({ limits: { alertWebhookAttempts: 3 } });
    const { id, draft } = await app.create(gateway, "ada", { ...above, webhookUrl: url });
    answers.push(302, 500, 500);
    await app.writeRows(11);
    await app.check(id);
    await expect.poll(async () => (await app.find(gateway, "ada", id)).webhook?.state, patience).toBe("dead");
    await app.settled();
    expect(posts).toHaveLength(3);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([
      `${draft.name}: 11 rows`,
      `${draft.name}: no more messages are sent to its webhook`,
    ]);
    await app.writeRows(9);
    await app.check(id);
    await app.writeRows(12);
    await app.check(id);
    expect(posts).toHaveLength(3);
    answers.push(400);
    const test = async () => {
      await app.pool.query("update alerts set tested_at = null");
      return (await app.call<{ webhookProblem: string | null }>(gateway, "ada", "POST", `/alerts/${id}/test`)).body.webhookProblem;
    };
    expect(await test()).toBe("answered with the status 400");
    expect((await app.find(gateway, "ada", id)).webhook).toEqual({ url, state: "dead", problem: "answered with the status 500" });
    expect(await test()).toBeNull();
    expect((await app.find(gateway, "ada", id)).webhook).toEqual({ url, state: "ok", problem: "" });
    expect(eventsOf(posts).map(({ type }) => type)).toEqual([
      ...Array.from({ length: 3 }, () => "alert.firing"),
      "alert.test",
      "alert.test",
    ]);
  });

  it("gets each message from one of two gateways, and of many that wait only the newest hundred", async () => {
    const { posts, url } = await receiver();
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { ...above, webhookUrl: url });
    await gateway.close();
    await app.pool.query(
      `insert into alert_deliveries (id, alert_id, body, needs_dataset, created_at)
       select 'msg_' || n, $1, '{"type":"alert.firing"}', false, now() - make_interval(secs => 200 - n) from generate_series(1, 120) n`,
      [id],
    );
    await addDeliveries(app.base.database.db, id, [{ id: "msg_last", body: '{"type":"alert.over"}', needsDataset: false }]);
    await app.open();
    await app.open();
    await expect.poll(async () => (await app.pool.query("select from alert_deliveries")).rowCount, { timeout: 40_000 }).toBe(0);
    const ids = posts.map(({ headers }) => String(headers["webhook-id"]));
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
    expect(ids).toEqual(expect.arrayContaining(["msg_last", "msg_22", "msg_120"]));
  });
});

describe("an email", () => {
  it("is sent at once for each message where its owner chose it, and never where not", async () => {
    const received: ReceivedMail[] = [];
    const server = await openMailServer((mail) => received.push(mail));
    onTestFinished(server.close);
    const mail = mailSettings(`smtp://portal:${encodeURIComponent(mailPassword)}@127.0.0.1:${server.port}`, "portal@example.org");
    const gateway = await app.open({ mail });
    const mailed = await app.create(gateway, "ada", { ...above, email: true });
    const quiet = await app.create(gateway, "bob", above);
    expect((await app.call(gateway, "ada", "GET", "/alerts")).body).toMatchObject({ emailAddress: "ada@example.org", sendsEmail: true });
    await app.writeRows(11);
    for (const { id } of [mailed, quiet]) await app.check(id);
    await expect.poll(() => received.length, patience).toBe(1);
    await app.check(mailed.id);
    expect(received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
    expect(received[0]?.content).toContain(`Subject: Harbour Office: ${mailed.draft.name}: 11 rows`);
    expect(received[0]?.content.replaceAll("=\r\n", "")).toContain("https://data.example.org/search/");
    expect((await app.pool.query("select from notifications where email_due_at is not null")).rowCount).toBe(0);
    expect((await app.history(gateway, "ada", mailed.id)).checks.map(({ told }) => told)).toEqual([[], ["portal", "email"], []]);
  });
});
