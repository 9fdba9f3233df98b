import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { fileTypeOf } from "@fairway/contract/file-types";
import { ZipFile } from "yazl";
import { FileMissing } from "#storage/storage.ts";

/** A file of a zip, or why it is left out. */
export type ZipPart =
  | { readonly path: string; readonly lastModified: Date; readonly open: () => Promise<Readable> }
  | { readonly path: string; readonly omitted: string };

/** Beyond these, the manifest only says how many files were left out: a folder may hold millions. */
const maxOmittedLines = 10_000;
/** Zips cannot hold such names, because Windows reads them as drives. */
const driveName = /^[a-z]:/i;
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

  /** Resolves with the reason if the file is left out. */
  const add = async (part: ZipPart): Promise<string | undefined> => {
    if ("omitted" in part) return part.omitted;
    if (driveName.test(part.path)) return "A zip cannot contain this name.";
    const content = await part.open().catch((error: unknown) => {
      if (error instanceof FileMissing) return undefined;
      throw error;
    });
    if (content === undefined) return "It was deleted in the meantime.";
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
    const manifest = new Manifest();
    for await (const part of parts) manifest.count(part.path, await add(part));
    zip.addBuffer(Buffer.from(manifest.text()), manifest.name());
    zip.end();
  };
  write().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
}

/** Says what a zip contains, and what it does not. */
class Manifest {
  readonly #omitted: string[] = [];
  /** Names that the manifest cannot have. */
  readonly #taken = new Set<string>();
  #files = 0;
  #omittedFiles = 0;

  count(path: string, omittedBecause: string | undefined): void {
    if (omittedBecause === undefined) {
      this.#files += 1;
      if (/^manifest[^/]*$/i.test(path)) this.#taken.add(path.toLowerCase());
      return;
    }
    this.#omittedFiles += 1;
    // A line break in a name must not begin another line.
    if (this.#omitted.length < maxOmittedLines) this.#omitted.push(`${path.replaceAll(/\p{Cc}/gu, "\ufffd")}\t${omittedBecause}`);
  }

  name(): string {
    let name = "MANIFEST.txt";
    for (let number = 2; this.#taken.has(name.toLowerCase()); number += 1) name = `MANIFEST-${number}.txt`;
    return name;
  }

  text(): string {
    const more = this.#omittedFiles - this.#omitted.length;
    const lines = more === 0 ? this.#omitted : [...this.#omitted, `and ${more.toLocaleString("en-US")} more`];
    return [
      `Files in this zip: ${this.#files}`,
      `Files left out: ${this.#omittedFiles}`,
      ...(lines.length === 0 ? [] : ["", ...lines]),
      "",
    ].join("\n");
  }
}
