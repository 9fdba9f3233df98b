import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { EngineFailed } from "#query/engine.ts";
import { systemCode } from "#process/system-code.ts";
import { writeFileStream } from "#process/write-file.ts";
import { sheetFacts } from "../sheets/sheet-facts.ts";

const finding = z.object({
  count: z.int(),
  /** The line of the first one. */
  line: z.int(),
  reason: z.string(),
});

/** Problems found in the lines of a text file, and the first of the unreadable ones. */
export const lineFindings = z.object({
  /** Data lines or records, readable or not. */
  lines: z.int(),
  unreadable: finding.nullable(),
  /** The first unreadable lines with their texts. */
  unreadableLines: z.array(z.object({ line: z.int(), text: z.string(), reason: z.string() })),
  short: finding.nullable(),
  comments: finding.nullable(),
  recoded: finding.nullable(),
  longestLine: z.int(),
  /** Of JSON files. */
  json: z
    .object({
      /** The keys as they are in the file, in the order in which they occur. */
      headers: z.array(z.string()),
      /** How often each is a number, a text, true or false, or an object or a list. */
      kinds: z.array(z.object({ numbers: z.int(), texts: z.int(), booleans: z.int(), nested: z.int() })),
      path: z.string(),
      paths: z.array(z.object({ path: z.string(), rows: z.int() })),
      repeatedKeys: finding.nullable(),
      halfCharacters: finding.nullable(),
      /** Whether the file ends where its document does. */
      isWhole: z.boolean(),
      /** Of GeoJSON; null of other files. */
      geo: z.object({ crs: z.string().nullable() }).nullable(),
    })
    .optional(),
  /** Of workbooks, whose rows are kept as those of JSON files. */
  sheet: sheetFacts.optional(),
});
export type LineFindings = z.infer<typeof lineFindings>;

export interface TextCopy {
  readonly path: string;
  readonly findings: LineFindings;
}

/** Format version of the copies; older ones are rewritten. */
const version = 5;

/**
 * Clean UTF-8 copies of text files that the engine cannot read directly. Each copy belongs to one state of its file; the least
 * recently used ones are evicted.
 */
export class TextCopies {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #pending = new Map<string, Promise<TextCopy>>();

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Removes what a process that was killed has left. Call it before there are copies in the making. */
  async removeUnfinished(): Promise<void> {
    const unfinished = (await readdir(this.#folder)).filter((name) => /\.part(?:\.json)?$/.test(name));
    await Promise.all(unfinished.map((name) => rm(path.join(this.#folder, name), { force: true })));
  }

  /** `convert` yields the copy's text and returns its findings. Concurrent calls for the same state share one conversion. */
  get(file: string, state: string, ending: string, convert: () => AsyncGenerator<string, LineFindings>): Promise<TextCopy> {
    return this.write(file, state, ending, (part, maxBytes) => writeTexts(part, convert(), maxBytes));
  }

  /** The same of a copy that `make` writes to a new file by itself. */
  async write(
    file: string,
    state: string,
    ending: string,
    make: (part: string, maxBytes: number) => Promise<LineFindings>,
  ): Promise<TextCopy> {
    const key = createHash("sha256")
      .update(JSON.stringify([version, file, state]))
      .digest("hex")
      .slice(0, 32);
    const target = path.join(this.#folder, `${key}.${ending}`);
    const pending = this.#pending.get(target);
    if (pending !== undefined) return pending;
    const copy = this.#open(target, make).finally(() => this.#pending.delete(target));
    this.#pending.set(target, copy);
    return copy;
  }

  async #open(target: string, make: (part: string, maxBytes: number) => Promise<LineFindings>): Promise<TextCopy> {
    const known = await openExisting(target);
    if (known !== undefined) return { path: target, findings: known };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const part = `${target}.${randomUUID()}.part`;
    try {
      const findings = await make(part, this.#maxBytes);
      await writeFile(`${part}.json`, JSON.stringify(findings), { mode: 0o600 });
      // Findings are moved last: a copy is valid only once they exist.
      await rename(part, target);
      await rename(`${part}.json`, `${target}.json`);
      await this.#evict(target);
      return { path: target, findings };
    } catch (error) {
      await Promise.all([rm(part, { force: true }), rm(`${part}.json`, { force: true })]);
      throw error;
    }
  }

  /** Removes the least recently used copies until the others fit. */
  async #evict(keep: string): Promise<void> {
    const names = await readdir(this.#folder);
    const copies = await Promise.all(
      names
        .filter((name) => !name.endsWith(".json") && !name.endsWith(".part"))
        .map(async (name) => {
          const file = path.join(this.#folder, name);
          const found = await statIfExists(file);
          return found === undefined ? [] : [{ file, bytes: found.size, usedMs: found.mtimeMs }];
        }),
    );
    let remainingBytes = this.#maxBytes;
    for (const { file, bytes } of copies.flat().toSorted((a, b) => (a.file === keep ? -1 : b.file === keep ? 1 : b.usedMs - a.usedMs))) {
      remainingBytes -= bytes;
      if (remainingBytes < 0) await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
    }
  }
}

export class CopyTooLarge extends EngineFailed {
  constructor() {
    super("failed", "The file needs a converted copy, which would be larger than the setting 'convertedFilesBytes' allows.");
  }
}

/** Writes the texts of a conversion to a new file, up to a size. */
export async function writeTexts(part: string, conversion: AsyncGenerator<string, LineFindings>, maxBytes: number): Promise<LineFindings> {
  let findings: LineFindings | undefined;
  let written = 0;
  async function* texts() {
    for (;;) {
      const { value, done } = await conversion.next();
      if (done === true) {
        findings = value;
        return;
      }
      written += Buffer.byteLength(value);
      if (written > maxBytes) throw new CopyTooLarge();
      if (value !== "") yield value;
    }
  }
  await writeFileStream(part, { flags: "wx", mode: 0o600 }, (output) => pipeline(texts, output));
  if (findings === undefined) throw new Error("a conversion ended without its findings");
  return findings;
}

/** The findings of an existing copy, whose mtime is updated to record its last use. */
async function openExisting(target: string): Promise<LineFindings | undefined> {
  if ((await statIfExists(target)) === undefined) return undefined;
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

export async function statIfExists(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => systemCode(error) === "ENOENT";

const maxShownLines = 5;

type FindingKind = "unreadable" | "short" | "comments" | "recoded" | "repeatedKeys" | "halfCharacters";

/** Counts the problems of a file and keeps the first of each kind. */
export class Findings {
  lines = 0;
  longestLine = 0;
  readonly #findings = new Map<FindingKind, z.infer<typeof finding>>();
  readonly #lines: LineFindings["unreadableLines"] = [];

  add(kind: FindingKind, line: number, reason = "", text = ""): void {
    const known = this.#findings.get(kind);
    if (kind === "unreadable" && this.#lines.length < maxShownLines) this.#lines.push({ line, text: text.slice(0, 200), reason });
    if (known === undefined) this.#findings.set(kind, { count: 1, line, reason });
    else known.count += 1;
  }

  of(kind: FindingKind): z.infer<typeof finding> | null {
    return this.#findings.get(kind) ?? null;
  }

  get all(): LineFindings {
    const get = (kind: FindingKind) => this.of(kind);
    return {
      lines: this.lines,
      unreadable: get("unreadable"),
      unreadableLines: this.#lines,
      short: get("short"),
      comments: get("comments"),
      recoded: get("recoded"),
      longestLine: this.longestLine,
    };
  }
}
