// @ts-check
import { copyFile, cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { checkout } from "../lib/checkout.mjs";
import { outputOf } from "../lib/programs.mjs";

/** Everything that is built stays here, so that only what has changed is built again. */
const folder = join(homedir(), ".cache/fairway/containers");
const baseImage = `localhost/fairway-test-node:${process.versions.node}`;
const certificates = "/etc/ssl/certs/ca-certificates.crt";

/** @param {string[]} args */
const buildah = (...args) =>
  outputOf("buildah", ["--storage-driver", "overlay", "--root", join(folder, "images"), "--runroot", "/run/fairway-test-images", ...args]);

/**
 * @typedef {{ User: string, Env: string[], WorkingDir: string, Cmd: string[], StopSignal: string, Healthcheck?: { Test: string[] } }} ImageConfig
 * @typedef {{ root: string, config: ImageConfig, unmount: () => Promise<void> }} MountedImage `root` is its root folder here
 */

/**
 * Builds the Containerfile. No public image can be pulled on a machine without a registry, so its base is a minimal Debian with
 * the Node.js of this machine, which also trusts the certificates of this machine.
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the name of the image
 */
export async function buildImage(log) {
  await buildBase(log);
  log("Building the image …");
  const name = "localhost/fairway";
  // buildah's own limit of 1,024 is too low for the build of the web app; engines allow more.
  const hardLimit = Number(await outputOf("sh", ["-c", "ulimit -Hn"]));
  const openFiles = Math.min(Number.isNaN(hardLimit) ? 65_536 : hardLimit, 65_536);
  await buildah(
    "bud",
    // The format of the Open Container Initiative has no health checks.
    "--format",
    "docker",
    "--isolation",
    "chroot",
    "--layers",
    "--ulimit",
    `nofile=${openFiles}:${openFiles}`,
    "--build-arg",
    `NODE_IMAGE=${baseImage}`,
    "-t",
    name,
    "-f",
    "Containerfile",
    checkout,
  );
  return name;
}

/** @param {(line: string) => void} log */
async function buildBase(log) {
  const known = await buildah("images", "--quiet", baseImage).catch(() => "");
  if (known !== "") return;
  log("Building the base image …");
  const root = join(folder, "base/root");
  await rm(join(folder, "base"), { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const unfinished = `${root}.new`;
  await mkdir(dirname(unfinished), { recursive: true });
  await outputOf("debootstrap", ["--variant=minbase", "--include=ca-certificates,libstdc++6", "bookworm", unfinished]);
  await copyFile(process.execPath, join(unfinished, "usr/bin/node"));
  const npm = dirname(dirname(await outputOf("readlink", ["-f", await outputOf("sh", ["-c", "command -v npm"])])));
  await cp(npm, join(unfinished, "usr/lib/node_modules/npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(unfinished, "usr/bin/npm"));
  if (existsSync(certificates)) await copyFile(certificates, join(unfinished, certificates));
  await rename(unfinished, root);
  await outputOf("tar", ["-C", root, "-cf", join(folder, "base/root.tar"), "."]);
  await rm(root, { recursive: true });
  await writeFile(join(folder, "base/Containerfile"), `FROM scratch\nADD root.tar /\nENV NODE_EXTRA_CA_CERTS=${certificates}\n`);
  await buildah("bud", "--isolation", "chroot", "-t", baseImage, join(folder, "base"));
}

/**
 * @param {string} name
 * @param {(line: string) => void} log
 * @returns {Promise<MountedImage>}
 */
export async function mountImage(name, log) {
  const { OCIv1 } = JSON.parse(await buildah("inspect", "--type", "image", name));
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", name));
  const container = await buildah("from", "--pull-never", name);
  const root = resolve(await buildah("mount", container));
  const own = await outputOf("du", ["-sm", join(root, "opt/fairway")]);
  log(`The image ${name} holds ${own.split("\t")[0]} MB besides Node.js and its system.`);
  return {
    root,
    config: { ...OCIv1.config, ...Docker.config },
    unmount: async () => {
      await buildah("rm", container);
    },
  };
}
