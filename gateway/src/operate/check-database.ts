import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { migrationsInTheWay, readMigrationRecord } from "#database/migration-record.ts";
import { migrations } from "#database/migrations.ts";
import { privateKeyColumn } from "#identity/signing-keys.ts";
import { isLoopback } from "#process/loopback.ts";
import { type MasterKey, UnreadableCiphertext } from "#secrets/master-key.ts";
import { isReplacementUnfinished, storedKeyId } from "#secrets/replacement.ts";
import type { Findings } from "./finding.ts";
import type { OperatedDatabase } from "./operated-database.ts";

const connectMs = 10_000;
const maxClockDifferenceMs = 2_000;
const notificationMs = 3_000;

/** Looks at a database that answers. Reads only. */
export async function checkDatabase(findings: Findings, database: OperatedDatabase, connections: number): Promise<void> {
  const client = await connect(database.url);
  try {
    await checkServer(findings, client, database);
    await checkConnections(findings, client, connections);
    await checkMigrations(findings, client, database.state);
    if (database.state === "external") await checkSessions(findings, database.url);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs, application_name: "fairway doctor" });
  // The next query rejects.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function one<Row extends object>(client: Client, query: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(query, values);
  const [row] = rows;
  if (row === undefined) throw new Error("expected one row");
  return row;
}

async function checkServer(findings: Findings, client: Client, { url, state }: OperatedDatabase): Promise<void> {
  const sentMs = Date.now();
  const { now } = await one<{ now: Date }>(client, "select clock_timestamp() as now");
  const differenceMs = Math.abs(now.getTime() - (sentMs + Date.now()) / 2);
  const server = await one<{
    version: string;
    encoding: string;
    order: string;
    encrypted: boolean | null;
    standby: boolean;
    mayCreate: boolean;
  }>(
    client,
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      ('b' < 'C')::text as "order", pg_is_in_recovery() as standby,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted`,
  );
  const where = { external: "of DATABASE_URL", "portal-runs": "that the portal runs", "portal-stopped": "of the stopped portal" }[state];
  findings.fine(`The database ${where} answers: PostgreSQL ${server.version}.`);
  if (server.encoding !== "UTF8") {
    findings.problem(`The database's encoding is ${server.encoding}.`, {
      why: "It cannot store every text that people enter.",
      todo: "Create a database with the encoding UTF8 and move the data there.",
    });
  }
  if (server.order === "true") {
    findings.note("The database sorts texts by the rules of a language, not like the embedded one by their characters (C.UTF-8).");
  }
  if (server.standby) {
    findings.problem("The database is a standby, which can only be read.", {
      why: "The portal writes sessions, the audit log and everything that people save.",
      todo: "Let DATABASE_URL name the primary server.",
    });
  } else if (!server.mayCreate) {
    findings.problem("The database's user may not create tables.", {
      why: "The portal creates and changes its tables when it starts.",
      todo: "Run as a superuser of the database: grant create, usage on schema public to the portal's user.",
    });
  }
  if (state === "external" && server.encrypted === false && !isLoopback(new URL(url).hostname)) {
    findings.warning("The connection to the database is not encrypted.", {
      why: "Everyone in between can read what the portal stores.",
      todo: "Enable TLS in PostgreSQL, and add ?sslmode=verify-full to DATABASE_URL.",
    });
  }
  if (differenceMs > maxClockDifferenceMs) {
    findings.problem(`The clocks of this machine and of the database differ by ${(differenceMs / 1_000).toFixed(1)} s.`, {
      why: "Sessions, one-time codes and locks of several gateways depend on the time.",
      todo: "Let both machines synchronize their clocks by NTP (timedatectl, chronyc tracking).",
    });
  } else findings.fine(`Its clock differs from this machine's by less than ${maxClockDifferenceMs / 1_000} s.`);
}

/** Long-running statements and notifications have connections of their own. */
const furtherConnections = 6;

async function checkConnections(findings: Findings, client: Client, connections: number): Promise<void> {
  const { max, used } = await one<{ max: number; used: number }>(
    client,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const needed = connections + furtherConnections;
  if (needed <= max) findings.fine(`It allows ${max} connections, ${used} are in use; one gateway opens up to ${needed}.`);
  else {
    findings.warning(`The database allows ${max} connections, and one gateway opens up to ${needed}.`, {
      why: "Calls fail while the database refuses connections.",
      todo: "Raise max_connections of PostgreSQL, or lower LIMIT_DATABASE_CONNECTIONS.",
    });
  }
}

async function checkMigrations(findings: Findings, client: Client, state: OperatedDatabase["state"]): Promise<void> {
  const record = await readMigrationRecord(client);
  if (record === undefined) {
    findings.note("The database is empty: the first start of the portal creates its tables.");
    return;
  }
  const applied = new Set(record.map(({ name }) => name));
  const inTheWay = migrationsInTheWay(record, migrations).map(({ name }) => name);
  const additions = [...applied].filter((name) => migrations[name] === undefined && !inTheWay.includes(name));
  const missing = Object.keys(migrations).filter((name) => !applied.has(name));
  if (inTheWay.length > 0) {
    findings.problem(`The database was used by a newer Fairway: this version does not know ${inTheWay.join(", ")}.`, {
      why: "An older version may misread or damage what the newer one has stored, and refuses to start.",
      todo: "Install the newer version again, or restore the backup from before the upgrade.",
    });
  }
  if (additions.length > 0) {
    findings.note(`A newer Fairway has added to the database (${additions.join(", ")}). This version can run beside it during an upgrade.`);
  }
  if (missing.length > 0 && state === "portal-runs") {
    findings.problem(`The running portal's database lacks ${missing.join(", ")}.`, {
      why: "This version was installed while an older one kept running.",
      todo: "Restart the portal: it migrates the database before it listens.",
    });
  } else if (missing.length > 0) {
    findings.note(`The next start migrates the database (${missing.join(", ")}). Back it up first: there is no way back without a backup.`);
  }
  if (inTheWay.length + missing.length === 0) findings.fine(`All ${applied.size} migrations are complete.`);
}

/** A pool in transaction mode, such as PgBouncer's, never delivers notifications and mixes up the locks of sessions. */
async function checkSessions(findings: Findings, url: string): Promise<void> {
  const [listener, other] = [await connect(url), await connect(url)];
  try {
    const channel = `fairway_doctor_${randomBytes(6).toString("hex")}`;
    const delivered = new Promise<true>((resolve) => {
      listener.on("notification", (message) => message.channel === channel && resolve(true));
    });
    await listener.query(`listen ${channel}`);
    await other.query("select pg_notify($1, '')", [channel]);
    const isDelivered = await Promise.race([delivered, wait(notificationMs, false)]);
    const lock = randomInt(2 ** 31);
    await listener.query("select pg_advisory_lock($1::bigint)", [lock]);
    const { taken } = await one<{ taken: boolean }>(other, "select pg_try_advisory_lock($1::bigint) as taken", [lock]);
    if (isDelivered && !taken) {
      findings.fine("Notifications and locks of sessions work.");
      return;
    }
    const signs = [...(isDelivered ? [] : ["notifications do not arrive"]), ...(taken ? ["two sessions hold the same lock"] : [])];
    findings.problem(`A connection pool in transaction mode is between the portal and the database: ${signs.join(", and ")}.`, {
      why: "Gateways miss changes, and do work at the same time that only one may do.",
      todo: "Let DATABASE_URL name PostgreSQL itself, or set pool_mode = session in PgBouncer.",
    });
  } finally {
    // Ends the sessions, and with them what they hold.
    await Promise.all([listener.end(), other.end()]);
  }
}

/** Whether the master key opens what the database holds. `home` is the folder of the key file; undefined for a key of the environment. */
export async function checkMasterKey(
  findings: Findings,
  url: string,
  key: Pick<MasterKey, "id" | "decrypt">,
  home: string | undefined,
): Promise<void> {
  const client = await connect(url);
  try {
    const { exists } = await one<{ exists: boolean }>(client, "select to_regclass('signing_keys') is not null as exists");
    const { rows } = exists
      ? await client.query<{ kid: string; cipher: string }>(
          "select kid, private_key as cipher from signing_keys order by created_at desc limit 1",
        )
      : { rows: [] };
    const [newest] = rows;
    if (newest === undefined) {
      findings.note("The database contains nothing yet that was encrypted with a master key.");
      return;
    }
    if (home !== undefined && (await isReplacementUnfinished(home, await storedKeyId(client)))) {
      findings.warning("A replacement of the master key was interrupted after the database was reencrypted.", {
        why: "The new key is still in master.key.new.",
        todo: "Start the portal, or run rotate-master-key again: either finishes it.",
      });
      return;
    }
    key.decrypt(newest.cipher, privateKeyColumn.contextOf({ kid: newest.kid }));
    findings.fine(`The master key (${key.id}) fits the database.`);
  } catch (error) {
    if (!(error instanceof UnreadableCiphertext)) throw error;
    findings.problem(`The master key (${key.id}) does not fit the database.`, {
      why: "Nobody can sign in, and stored credentials cannot be read.",
      todo: "Put back the master.key or FAIRWAY_MASTER_KEY that belongs to this database.",
    });
  } finally {
    await client.end();
  }
}
