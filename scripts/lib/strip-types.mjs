// @ts-check
import { Failure } from "./failure.mjs";

/**
 * JavaScript of a TypeScript source, one file by itself, with relative imports of `.js`. Types are not checked. Throws Failure for a
 * source that cannot be read.
 * @param {string} file named by errors and by the source map
 * @param {string} text
 * @param {{ sourcemap: boolean }} options
 * @returns {Promise<Pick<import("rolldown/utils").TransformResult, "code" | "map">>}
 */
export async function stripTypes(file, text, { sourcemap }) {
  // Packages may have been installed after this file was loaded.
  const { transform } = await import("rolldown/utils");
  const options = { sourcemap, tsconfig: false, typescript: { rewriteImportExtensions: /** @type {const} */ ("rewrite") } };
  const { code, map, errors } = await transform(file, text, options);
  if (errors[0] !== undefined) throw new Failure(`Compiling ${file} failed: ${errors[0].message}`);
  return { code, map };
}
