import pino from "pino";
import type { Config } from "#config/config.ts";
import { connectDatabase } from "#database/connection.ts";
import { entityStore } from "#entities/store.ts";
import { type Moved, moveFiles } from "#own-data/move-files.ts";
import { StartFailure } from "#process/start-failure.ts";
import { masterKeyOf } from "#secrets/master-key.ts";
import { StoreFailed } from "#storage/storage.ts";
import { openSession, readMasterKey } from "./backup.ts";
import { openOperatedDatabase, requireMigrated } from "./operated-database.ts";
import { ownDataStores } from "./own-data-stores.ts";

/** At most so many connections beside those of the gateways. */
const maxConnections = 2;

/**
 * Moves the files of own datasets to where the settings say that new ones are stored. Gateways may run meanwhile. May be repeated after
 * any interruption. Throws StartFailure.
 */
export async function moveOwnData(config: Config, onMoved: (moved: Readonly<Moved>) => void): Promise<Readonly<Moved>> {
  const log = pino({ level: "silent" });
  const database = await openOperatedDatabase(config, log);
  try {
    await requireMigrated(database.url);
    const session = await openSession(database.url);
    const connection = connectDatabase(database.url, { maxConnections });
    try {
      const entities = entityStore(connection.db, log, masterKeyOf(await readMasterKey(config)));
      const own = await ownDataStores(config, connection.db, entities);
      try {
        return await moveFiles({ db: connection.db, stores: own.stores, onMoved }, own.stores.bucket);
      } finally {
        own.close();
      }
    } catch (error) {
      throw error instanceof StoreFailed ? new StartFailure(`${error.message} What has been moved stays moved.`, { cause: error }) : error;
    } finally {
      await connection.close();
      await session.end();
    }
  } finally {
    await database.close();
  }
}
