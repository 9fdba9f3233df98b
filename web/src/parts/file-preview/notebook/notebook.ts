import { decodeText } from "../text/decode-text.ts";
import { closedJson } from "../json/closed-json.ts";
import { pixelProblem, svgProblem } from "../media/image-problem.ts";
import { loadBytes } from "../load-file.ts";
import { otherLimitBytes, type PreviewFile } from "../preview-type.ts";

/** Blocks of a notebook, one below the other: the source of each cell, and each of its outputs. */
export type NotebookBlock =
  | { kind: "markdown"; text: string }
  | { kind: "raw"; text: string }
  /** `[3]`; null before the cell ran, and where a long source continues. */
  | { kind: "code"; text: string; count: number | null }
  | { kind: "output"; text: string; isError: boolean }
  | { kind: "html"; html: string }
  | { kind: "image"; url: string }
  /** Why an output, or the rest of a cell, isn't shown. */
  | { kind: "leftOut"; text: string };

export interface Notebook {
  blocks: readonly NotebookBlock[];
  cells: number;
  /** Blocks that are left out. */
  hiddenBlocks: number;
  /** As the notebook names it, such as `python`; empty if it does not. */
  language: string;
  /** Such as `Python 3`; empty if the notebook does not name it. */
  kernel: string;
}

const maxBlocks = 20_000;
const maxTextLength = 20_000;
const maxHtmlLength = 200_000;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** Texts are strings or lists of lines. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : "";

/** Reads the file; of one above the limit the complete cells of its beginning. */
export async function loadNotebook(file: PreviewFile, signal: AbortSignal): Promise<Notebook> {
  const isPart = file.size > otherLimitBytes;
  const text = decodeText(await loadBytes(file, signal, { end: Math.min(file.size, otherLimitBytes) }));
  return readNotebook(JSON.parse(isPart ? closedJson(text) : text), isPart);
}

/** Throws if the value is not a notebook: without cells or without metadata, which are usually at the end of the file. */
export function readNotebook(value: unknown, isPart = false): Notebook {
  if (!isObject(value) || !Array.isArray(value["cells"])) throw new Error("The notebook has no cells.");
  if (!isObject(value["metadata"]) && !isPart) throw new Error("The notebook has no metadata.");
  const metadata = objectOf(value["metadata"]);
  const { kernelspec, language_info: language } = metadata;
  const blocks = value["cells"].filter(isObject).flatMap(blocksOf);
  return {
    blocks: blocks.slice(0, maxBlocks),
    cells: value["cells"].length,
    hiddenBlocks: Math.max(0, blocks.length - maxBlocks),
    language: textOf(objectOf(language)["name"]) || textOf(objectOf(kernelspec)["language"]),
    kernel: textOf(objectOf(kernelspec)["display_name"]).slice(0, 100),
  };
}

function blocksOf(cell: Json): NotebookBlock[] {
  const source = textOf(cell["source"]);
  if (cell["cell_type"] === "markdown") return markdownBlocks(source);
  if (cell["cell_type"] !== "code") return pieces(source).map((text) => ({ kind: "raw", text }));
  const count = typeof cell["execution_count"] === "number" ? cell["execution_count"] : null;
  const outputs = Array.isArray(cell["outputs"]) ? cell["outputs"].filter(isObject) : [];
  return [
    ...pieces(source).map((text, index): NotebookBlock => ({ kind: "code", text, count: index === 0 ? count : null })),
    ...joinedStreams(outputs).flatMap(outputBlocks),
  ];
}

function markdownBlocks(text: string): NotebookBlock[] {
  if (text.length <= maxTextLength) return [{ kind: "markdown", text }];
  return [{ kind: "markdown", text: `${text.slice(0, maxTextLength)}\n…` }, leftOut("The rest of the cell is too long to show here.")];
}

const leftOut = (reason: string): NotebookBlock => ({ kind: "leftOut", text: `${reason} Download the file to see it.` });

/** A long text in several blocks, so that only those in view are drawn. They end at line breaks where there are any. */
function pieces(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > maxTextLength) {
    const lineBreak = text.lastIndexOf("\n", start + maxTextLength - 1);
    const end = lineBreak > start ? lineBreak + 1 : start + maxTextLength;
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}

/** Kernels send a stream in as many outputs as the program writes lines. */
function joinedStreams(outputs: readonly Json[]): Json[] {
  const joined: Json[] = [];
  let texts: string[] = [];
  for (const output of outputs) {
    const last = joined.at(-1);
    if (output["output_type"] !== "stream") joined.push(output);
    else if (last?.["output_type"] === "stream" && last["name"] === output["name"]) texts.push(textOf(output["text"]));
    else {
      texts = [textOf(output["text"])];
      joined.push({ ...output, text: texts });
    }
  }
  return joined;
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** Several images are in view at once, each of which takes 4 bytes per pixel. */
const maxPixels = 25_000_000;
const ansiColors = new RegExp(String.raw`${String.fromCodePoint(27)}\[[\d;]*m`, "g");

function outputBlocks(output: Json): NotebookBlock[] {
  const texts = (text: string, isError: boolean): NotebookBlock[] =>
    text === "" ? [] : pieces(text.replaceAll(ansiColors, "")).map((piece) => ({ kind: "output", text: piece, isError }));
  if (output["output_type"] === "error") {
    const trace = textOf(Array.isArray(output["traceback"]) ? output["traceback"].map((line) => `${String(line)}\n`) : "");
    return texts(trace || `${textOf(output["ename"])}: ${textOf(output["evalue"])}`, true);
  }
  if (output["output_type"] === "stream") return texts(textOf(output["text"]), output["name"] === "stderr");
  const data = objectOf(output["data"]);
  for (const type of imageTypes) {
    const base64 = textOf(data[type]).replaceAll(/\s/g, "");
    if (base64 === "" || !/^[A-Za-z\d+/]+=*$/.test(base64)) continue;
    const problem = pixelProblem(bytesOf(base64), maxPixels);
    return problem === null ? [{ kind: "image", url: `data:${type};base64,${base64}` }] : [leftOut(problem)];
  }
  // As an image it runs no script and loads nothing.
  const svg = textOf(data["image/svg+xml"]);
  if (svg !== "") {
    const problem = svgProblem(svg);
    return problem === null ? [{ kind: "image", url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` }] : [leftOut(problem)];
  }
  const html = textOf(data["text/html"]);
  if (html !== "" && html.length <= maxHtmlLength) return [{ kind: "html", html }];
  const plain = texts(textOf(data["text/plain"]), false);
  return html === "" || plain.length > 0 ? plain : [leftOut("The output is too long to show here.")];
}

/** No bytes for text that only looks like base64. */
function bytesOf(base64: string): ArrayBuffer {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
  } catch (error) {
    if (error instanceof DOMException) return new ArrayBuffer(0);
    throw error;
  }
}
