// @ts-check
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Smaller files do not shrink enough to be worth a second copy. */
const worthItBytes = 1_024;

/**
 * Writes `.br` and `.gz` beside the text files of a folder: compressed once and well, instead of at each request.
 * @param {string} folder
 */
export async function precompress(folder) {
  const names = (await readdir(folder)).filter((name) => /\.(js|mjs|css|svg|json)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      if (content.length < worthItBytes) return;
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
      await Promise.all([
        promisify(brotliCompress)(content, brotli).then((compressed) => writeFile(`${path}.br`, compressed)),
        promisify(gzip)(content, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
      ]);
    }),
  );
}
