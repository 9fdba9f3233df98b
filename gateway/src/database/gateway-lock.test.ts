import { Client } from "pg";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { gatewaySession, gatewaysTakeReadings } from "./gateway-lock.ts";
import { openNotifications } from "./notifications.ts";

it("readings of datasets may be stored by themselves unless a gateway of the last release runs, whatever its database", async () => {
  const { db, url } = await testDatabaseForOneTest();
  const other = await testDatabaseForOneTest();
  for (let count = 0; count < 2; count += 1) {
    const gateway = await openNotifications(url, pino({ level: "silent" }));
    onTestFinished(() => gateway.close());
  }
  const formerGateway = async (connectionString: string) => {
    const session = new Client({ connectionString, application_name: gatewaySession });
    await session.connect();
    onTestFinished(() => session.end());
    await session.query("select pg_advisory_lock_shared(7102091)");
    return session;
  };
  await formerGateway(other.url);
  expect(await gatewaysTakeReadings(db)).toBe(true);
  const former = await formerGateway(url);
  expect(await gatewaysTakeReadings(db)).toBe(false);
  await former.end();
  await expect.poll(() => gatewaysTakeReadings(db), { timeout: 10_000 }).toBe(true);
});
