import type { FastifyInstance } from "fastify";
import { countJsonValues } from "#json/json-weight.ts";
import { Refusal } from "./refusal.ts";

/**
 * More than a body of 4 MB needs for anything that the portal offers. `JSON.parse` runs on the event loop and cannot be interrupted:
 * what it takes depends on how many values a text holds far more than on its length. Decision 0123.
 */
const maxValues = 120_000;
/** Parsing takes some milliseconds: others have their turn before the body is checked, and before the next such body. */
const valuesOfOneTurn = 10_000;
/** Between two large bodies the event loop is everyone else's for as long as the last one took, but no longer than this. */
const longestRestMs = 100;

/** Reads JSON bodies, and refuses those that would hold up everyone else. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const inTurn = turns();
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    const values = countJsonValues(bytes);
    if (values > maxValues) {
      done(new Refusal("too-large", `The request body holds more than ${maxValues.toLocaleString("en-US")} values.`));
      return;
    }
    const text = () => bytes.toString("utf8");
    if (values <= valuesOfOneTurn) {
      void parse(request, text(), done);
      return;
    }
    inTurn((end) => {
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
 * Runs work one after the other, with a rest in between. Many large bodies that arrive together would otherwise be read in one go.
 * Decision 0112.
 */
function turns(): (work: (end: () => void) => void) => void {
  const waiting: ((end: () => void) => void)[] = [];
  let isBusy = false;
  const next = (): void => {
    const work = waiting.shift();
    isBusy = work !== undefined;
    if (work === undefined) return;
    const begunMs = performance.now();
    // What checks the body goes on within this turn of the event loop; only then it is known how long all of it took.
    work(() => setImmediate(() => setTimeout(next, Math.min(performance.now() - begunMs, longestRestMs))));
  };
  return (work) => {
    waiting.push(work);
    if (!isBusy) next();
  };
}
