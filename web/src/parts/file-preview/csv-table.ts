import type { PreviewFile } from "./preview-type.ts";
import { textLimitBytes } from "./preview-type.ts";
import { loadBytes } from "./load-file.ts";

export interface CsvRequest {
  bytes: ArrayBuffer;
  /** Guessed if empty. */
  delimiter: string;
  /** Only the beginning of the file. */
  isPart: boolean;
}

export interface CsvTable {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Columns of the file. */
  columns: number;
  shownColumns: number;
  /** There are more rows. */
  isCut: boolean;
}

/** Reads the file, or the beginning of a large one, and parses it in a worker that ends with the signal. */
export async function loadTable(file: PreviewFile, signal: AbortSignal): Promise<CsvTable> {
  const bytes = await loadBytes(file, signal, { end: Math.min(file.size, textLimitBytes) });
  const worker = new Worker(new URL("csv-worker.ts", import.meta.url), { type: "module" });
  const end = () => worker.terminate();
  signal.addEventListener("abort", end);
  try {
    const answer = await new Promise<CsvTable | { problem: string }>((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<CsvTable | { problem: string }>) => resolve(data));
      worker.addEventListener("error", () => reject(new Error("The file could not be read.")));
      const request: CsvRequest = { bytes, delimiter: /\.tsv$/i.test(file.name) ? "\t" : "", isPart: file.size > textLimitBytes };
      worker.postMessage(request, [bytes]);
    });
    if ("problem" in answer) throw new Error(answer.problem);
    return answer;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** The indexes of the rows in the order of a column: numbers by value, other texts after them by the alphabet, blanks last. */
export function sortedRows(rows: readonly (readonly string[])[], column: number, isDescending: boolean): number[] {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const keys = rows.map((row) => {
    const text = row[column] ?? "";
    return { text, number: text.trim() === "" ? Number.NaN : Number(text) };
  });
  const direction = isDescending ? -1 : 1;
  return [...rows.keys()].toSorted((a, b) => {
    const [left, right] = [keys[a], keys[b]];
    if (!left || !right || (left.text === "" && right.text === "")) return a - b;
    if (left.text === "" || right.text === "") return left.text === "" ? 1 : -1;
    const [leftIsText, rightIsText] = [Number.isNaN(left.number), Number.isNaN(right.number)];
    const order =
      leftIsText === rightIsText ? (leftIsText ? compare(left.text, right.text) : left.number - right.number) : leftIsText ? 1 : -1;
    return direction * order || a - b;
  });
}
