import { Client, DatabaseError } from "pg";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

const minMajorVersion = 15;

/** Checks that the database of DATABASE_URL can be used. Throws StartFailure, whose message never contains the password. */
export async function checkDatabase(url: string): Promise<void> {
  const { host } = new URL(url);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, an error between two steps would be uncaught. The next step rejects.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ major: number; version: string }>(
      "select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version",
    );
    const [{ major, version } = { major: 0, version: "unknown" }] = rows;
    if (major < minMajorVersion) {
      throw new StartFailure(`The database of DATABASE_URL (${host}) is PostgreSQL ${version}: Fairway needs ${minMajorVersion} or newer.`);
    }
  } catch (error) {
    throw error instanceof StartFailure
      ? error
      : new StartFailure(`The database of DATABASE_URL (${host}) ${reason(error)}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function reason(error: unknown): string {
  if (error instanceof DatabaseError) return `refuses the connection: ${error.message}`;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const code = systemCode(first);
  return `cannot be reached (${code ?? (first instanceof Error ? first.message : String(first))})`;
}
