import { afterAll, beforeAll, beforeEach } from "vitest";
import type { IdentityApp, OnClose } from "./identity-app.ts";

/**
 * One app for all tests of a file, which costs a tenth of one for each test. `tables` are emptied before each test; one that
 * changes anything else, such as an account, opens an app of its own.
 */
export function sharedApp<App extends { gateway: IdentityApp }>(
  open: (onClose: OnClose) => Promise<App>,
  tables: readonly string[],
): () => App {
  let app: App | undefined;
  const closings: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    app = await open((close) => closings.push(close));
  });
  beforeEach(async () => {
    for (const table of tables) await app?.gateway.database.pool.query(`delete from ${table}`);
  });
  afterAll(async () => {
    for (const close of closings.toReversed()) await close();
  });
  return () => {
    if (app === undefined) throw new Error("the shared app is opened before the first test");
    return app;
  };
}
