import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { namingFullDisk } from "#query/full-disk.ts";
import type { ArrowPart } from "./ipc-stream.ts";

/** Writes a stream to a new file, part by part. Resolves to the number of rows. Rejects with EngineFailed if the disk is full. */
export const writeArrowFile = (file: string, parts: AsyncIterable<ArrowPart>, onRows: (rows: number) => void): Promise<number> =>
  namingFullDisk(async () => {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, "wx", 0o600);
    try {
      let written = 0;
      for await (const { bytes, rows } of parts) {
        await handle.writeFile(bytes);
        written += rows;
        onRows(written);
      }
      return written;
    } finally {
      await handle.close();
    }
  });
