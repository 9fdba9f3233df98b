import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "#config/config.ts";
import { openNotifications } from "#database/notifications.ts";
import { openMasterKey } from "#secrets/master-key.ts";
import { openService } from "#portal/service.ts";
import { testDatabase } from "#testing/postgres.ts";

it("opens after a failed attempt, which left nothing open", async () => {
  const home = await mkdtemp(join(tmpdir(), "fairway-opening-"));
  const database = await testDatabase();
  const log = pino({ level: "silent" });
  const notifications = await openNotifications(database.url, log);
  onTestFinished(async () => {
    await notifications.close();
    await database.drop();
    await rm(home, { recursive: true, force: true });
  });
  const config = { ...readConfig({ FAIRWAY_HOME: home, DATABASE_URL: database.url }, { demo: false }), webRoot: null };
  const masterKey = await openMasterKey(config);
  const foundation = { config, log, database, notifications, masterKey, signal: new AbortController().signal, print: () => undefined };

  // The file store is opened after accounts and engines.
  await writeFile(join(home, "files"), "in the way");
  await expect(openService(foundation)).rejects.toMatchObject({ code: "ENOTDIR" });

  await rm(join(home, "files"));
  const service = await openService(foundation);
  expect((await service.app.inject({ url: "/api/health/ready" })).statusCode).toBe(200);
  await service.app.close();
  await service.close();
});
