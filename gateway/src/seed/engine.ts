import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Sources } from "@fairway/contract/recipes";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** Runs `work` with a separate engine, because the one that serves searches may neither read the sources nor write. */
export async function withSeedEngine(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false", autoload_known_extensions: "false" });
  try {
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    await work(connection);
  } finally {
    instance.closeSync();
  }
}

/** Replaces each `{name}` of the SQL by the quoted path of that source. `owner` is named if there is none. */
export function withPaths(select: string, sources: Sources, owner: string): string {
  return select.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const path = sources[name];
    if (path === undefined) throw new Error(`the recipe of ${owner} has no source '${name}'`);
    return quoted(path);
  });
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Depends on the texts and on the sizes of the sources; reading the sources would slow down every start. */
export async function fingerprint(texts: readonly string[], sources: Sources): Promise<string> {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  for (const [name, path] of Object.entries(sources)) {
    const { size } = await stat(path);
    hash.update(`\n${name} ${size}`);
  }
  return hash.digest("hex");
}
