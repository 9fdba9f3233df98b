import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { fileTypeOf } from "@fairway/contract/file-types";
import { ZipFile } from "yazl";
import { FileMissing } from "#storage/storage.ts";

/** A file of a zip, or why it is left out. */
export type ZipPart =
  | { readonly path: string; readonly lastModified: Date; readonly open: () => Promise<Readable> }
  | { readonly path: string; readonly omitted: string };

const manifestName = "MANIFEST.txt";
/** Other files are usually compressed already. */
const compressible = /^text\/|json|xml|yaml/;

/**
 * A zip that is read as fast as it is sent: one file is open at a time, and nothing is kept in memory. A file that fails
 * while it is read destroys the stream, so that no caller takes the rest for the whole. Ends with a manifest.
 */
export function zipStream(parts: AsyncIterable<ZipPart>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const closed = new AbortController();
  output.once("close", () => closed.abort());
  zip.on("error", (error: Error) => output.destroy(error));

  const add = async (part: ZipPart): Promise<string | undefined> => {
    if ("omitted" in part) return part.omitted;
    const content = await part.open().catch((error: unknown) => {
      if (error instanceof FileMissing) return undefined;
      throw error;
    });
    if (content === undefined) return "It was deleted meanwhile.";
    const { mediaType } = fileTypeOf(part.path);
    zip.addReadStream(content, part.path, { mtime: part.lastModified, compress: compressible.test(mediaType) });
    try {
      await finished(content, { writable: false, signal: closed.signal });
    } finally {
      content.destroy();
    }
    return undefined;
  };

  const write = async (): Promise<void> => {
    const omitted: string[] = [];
    let files = 0;
    for await (const part of parts) {
      const reason = await add(part);
      if (reason === undefined) files += 1;
      else omitted.push(`${part.path}\t${reason}`);
    }
    zip.addBuffer(Buffer.from(manifestOf(files, omitted)), manifestName);
    zip.end();
  };
  write().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
}

function manifestOf(files: number, omitted: readonly string[]): string {
  const head = `Files in this zip: ${files}\nFiles left out: ${omitted.length}\n`;
  return omitted.length === 0 ? head : `${head}\n${omitted.join("\n")}\n`;
}
