import { once } from "node:events";

/** Output of a command, and the signal that interrupts it. */
export interface Terminal {
  /** Results. */
  write(text: string | Uint8Array): Promise<void>;
  /** Remarks about the results, on stderr. */
  note(text: string): void;
  /** Replaces the line of progress; nothing unless stderr is a terminal. */
  progress(text: string): void;
  readonly signal: AbortSignal;
}

/** A name or cell without what a terminal would obey. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}|\p{Cf}/gu, "\u{fffd}");

export function processTerminal(): Terminal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort(new Error("Interrupted.")));
  // The reader, such as `head`, has enough.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  let isLineOpen = false;
  const clear = () => {
    if (isLineOpen) process.stderr.write("\r\u001b[K");
    isLineOpen = false;
  };
  return {
    signal: controller.signal,
    write: async (text) => {
      clear();
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    },
    note: (text) => {
      clear();
      process.stderr.write(`${text}\n`);
    },
    progress: (text) => {
      if (!process.stderr.isTTY) return;
      clear();
      process.stderr.write(printable(text).slice(0, process.stderr.columns - 1));
      isLineOpen = true;
    },
  };
}
