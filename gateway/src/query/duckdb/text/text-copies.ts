import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { EngineFailed } from "#query/engine.ts";
import { systemCode } from "#system-code.ts";

const noted = z.object({
  count: z.int(),
  /** The line of the first one. */
  line: z.int(),
  reason: z.string(),
});

/** What was found wrong with the lines of a text file. */
export const lineFindings = z.object({
  /** Lines or records that hold data, readable or not. */
  lines: z.int(),
  unreadable: noted.nullable(),
  short: noted.nullable(),
  comments: noted.nullable(),
  recoded: noted.nullable(),
  longestLine: z.int(),
});
export type LineFindings = z.infer<typeof lineFindings>;

export interface TextCopy {
  readonly path: string;
  readonly findings: LineFindings;
}

/** Version of what the copies hold; older ones are written anew. */
const version = 1;

/**
 * Clean UTF-8 copies of text files that the engine cannot read as they lie in the data folder. A copy belongs to one state of its file; what
 * has not been used for longest makes room.
 */
export class TextCopies {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #underWay = new Map<string, Promise<TextCopy>>();

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** `convert` yields the copy's text and answers what it found. Concurrent calls for one state share a conversion. */
  async of(file: string, state: string, ending: string, convert: () => AsyncGenerator<string, LineFindings>): Promise<TextCopy> {
    const key = createHash("sha256")
      .update(JSON.stringify([version, file, state]))
      .digest("hex")
      .slice(0, 32);
    const target = path.join(this.#folder, `${key}.${ending}`);
    const underWay = this.#underWay.get(target);
    if (underWay !== undefined) return underWay;
    const copy = this.#open(target, convert).finally(() => this.#underWay.delete(target));
    this.#underWay.set(target, copy);
    return copy;
  }

  async #open(target: string, convert: () => AsyncGenerator<string, LineFindings>): Promise<TextCopy> {
    const known = await existing(target);
    if (known !== undefined) return { path: target, findings: known };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const part = `${target}.${randomUUID()}.part`;
    try {
      const findings = await this.#write(part, convert);
      await writeFile(`${part}.json`, JSON.stringify(findings), { mode: 0o600 });
      // The findings last: a copy counts once they are there.
      await rename(part, target);
      await rename(`${part}.json`, `${target}.json`);
      await this.#makeRoom(target);
      return { path: target, findings };
    } catch (error) {
      await Promise.all([rm(part, { force: true }), rm(`${part}.json`, { force: true })]);
      throw error;
    }
  }

  async #write(part: string, convert: () => AsyncGenerator<string, LineFindings>): Promise<LineFindings> {
    const conversion = convert();
    let findings: LineFindings | undefined;
    let written = 0;
    const maxBytes = this.#maxBytes;
    async function* texts() {
      for (;;) {
        const { value, done } = await conversion.next();
        if (done === true) {
          findings = value;
          return;
        }
        written += Buffer.byteLength(value);
        if (written > maxBytes) {
          throw new EngineFailed(
            "failed",
            "The file needs a converted copy, which would be larger than the setting 'convertedFilesBytes' allows.",
          );
        }
        yield value;
      }
    }
    await pipeline(texts, createWriteStream(part, { flags: "wx", mode: 0o600 }));
    if (findings === undefined) throw new Error("a conversion ended without its findings");
    return findings;
  }

  /** Removes the copies that were used least recently until the others fit. */
  async #makeRoom(keep: string): Promise<void> {
    const names = await readdir(this.#folder);
    const copies = await Promise.all(
      names
        .filter((name) => !name.endsWith(".json") && !name.endsWith(".part"))
        .map(async (name) => {
          const file = path.join(this.#folder, name);
          const found = await statIfThere(file);
          return found === undefined ? [] : [{ file, bytes: found.size, usedMs: found.mtimeMs }];
        }),
    );
    let room = this.#maxBytes;
    for (const { file, bytes } of copies.flat().toSorted((a, b) => (a.file === keep ? -1 : b.file === keep ? 1 : b.usedMs - a.usedMs))) {
      room -= bytes;
      if (room < 0) await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
    }
  }
}

/** What a copy that is there was found to be; its time of change notes its last use. */
async function existing(target: string): Promise<LineFindings | undefined> {
  if ((await statIfThere(target)) === undefined) return undefined;
  try {
    const findings = lineFindings.parse(JSON.parse(await readFile(`${target}.json`, "utf8")));
    const now = new Date();
    await utimes(target, now, now);
    return findings;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

export async function statIfThere(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => systemCode(error) === "ENOENT";

/** Counts what goes wrong in a file, and keeps the first of each kind. */
export class Findings {
  lines = 0;
  longestLine = 0;
  readonly #noted = new Map<string, z.infer<typeof noted>>();

  note(kind: "unreadable" | "short" | "comments" | "recoded", line: number, reason = ""): void {
    const known = this.#noted.get(kind);
    if (known === undefined) this.#noted.set(kind, { count: 1, line, reason });
    else known.count += 1;
  }

  get all(): LineFindings {
    const of = (kind: string) => this.#noted.get(kind) ?? null;
    return {
      lines: this.lines,
      unreadable: of("unreadable"),
      short: of("short"),
      comments: of("comments"),
      recoded: of("recoded"),
      longestLine: this.longestLine,
    };
  }
}
