import pino from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { type TestDatabase, testDatabaseForOneTest } from "#testing/postgres.ts";
import { type Notifications, openNotifications } from "./notifications.ts";

const log = pino({ level: "silent" });

async function open(database: TestDatabase): Promise<Notifications> {
  const notifications = await openNotifications(database.url, log);
  onTestFinished(() => notifications.close());
  return notifications;
}

/** Collects notifications; `waitFor` waits for a number of them. */
function recorder() {
  const payloads: string[] = [];
  return {
    payloads,
    listener: (payload: string) => void payloads.push(payload),
    waitFor: (count: number) => vi.waitUntil(() => payloads.length >= count, { timeout: 20_000 }),
  };
}

it("notifies every gateway, including the sender, on its channels", async () => {
  const database = await testDatabaseForOneTest();
  const [sender, other] = [await open(database), await open(database)];
  const [senderRecorder, otherRecorder] = [recorder(), recorder()];
  await sender.on("settings", senderRecorder.listener);
  await other.on("settings", otherRecorder.listener);
  await sender.notify("elsewhere", "nobody");
  await sender.notify("settings", 'it\'s "new"; ä');
  await Promise.all([senderRecorder.waitFor(1), otherRecorder.waitFor(1)]);
  expect([senderRecorder.payloads, otherRecorder.payloads]).toEqual([['it\'s "new"; ä'], ['it\'s "new"; ä']]);
});

it("delivers notifications of a transaction once it is committed", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await open(database);
  const { payloads, listener, waitFor } = recorder();
  await notifications.on("accounts", listener);
  await database.pool.query("begin; select pg_notify('accounts', 'undone'); rollback; select pg_notify('accounts', 'done')");
  await waitFor(1);
  expect(payloads).toEqual(["done"]);
});

it("has heard of every change that was committed before, once it has caught up", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await open(database);
  const { payloads, listener } = recorder();
  await notifications.on("accounts", listener);
  for (let change = 1; change <= 50; change += 1) {
    await database.pool.query("select pg_notify('accounts', $1)", [`${change}`]);
    await notifications.caughtUp();
    expect(payloads).toHaveLength(change);
  }
});

it("reconnects after its connection is lost, reports it, and listens to all channels again", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await open(database);
  const { payloads, listener, waitFor } = recorder();
  const reconnects = recorder();
  await notifications.on("before", listener);
  notifications.onReconnect(() => reconnects.listener("reconnected"));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
  );
  await reconnects.waitFor(1);
  await notifications.on("after", listener);
  await notifications.notify("before", "1");
  await notifications.notify("after", "2");
  await waitFor(2);
  expect(payloads).toEqual(["1", "2"]);
});

it("calls the other listeners when one fails", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await open(database);
  const { payloads, listener, waitFor } = recorder();
  await notifications.on("settings", () => {
    throw new Error("failed");
  });
  await notifications.on("settings", listener);
  await notifications.notify("settings", "1");
  await waitFor(1);
  expect(payloads).toEqual(["1"]);
});

it("closes while disconnected", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await openNotifications(database.url, log);
  await database.destroy();
  const isDisconnected = () =>
    notifications.notify("settings", "1").then(
      () => false,
      () => true,
    );
  expect(await vi.waitUntil(isDisconnected, { timeout: 20_000 })).toBe(true);
  await notifications.close();
});
