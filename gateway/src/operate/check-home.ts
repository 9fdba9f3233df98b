import { access, constants, lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { foldersOpenToOthers } from "#portal/home-folder.ts";
import { masterKeyFile } from "#secrets/master-key.ts";
import type { Findings } from "./finding.ts";

const gigabyte = 1_073_741_824;

/** Looks at the portal's folder without changing it. Returns whether it exists. */
export async function checkHome(findings: Findings, home: string): Promise<boolean> {
  const stats = await lstat(home).catch(() => undefined);
  if (stats === undefined) {
    findings.note(`The folder ${home} does not exist yet: the first start creates it. If the portal ran before, FAIRWAY_HOME is wrong.`);
    return false;
  }
  if (!(await isUsable(home))) {
    findings.problem(`This user cannot read and write the folder ${home}.`, {
      why: "Everything that the portal writes is there.",
      todo: "Run this command as the portal's user, make that user the owner of the folder, or set FAIRWAY_HOME.",
    });
    return true;
  }
  const uid = process.getuid?.();
  if (uid !== undefined && stats.isDirectory() && stats.uid !== uid) {
    findings.warning(`The folder ${home} belongs to another user (uid ${stats.uid}) than the one of this command (uid ${uid}).`, {
      why: "Files that one user writes may be unreadable for the other.",
      todo: "Run the portal and this command as the owner of the folder.",
    });
  }
  const open = await foldersOpenToOthers(home);
  for (const folder of open) {
    findings.warning(`Other users of this machine may read or write ${folder}.`, {
      why: "It contains data, certificates or keys of the portal.",
      todo: `Run chmod go-rw ${folder}, unless this is intended.`,
    });
  }
  const key = await lstat(masterKeyFile(home)).catch(() => undefined);
  if (uid !== undefined && key !== undefined && (key.mode & 0o077) !== 0) {
    findings.problem(`Other users of this machine may read ${masterKeyFile(home)}.`, {
      why: "With the key and the database, every stored secret can be read.",
      todo: `Run chmod 600 ${masterKeyFile(home)}, and consider the secrets known if other people use this machine.`,
    });
  }
  if (open.length === 0) findings.fine(`The folder ${home} is writable for this user and closed to others.`);
  await checkSpace(findings, home);
  return true;
}

const isUsable = (folder: string): Promise<boolean> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    .then(() => readdir(folder))
    .then(
      () => true,
      () => false,
    );

async function checkSpace(findings: Findings, home: string): Promise<void> {
  const disk = await statfs(join(home, "."));
  const free = disk.bavail * disk.bsize;
  const text = `${(free / gigabyte).toFixed(1)} GB of ${((disk.blocks * disk.bsize) / gigabyte).toFixed(1)} GB are free for ${home}.`;
  const advice = {
    why: "Exports, sorts and the database need room; a full disk stops the portal, though nothing that was saved is lost.",
    todo: "Free some space or enlarge the disk. Exports may take up to 10 GB each.",
  };
  if (free < gigabyte) findings.problem(text, advice);
  else if (free < 10 * gigabyte) findings.warning(text, advice);
  else findings.fine(text);
  if (disk.files > 0 && disk.ffree / disk.files < 0.02) {
    findings.warning(`The file system of ${home} has room for ${disk.ffree} more files only.`, {
      why: "It can be full of small files while there is space left.",
      todo: "Remove files that are not needed, or use a file system with more inodes.",
    });
  }
}
