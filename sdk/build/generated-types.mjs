// @ts-check
import { apiDocument } from "./api.mjs";
import { pythonTypes } from "./python-types.mjs";
import { typescriptTypes } from "./typescript-types.mjs";

/** The types of the clients by their files, which are committed so that the sources can be checked before a build. */
export function generatedTypes() {
  const document = apiDocument();
  return { "sdk/src/client/api.ts": typescriptTypes(document), "sdk/python/fairway/types.py": pythonTypes(document) };
}
