import { type WriteStream, createWriteStream } from "node:fs";

type Options = Parameters<typeof createWriteStream>[1];

/**
 * Opens a file for `write`, and settles as it does, once the file is closed. A pipeline that fails settles earlier: a file that is still
 * being opened would come into being after it was removed.
 */
export async function writeFileStream(path: string, options: Options, write: (output: WriteStream) => Promise<void>): Promise<void> {
  const output = createWriteStream(path, options);
  const closed = new Promise<void>((resolve) => output.once("close", resolve));
  try {
    await write(output);
  } finally {
    output.destroy();
    await closed;
  }
}
