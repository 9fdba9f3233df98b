import { parseArgs } from "node:util";
import { isJsonObject } from "@fairway/contract/json";
import { StartFailure } from "#process/start-failure.ts";
import type { Manifest } from "./backup-format.ts";
import { help } from "./command-help.ts";
import type { PasswordInput } from "./read-password.ts";

interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: PasswordInput;
}

/** 0 = done, nothing wrong; 1 = problems found, or not done; 2 = wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Runs one command of `npm run fairway`. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out, err, input }: Terminal,
): Promise<ExitCode> {
  const [command = "help", ...rest] = args;
  try {
    if (command === "doctor") return await doctor(rest, env, out);
    if (command === "settings") return await printSettings(rest, env, { out, err, input });
    if (command === "backup" || command === "restore") return await backUpOrRestore(command, rest, env, out);
    if (command === "rotate-master-key") return await rotateKey(rest, env, out);
    if (command === "move-own-data") return await moveFilesOfUsers(rest, env, out);
    if (command === "reset-admin") return await resetAccount(rest, env, { out, err, input });
    if (["help", "--help", "-h"].includes(command) || rest.includes("--help")) {
      out(help);
      return 0;
    }
    err(`There is no command '${command}'.\n\n${help}`);
    return 2;
  } catch (error) {
    if (error instanceof WrongUsage) {
      err(`${error.message}\nnpm run fairway -- help lists the commands and their options.\n`);
      return 2;
    }
    err(`${error instanceof StartFailure ? error.message : `The command failed unexpectedly: ${String(error)}`}\n`);
    return 1;
  }
}

/** How often a command that takes long tells how far it is. */
const tellMs = 5_000;

class WrongUsage extends Error {}

async function doctor(args: readonly string[], env: Readonly<Record<string, string | undefined>>, out: Terminal["out"]): Promise<ExitCode> {
  const { values } = parsed(() =>
    parseArgs({ args: [...args], options: { json: { type: "boolean" }, demo: { type: "boolean" }, help: { type: "boolean" } } }),
  );
  if (values.help === true) {
    out(help);
    return 0;
  }
  const [{ examine }, { reportJson, reportText }] = await Promise.all([import("./doctor.ts"), import("./doctor-report.ts")]);
  const findings = await examine(env, { demo: values.demo === true });
  out(values.json === true ? reportJson(findings) : reportText(findings));
  return findings.some(({ level }) => level === "problem") ? 1 : 0;
}

async function printSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const { values } = parsed(() => parseArgs({ args: [...args], options: { help: { type: "boolean" } } }));
  if (values.help === true) {
    out(help);
    return 0;
  }
  const { presentSettings } = await import("#config/config.ts");
  const { cac, ...settings } = presentSettings(env);
  const { clientSecret, ...others } = isJsonObject(cac) ? cac : {};
  out(`${JSON.stringify({ ...settings, cac: isJsonObject(cac) ? others : cac }, null, 2)}\n`);
  if (clientSecret !== undefined)
    err("Left out: cac.clientSecret. Set FAIRWAY_CAC_CLIENT_SECRET, or FAIRWAY_CAC_CLIENT_SECRET_FILE, to it.\n");
  return 0;
}

async function backUpOrRestore(
  command: "backup" | "restore",
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  out: Terminal["out"],
): Promise<ExitCode> {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { "passphrase-file": { type: "string" }, help: { type: "boolean" } },
    }),
  );
  if (values.help === true) {
    out(help);
    return 0;
  }
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new WrongUsage(`${command} needs the name of one folder.`);
  const [{ readConfig }, { readPassphrase }] = await Promise.all([import("#config/config.ts"), import("./wrapped-key.ts")]);
  const config = readConfig(env, { demo: false });
  const file = values["passphrase-file"];
  const passphrase = file === undefined ? undefined : await readPassphrase(file);
  if (command === "backup") {
    const { backUp } = await import("./backup.ts");
    const { manifest, skipped } = await backUp(config, folder, passphrase);
    out(`The backup ${folder} is complete: ${contents(manifest)}.\n`);
    for (const path of skipped) out(`Left out, because it is neither a file nor a folder: ${path}\n`);
    out(
      manifest.masterKey.wrapped === null
        ? `WARNING: the master key (${manifest.masterKey.id}) is not in the backup. Keep it elsewhere: without it, stored secrets cannot be read and nobody stays signed in.\n`
        : `The master key (${manifest.masterKey.id}) is in the backup, encrypted: it is as safe as its passphrase.\n`,
    );
    out("Files of filesets on S3 are not in it: use the versions or copies of your buckets.\n");
    for (const { bucket, files, bytes } of manifest.ownDataBuckets)
      out(
        `Own data in the bucket '${bucket}' is not in it (${files} files, ${(bytes / 1e6).toFixed(1)} MB): use the versions or a copy of the bucket.\n`,
      );
    if (manifest.ownDataBuckets.length > 1)
      out("WARNING: own data is in several buckets, and can be restored from one: run move-own-data, and make another backup.\n");
    return 0;
  }
  const { restore } = await import("./restore.ts");
  const { manifest, hasKey } = await restore(config, folder, passphrase);
  out(`The backup of ${manifest.createdAt} is restored: ${contents(manifest)}.\n`);
  if (!hasKey) {
    out(
      `WARNING: put the master key (${manifest.masterKey.id}) into ${config.home} as master.key, or set FAIRWAY_MASTER_KEY, before you start the portal.\n`,
    );
  }
  return 0;
}

async function rotateKey(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  out: Terminal["out"],
): Promise<ExitCode> {
  const { values } = parsed(() =>
    parseArgs({ args: [...args], options: { "new-key-file": { type: "string" }, help: { type: "boolean" } } }),
  );
  if (values.help === true) {
    out(help);
    return 0;
  }
  const [{ readConfig }, { rotateMasterKey }] = await Promise.all([import("#config/config.ts"), import("./rotate-master-key.ts")]);
  const config = readConfig(env, { demo: false });
  const file = values["new-key-file"];
  const { newId, counts, oldKeyFile } = await rotateMasterKey(config, file);
  if (counts === undefined) out(`An earlier, interrupted command had reencrypted the database with the key ${newId} already.\n`);
  else {
    out(`The database is encrypted with the new master key ${newId}.\n`);
    for (const { column, texts } of counts) out(`  ${column}: ${texts}\n`);
  }
  if (config.masterKey !== undefined) {
    out(
      `NOW set FAIRWAY_MASTER_KEY of every gateway to the line in ${file}, or FAIRWAY_MASTER_KEY_FILE to its path, and then start them. With the old key, they do not start.\n`,
    );
  } else out(`The new key is in ${config.home} as master.key: the portal can be started.\n`);
  if (oldKeyFile !== undefined) {
    out(
      `The old key is kept in ${oldKeyFile}: earlier backups need it. Move it to where you keep them, and delete it once none of them is needed.\n`,
    );
  }
  out("Make a backup now.\n");
  return 0;
}

async function moveFilesOfUsers(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  out: Terminal["out"],
): Promise<ExitCode> {
  const { values } = parsed(() => parseArgs({ args: [...args], options: { help: { type: "boolean" } } }));
  if (values.help === true) {
    out(help);
    return 0;
  }
  const [{ readConfig }, { moveOwnData }] = await Promise.all([import("#config/config.ts"), import("./move-own-data.ts")]);
  const config = readConfig(env, { demo: false });
  const { bucket } = config.settings.ownData;
  const place = bucket === "" ? "the folder own-data" : `the bucket '${bucket}'`;
  let toldMs = Date.now();
  const { files, bytes, left, ofImports, damaged } = await moveOwnData(config, (moved) => {
    if (Date.now() - toldMs < tellMs) return;
    toldMs = Date.now();
    out(`${moved.files} files, ${(moved.bytes / 1e6).toFixed(1)} MB …\n`);
  });
  out(`Moved to ${place}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB.\n`);
  if (files > 0) out("The portal removes them in their former place an hour from now.\n");
  if (left > 0) out(`${left} files were removed meanwhile, or were moved elsewhere within the last hour: run this again after that.\n`);
  if (ofImports > 0) out(`${ofImports} files of imports under way stay where they are: run this again tomorrow.\n`);
  for (const key of damaged) out(`PROBLEM: ${key} is missing or has another size, and was not moved. See the doctor.\n`);
  return damaged.length > 0 ? 1 : 0;
}

async function resetAccount(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out, err, input }: Terminal,
): Promise<ExitCode> {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { "one-time-password": { type: "boolean" }, "remove-second-factors": { type: "boolean" }, help: { type: "boolean" } },
    }),
  );
  if (values.help === true) {
    out(help);
    return 0;
  }
  const [username, ...others] = positionals;
  // A second word may be a password, which other users of the machine can see.
  if (username === undefined || others.length > 0)
    throw new WrongUsage("reset-admin needs one username, and no password on the command line.");
  const [{ readConfig }, { resetAdmin }, { readPassword }] = await Promise.all([
    import("#config/config.ts"),
    import("./reset-admin.ts"),
    import("./read-password.ts"),
  ]);
  const config = readConfig(env, { demo: false });
  const password = values["one-time-password"] === true ? undefined : await readPassword(input, err);
  const result = await resetAdmin(config, { username, password, removeSecondFactors: values["remove-second-factors"] === true });
  out(`The account ${result.username} ${result.isNew ? "is created" : "is unlocked, its sessions are ended"} and has the role admin.\n`);
  if (result.hadSecondFactors) out("Its second factors are removed.\n");
  if (result.oneTimePassword !== undefined) out(`Sign in with this password, and choose another one: ${result.oneTimePassword}\n`);
  return 0;
}

function contents({ tables, files }: Pick<Manifest, "tables" | "files">): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables, and ${files.count} files of ${(files.bytes / 1e6).toFixed(1)} MB`;
}

function parsed<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}
