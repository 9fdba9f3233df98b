import pino from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { type TestDatabase, testDatabaseForOneTest } from "#testing/postgres.ts";
import { type Notifications, openNotifications } from "./notifications.ts";

const log = pino({ level: "silent" });

async function opened(database: TestDatabase): Promise<Notifications> {
  const notifications = await openNotifications(database.url, log);
  onTestFinished(() => notifications.close());
  return notifications;
}

/** What was heard, and a way to wait until there is as much of it. */
function heard() {
  const words: string[] = [];
  return {
    words,
    hear: (word: string) => void words.push(word),
    until: (count: number) => vi.waitUntil(() => words.length >= count, { timeout: 20_000 }),
  };
}

it("tells every gateway, the one that speaks too, on the channels they listen to", async () => {
  const database = await testDatabaseForOneTest();
  const [one, other] = [await opened(database), await opened(database)];
  const [here, there] = [heard(), heard()];
  await one.on("settings", here.hear);
  await other.on("settings", there.hear);
  await one.notify("elsewhere", "nobody");
  await one.notify("settings", 'it\'s "new"; ä');
  await Promise.all([here.until(1), there.until(1)]);
  expect([here.words, there.words]).toEqual([['it\'s "new"; ä'], ['it\'s "new"; ä']]);
});

it("hears what a transaction tells, once it is committed", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await opened(database);
  const { words, hear, until } = heard();
  await notifications.on("accounts", hear);
  await database.pool.query("begin; select pg_notify('accounts', 'undone'); rollback; select pg_notify('accounts', 'done')");
  await until(1);
  expect(words).toEqual(["done"]);
});

it("comes back after its connection is cut, says so, and listens to everything again", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await opened(database);
  const { words, hear, until } = heard();
  const back = heard();
  await notifications.on("before", hear);
  notifications.onReconnect(() => back.hear("back"));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
  );
  await back.until(1);
  await notifications.on("after", hear);
  await notifications.notify("before", "1");
  await notifications.notify("after", "2");
  await until(2);
  expect(words).toEqual(["1", "2"]);
});

it("keeps telling the others when one listener fails", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await opened(database);
  const { words, hear, until } = heard();
  await notifications.on("settings", () => {
    throw new Error("deaf");
  });
  await notifications.on("settings", hear);
  await notifications.notify("settings", "1");
  await until(1);
  expect(words).toEqual(["1"]);
});

it("closes while its connection is away", async () => {
  const database = await testDatabaseForOneTest();
  const notifications = await openNotifications(database.url, log);
  await database.destroy();
  const isAway = () =>
    notifications.notify("settings", "1").then(
      () => false,
      () => true,
    );
  expect(await vi.waitUntil(isAway, { timeout: 20_000 })).toBe(true);
  await notifications.close();
});
