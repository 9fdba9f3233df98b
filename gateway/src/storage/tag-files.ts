import { recordOf } from "@fairway/contract/records";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { unlessMissing } from "./file-errors.ts";
import type { FileKey } from "./key.ts";
import type { FileTags } from "./storage.ts";

const tagsSchema = recordOf(z.string(), z.string());

/** The tags of a disk's files, one small file for each that has any. */
export class TagFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(key: FileKey): Promise<FileTags> {
    const text = await readFile(this.#pathOf(key), "utf8").catch(unlessMissing);
    return text === undefined ? {} : tagsSchema.parse(JSON.parse(text));
  }

  async write(key: FileKey, tags: FileTags): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = join(this.#folder, `${randomUUID()}.unfinished`);
    await writeFile(unfinished, JSON.stringify(tags), { mode: 0o600 });
    await rename(unfinished, this.#pathOf(key));
  }

  async remove(key: FileKey): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  /** A hash, because a key may be longer than a file name. */
  #pathOf(key: FileKey): string {
    return join(this.#folder, createHash("sha256").update(key).digest("hex"));
  }
}
