import type { FastifyInstance } from "fastify";
import { countJsonValues } from "#json/json-weight.ts";
import { Refusal } from "./refusal.ts";

/**
 * More than a body of 4 MB needs for anything that the portal offers. `JSON.parse` runs on the event loop and cannot be interrupted:
 * what it takes depends on how many values a text holds far more than on its length.
 */
const mostValues = 120_000;
/** Parsing takes some milliseconds: others have their turn before the body is checked. */
const valuesOfOneTurn = 10_000;

/** Reads JSON bodies, and refuses those that would hold up everyone else. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    const values = countJsonValues(bytes);
    if (values > mostValues) {
      done(new Refusal("too-large", `The request body holds more than ${mostValues.toLocaleString("en-US")} values.`));
      return;
    }
    void parse(request, bytes.toString("utf8"), (error, body: unknown) => {
      if (values > valuesOfOneTurn) setImmediate(done, error, body);
      else done(error, body);
    });
  });
}
