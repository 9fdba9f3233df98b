import { serveFileTask } from "#threads/file-worker-side.ts";
import { UnreadableData } from "#query/engine.ts";
import { CopyTooLarge, type LineFindings, writeTexts } from "./text-copies.ts";

/** The file that a worker writes. */
export interface CopyTarget {
  /** A new file. */
  readonly target: string;
  readonly maxBytes: number;
}

/** `unreadable`: the reason as part of a sentence. */
export type CopyOutcome = { readonly findings: LineFindings } | { readonly unreadable: string } | { readonly isTooLarge: true };

/** Writes the one copy that the worker was started for. Errors lose their classes between threads. */
export function serveCopy(convert: (task: never) => AsyncGenerator<string, LineFindings>): void {
  serveFileTask(async (task: CopyTarget): Promise<CopyOutcome> => {
    try {
      return { findings: await writeTexts(task.target, convert(task as never), task.maxBytes) };
    } catch (error) {
      if (error instanceof UnreadableData) return { unreadable: error.detail };
      if (error instanceof CopyTooLarge) return { isTooLarge: true };
      throw error;
    }
  });
}
