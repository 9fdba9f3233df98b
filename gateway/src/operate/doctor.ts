import { lstat } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { type Config, ConfigurationError, readConfig } from "#config/config.ts";
import { connectDatabase } from "#database/connection.ts";
import { checkDatabase as checkExternalDatabase } from "#database/external-database.ts";
import { entityStore } from "#entities/store.ts";
import { type MasterKey, masterKeyFile, openMasterKey } from "#secrets/master-key.ts";
import { StartFailure } from "#process/start-failure.ts";
import { checkAddress } from "./check-address.ts";
import { checkBuckets } from "./check-buckets.ts";
import { checkDatabase, checkMasterKey } from "./check-database.ts";
import { checkHome } from "./check-home.ts";
import { checkMachine, thisMachine } from "./check-machine.ts";
import { checkCardIssuer, checkFilesets, checkKeystores, checkMail, checkNifi, checkProvider, checkScanner } from "./check-services.ts";
import { checkOwnData } from "./check-own-data.ts";
import { checkTraces } from "./check-traces.ts";
import { type Finding, Findings } from "./finding.ts";
import { type OperatedDatabase, openOperatedDatabase } from "./operated-database.ts";
import { bucketReader } from "./own-data-stores.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const silent = pino({ level: "silent" });

/** Checks a portal from its environment. Changes nothing, except that a stopped embedded database runs meanwhile. */
export async function examine(env: Environment, { demo }: { demo: boolean }): Promise<Finding[]> {
  const now = new Date();
  const report: Finding[] = [];
  const check = async (name: string, run: (findings: Findings) => unknown): Promise<void> => {
    const findings = new Findings(name);
    try {
      await run(findings);
    } catch (error) {
      findings.problem(sentenceOf(error), {
        why: "What depends on it could not be checked.",
        todo: "Correct this first, and run the doctor again.",
      });
    }
    report.push(...findings.all);
  };

  await check("machine", async (findings) => checkMachine(findings, await thisMachine(env)));
  const config = await configOf(env, demo, check);
  if (config === undefined) return report;
  let isHomeThere = false;
  await check("folder", async (findings) => {
    isHomeThere = await checkHome(findings, config.home);
  });
  await check("address", (findings) => checkAddress(findings, config, now));
  if (config.databaseUrl === undefined && !(isHomeThere && (await exists(join(config.home, "postgres/data"))))) {
    await check("database", (findings) => findings.note("There is no database yet: the first start creates it in the folder."));
  } else await checkStored(config, check, now);
  await check("traces", (findings) => checkTraces(findings, config.tracing));
  await check("mail", (findings) => checkMail(findings, config.mail));
  await check("cards", (findings) => checkCardIssuer(findings, config.cac, now));
  await check("oidc", (findings) => checkProvider(findings, config, now));
  await check("scanner", (findings) => checkScanner(findings, config.scanCommand));
  await check("keystores", (findings) => checkKeystores(findings, config.keystoreFolder, now));
  return report;
}

type Check = (name: string, run: (findings: Findings) => unknown) => Promise<void>;

async function configOf(env: Environment, demo: boolean, check: Check): Promise<Config | undefined> {
  let config: Config | undefined;
  await check("settings", (findings) => {
    try {
      config = readConfig(env, { demo });
      for (const warning of config.warnings) {
        findings.warning(warning, {
          why: "The setting does not do what was meant.",
          todo: "Correct it; see Configuration in the operator guide.",
        });
      }
      if (config.warnings.length === 0) findings.fine("All settings are valid.");
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const line of error.message.split("\n")) {
        findings.problem(line, { why: "The portal does not start.", todo: "Correct the setting, then run the doctor again for the rest." });
      }
    }
  });
  return config;
}

/** The database, and what is configured in it. */
async function checkStored(config: Config, check: Check, now: Date): Promise<void> {
  let database: OperatedDatabase | undefined;
  await check("database", async (findings) => {
    if (config.databaseUrl !== undefined) await checkExternalDatabase(config.databaseUrl);
    database = await openOperatedDatabase(config, silent);
    await checkDatabase(findings, database, config.securityLimits.databaseConnections);
  });
  if (database === undefined) return;
  try {
    const { url } = database;
    let key: MasterKey | undefined;
    await check("master key", async (findings) => {
      key = await keyOf(config);
      await checkMasterKey(findings, url, key, config.masterKey === undefined ? config.home : undefined);
    });
    const connection = connectDatabase(url, { maxConnections: 2 });
    try {
      if (key === undefined || !(await isMigrated(connection.pool))) return;
      const entities = entityStore(connection.db, silent, key);
      await check("filesets", (findings) => checkFilesets(findings, entities, config));
      await check("datasets on S3", (findings) => checkBuckets(findings, entities, config));
      if (await hasOwnData(connection.pool)) {
        const { home, limits, settings } = config;
        await check("own data", (findings) =>
          checkOwnData(findings, connection.db, {
            home,
            maxBytes: limits.ownDataTotalBytes,
            bucket: settings.ownData.bucket,
            reader: (bucket) => bucketReader(config, entities, bucket),
          }),
        );
      }
      await check("flow environments", (findings) => checkNifi(findings, entities, config, now));
    } finally {
      await connection.close();
    }
  } finally {
    await database.close();
  }
}

const isMigrated = async (pool: ReturnType<typeof connectDatabase>["pool"]): Promise<boolean> =>
  (await pool.query<{ is: boolean }>("select to_regclass('entities') is not null as is")).rows[0]?.is === true;

const hasOwnData = async (pool: ReturnType<typeof connectDatabase>["pool"]): Promise<boolean> =>
  (
    await pool.query<{ is: boolean }>(
      `select exists (select from information_schema.columns
        where table_schema = current_schema() and table_name = 'own_data_files' and column_name = 'bucket') as is`,
    )
  ).rows[0]?.is === true;

/** Unlike a start, never creates a key. */
async function keyOf(config: Config): Promise<MasterKey> {
  if (config.masterKey === undefined && !(await exists(masterKeyFile(config.home)))) {
    throw new StartFailure(`There is no master key: put ${masterKeyFile(config.home)} back, or set FAIRWAY_MASTER_KEY.`);
  }
  return openMasterKey(config);
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const sentenceOf = (error: unknown): string =>
  error instanceof StartFailure
    ? error.message
    : `The check failed unexpectedly: ${error instanceof Error ? error.message : String(error)}.`;
