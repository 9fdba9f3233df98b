/** Reads and decodes PDF files outside the page's thread. */
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { leftOutPicture } from "./pdf-left-out.ts";
import { boundArrays } from "./pdf-memory.ts";

boundArrays(self);

// The library leaves out a picture that it cannot decode, and reports it by a warning alone.
/* oxlint-disable no-console */
const warn = console.warn.bind(console);
console.warn = (...messages: unknown[]) => {
  const found = leftOutPicture(messages.map(String).join(" "));
  if (found === null) return;
  warn(...messages);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target origin
  self.postMessage(found);
};
