import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { countJsonValues } from "#json/json-weight.ts";
import { Refusal } from "./refusal.ts";

/**
 * More than any valid body of 4 MB needs. `JSON.parse` blocks the event loop, and its duration depends on the number of values
 * far more than on the length. Decision 0123.
 */
const maxValues = 120_000;
/** Larger bodies take some milliseconds to parse, so they are queued, and the event loop is released before validation. */
const maxUnqueuedValues = 10_000;
/** Pause between two queued bodies: as long as the last one took, up to this limit. */
const maxPauseMs = 100;

/** Parses JSON bodies, and refuses those that would block the event loop for long. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const enqueue = createQueue();
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    if (!isUtf8(bytes)) {
      done(new Refusal("malformed-json", "The request body is not in UTF-8."));
      return;
    }
    const values = countJsonValues(bytes);
    if (values > maxValues) {
      done(new Refusal("too-large", `The request body holds more than ${maxValues.toLocaleString("en-US")} values.`));
      return;
    }
    const text = () => bytes.toString("utf8");
    if (values <= maxUnqueuedValues) {
      void parse(request, text(), done);
      return;
    }
    enqueue((end) => {
      void parse(request, text(), (error, body: unknown) => {
        setImmediate(() => {
          try {
            done(error, body);
          } finally {
            end();
          }
        });
      });
    });
  });
}

/**
 * Runs tasks one after another with a pause in between. Otherwise, many large bodies that arrive together would be parsed
 * without yielding. Decision 0112.
 */
function createQueue(): (work: (end: () => void) => void) => void {
  const waiting: ((end: () => void) => void)[] = [];
  let isBusy = false;
  const next = (): void => {
    const work = waiting.shift();
    isBusy = work !== undefined;
    if (work === undefined) return;
    const startMs = performance.now();
    // The body is validated later in this turn of the event loop; setImmediate includes that in the measured time.
    work(() => setImmediate(() => setTimeout(next, Math.min(performance.now() - startMs, maxPauseMs))));
  };
  return (work) => {
    waiting.push(work);
    if (!isBusy) next();
  };
}
