import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { CellValue } from "@fairway/contract/search";
import { namingFullDisk } from "#query/full-disk.ts";

export type Row = readonly CellValue[];

/** Rows in a file, as lines of JSON: any number of them, of which few are in memory. */
export class KeptRows {
  readonly #file: FileHandle;
  count = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Keeps the rows that `work` adds in a new file of this folder, which stays behind. */
  static async open<T>(folder: string, work: (rows: KeptRows) => Promise<T>): Promise<T> {
    return namingFullDisk(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(path.join(folder, "groups.jsonl"), "wx+", 0o600);
      try {
        return await work(new KeptRows(file));
      } finally {
        await file.close();
      }
    });
  }

  async add(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#file.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    this.count += rows.length;
  }

  /** In the order in which they were added. Not split by readline, for which texts may hold ends of lines. */
  async *pages(): AsyncGenerator<readonly Row[]> {
    let rest = "";
    for await (const text of this.#file.createReadStream({ start: 0, autoClose: false, encoding: "utf8" }) as AsyncIterable<string>) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Row);
    }
  }
}
