/** File name to address, in the folder of the library. Their names get a hash in the build. */
const addresses: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    ...import.meta.glob<string>("../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap", { eager: true, query: "?url", import: "default" }),
    ...import.meta.glob<string>("../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}", {
      eager: true,
      query: "?url",
      import: "default",
    }),
    ...import.meta.glob<string>("../../../../../node_modules/pdfjs-dist/wasm/openjpeg_nowasm_fallback.js", {
      eager: true,
      query: "?url",
      import: "default",
    }),
  }).map(([path, address]) => [path.slice(path.lastIndexOf("/") + 1), address]),
);

/** Fetches what documents name but do not contain: character maps of East Asian texts and symbol fonts. */
export class PdfDataFiles {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const address = addresses[filename];
    if (address === undefined) throw new Error(`${filename} is not one of our files.`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`The server answered ${response.status} for ${address}.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/**
 * Folder of the library's decoder of JPEG 2000, which it loads only for such pictures. It appends the name of the file, which has another
 * name in the build: here, that becomes a fragment. It requires the slash at the end.
 */
export const decoderFolder = `${addresses["openjpeg_nowasm_fallback.js"] ?? ""}#/`;
