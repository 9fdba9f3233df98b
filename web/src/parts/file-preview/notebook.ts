import { decodeText } from "./decode-text.ts";
import { loadBytes } from "./load-file.ts";
import type { PreviewFile } from "./preview-type.ts";

export type NotebookOutput =
  | { kind: "text"; text: string; isError: boolean }
  | { kind: "html"; html: string }
  | { kind: "image"; url: string };

export interface NotebookCell {
  kind: "markdown" | "code" | "raw";
  source: string;
  /** `[3]`; null before the cell ran, and for texts. */
  count: number | null;
  outputs: readonly NotebookOutput[];
  /** Outputs that are left out. */
  hiddenOutputs: number;
}

export interface Notebook {
  cells: readonly NotebookCell[];
  hiddenCells: number;
}

const maxCells = 1_000;
const maxOutputs = 50;
const maxTextLength = 20_000;
const maxHtmlLength = 200_000;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Texts are strings or lists of lines. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : "";

const cut = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}\n…` : text);

export async function loadNotebook(file: PreviewFile, signal: AbortSignal): Promise<Notebook> {
  return readNotebook(JSON.parse(decodeText(await loadBytes(file, signal))));
}

/** Throws if the value is not a notebook: without cells or without metadata. */
export function readNotebook(value: unknown): Notebook {
  if (!isObject(value) || !Array.isArray(value["cells"])) throw new Error("The notebook has no cells.");
  if (!isObject(value["metadata"])) throw new Error("The notebook has no metadata.");
  const cells: readonly unknown[] = value["cells"];
  return { cells: cells.slice(0, maxCells).filter(isObject).map(cellOf), hiddenCells: Math.max(0, cells.length - maxCells) };
}

function cellOf(cell: Json): NotebookCell {
  const type = cell["cell_type"];
  const outputs = Array.isArray(cell["outputs"]) ? cell["outputs"].filter(isObject) : [];
  return {
    kind: type === "markdown" || type === "code" ? type : "raw",
    source: cut(textOf(cell["source"])),
    count: typeof cell["execution_count"] === "number" ? cell["execution_count"] : null,
    outputs: outputs.slice(0, maxOutputs).map(outputOf),
    hiddenOutputs: Math.max(0, outputs.length - maxOutputs),
  };
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
const ansiColors = new RegExp(String.raw`${String.fromCodePoint(27)}\[[\d;]*m`, "g");

function outputOf(output: Json): NotebookOutput {
  if (output["output_type"] === "error") {
    const trace = textOf(Array.isArray(output["traceback"]) ? output["traceback"].map((line) => `${String(line)}\n`) : "");
    return {
      kind: "text",
      text: cut(trace.replaceAll(ansiColors, "") || `${textOf(output["ename"])}: ${textOf(output["evalue"])}`),
      isError: true,
    };
  }
  if (output["output_type"] === "stream") return { kind: "text", text: cut(textOf(output["text"])), isError: output["name"] === "stderr" };
  const data = isObject(output["data"]) ? output["data"] : {};
  for (const type of imageTypes) {
    const base64 = textOf(data[type]).replaceAll(/\s/g, "");
    if (base64 !== "" && /^[A-Za-z\d+/]+=*$/.test(base64)) return { kind: "image", url: `data:${type};base64,${base64}` };
  }
  const html = textOf(data["text/html"]);
  if (html !== "" && html.length <= maxHtmlLength) return { kind: "html", html };
  return { kind: "text", text: cut(textOf(data["text/plain"])), isError: false };
}
