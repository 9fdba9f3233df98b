// @ts-check
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Compressing smaller files is not worthwhile. */
const minBytes = 1_024;

/**
 * Writes `.br` and `.gz` copies of the text files in a folder, so that they are compressed once instead of for each request.
 * @param {string} folder
 */
export async function precompress(folder) {
  const names = (await readdir(folder)).filter((name) => /\.(js|mjs|css|svg|json)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (content.length < minBytes) return;
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
      await Promise.all([
        promisify(brotliCompress)(content, brotli).then((compressed) => writeFile(`${path}.br`, compressed)),
        promisify(gzip)(content, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
      ]);
    }),
  );
}
