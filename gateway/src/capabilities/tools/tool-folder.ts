import { compareNames } from "@fairway/contract/name-order";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ToolIndex, toolIndex, toolName } from "@fairway/contract/tools";
import { answerFile } from "#http/file-answer.ts";
import type { FileHeaders, StreamedAnswer } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { systemCode } from "#process/system-code.ts";

type IndexedTool = ToolIndex[number];

/** A folder of tools. Only files that its index names are read. */
export class ToolFolder {
  readonly #folder: string;
  /** By name, sorted by display name. */
  readonly #tools: ReadonlyMap<string, IndexedTool>;

  private constructor(folder: string, tools: ReadonlyMap<string, IndexedTool>) {
    this.#folder = folder;
    this.#tools = tools;
  }

  /** Reads the index. A folder without one has no tools. Throws if the index is not valid. */
  static async open(folder: string): Promise<ToolFolder> {
    const sorted = (await readIndex(folder)).toSorted((one, other) => compareNames(one.display, other.display));
    const tools = new Map(sorted.map((tool) => [toolName(tool.display), tool]));
    if (tools.size < sorted.length) throw new Error(`two tools in ${folder} have the same name in addresses`);
    return new ToolFolder(folder, tools);
  }

  get tools(): readonly (readonly [name: string, tool: IndexedTool])[] {
    return [...this.#tools];
  }

  async guide(name: string): Promise<string> {
    const { guide } = this.#find(name);
    return readFile(join(this.#folder, guide), "utf8");
  }

  async answer(name: string, filename: string, headers: FileHeaders): Promise<StreamedAnswer> {
    const file = this.#find(name).files.find((one) => one.filename === filename);
    if (file === undefined) throw new Refusal("not-found", "This tool has no such file.", { path: "filename" });
    const path = join(this.#folder, file.filename);
    const { size, mtime } = await stat(path);
    return answerFile({ key: file.sha256, name: filename, size, lastModified: mtime }, headers, async (range) => {
      const handle = await open(path);
      const opened = await handle.stat();
      return { key: file.sha256, size: opened.size, lastModified: opened.mtime, content: handle.createReadStream(range) };
    });
  }

  #find(name: string): IndexedTool {
    const found = this.#tools.get(name);
    if (found === undefined) throw new Refusal("not-found", "There is no such tool.", { path: "name" });
    return found;
  }
}

async function readIndex(folder: string): Promise<ToolIndex> {
  const path = join(folder, "index.json");
  try {
    return toolIndex.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return [];
    throw new Error(`${path} is not an index of tools`, { cause });
  }
}
