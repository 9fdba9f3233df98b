// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../lib/failure.mjs";

/** @typedef {import("./image.mjs").MountedImage} MountedImage */

/**
 * Mounts the image read-only with a writable volume and /tmp, and starts the program as its user in a PID namespace. The network
 * is that of this machine.
 */
const startScript = `
set -e
root=$1; volume=$2; user=$3; group=$4; folder=$5; shift 5
mount --bind "$root" "$root"
mount --bind "$volume" "$root/var/lib/fairway"
mount -t tmpfs tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs unshare --pid --fork --kill-child --mount-proc --root="$root" --wd="$folder" --setgid="$group" --setuid="$user" "$@"
`;

/**
 * Runs a program of the image.
 * @param {MountedImage} image
 * @param {{ volume: string, env?: Record<string, string>, command?: string[] }} options
 */
export async function startContainer(image, { volume, env = {}, command = image.config.Cmd }) {
  const [user = "0", group = "0"] = image.config.User.split(":");
  await mkdir(volume, { recursive: true, mode: 0o700 });
  await chown(volume, Number(user), Number(group));
  const variables = { ...Object.fromEntries(image.config.Env.map((line) => split(line))), ...env };
  const args = ["--mount", "sh", "-c", startScript, "sh", image.root, volume, user, group, image.config.WorkingDir, ...command];
  const child = spawn("unshare", args, { env: variables, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  /** @type {Promise<number | null>} */
  const ended = once(child, "close").then(([code]) => code);
  return {
    ended,
    output: () => output,
    /**
     * Resolves when it has printed the text.
     * @param {string} text
     */
    async says(text) {
      for (let attempt = 0; !output.includes(text); attempt += 1) {
        if (child.exitCode !== null || attempt > 1_200) throw new Failure(`The container did not say "${text}":\n${output.slice(-3_000)}`);
        await wait(100);
      }
    },
    /** Signals the first process of the container, as an engine does. Resolves with its exit code. */
    async stop() {
      const first = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")).trim();
      if (first !== "") process.kill(Number(first), "SIGTERM");
      return ended;
    },
  };
}

/**
 * @param {string} line
 * @returns {[string, string]}
 */
function split(line) {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
