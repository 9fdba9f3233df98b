// @ts-check
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMissing } from "../../scripts/lib/failure.mjs";
import { apiDocument } from "./api.mjs";
import { pythonTypes } from "./python-types.mjs";
import { typescriptTypes } from "./typescript-types.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Writes the types of the clients beside their sources, where Git ignores them. The contract is compiled before. */
export async function writeGeneratedTypes() {
  const document = apiDocument();
  await Promise.all([
    writeIfChanged("sdk/src/client/api.ts", typescriptTypes(document)),
    writeIfChanged("sdk/python/fairway/types.py", pythonTypes(document)),
  ]);
}

/** @param {string} path @param {string} text */
async function writeIfChanged(path, text) {
  const file = join(root, path);
  const before = await readFile(file, "utf8").catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (before !== text) await writeFile(file, text);
}
