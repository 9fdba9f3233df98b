import { isUtf8 } from "node:buffer";
import { hasStrayProto, holdsNames, protoName } from "@fairway/contract/records";
import type { FastifyInstance } from "fastify";
import { countJsonValues, hasMoreJsonNames } from "#json/json-weight.ts";
import { Turns } from "#turns/turns.ts";
import { Refusal } from "./refusal.ts";

/**
 * More than any valid body of 4 MB needs. `JSON.parse` blocks the event loop, and its duration depends on the number of values
 * far more than on the length. Decision 0123.
 */
const maxValues = 120_000;
/** More different names of fields than any valid body has. Each new one takes V8 as long as some dozens of values. */
const maxNames = 30_000;
/** Larger bodies take some milliseconds to parse, so they are queued, and the event loop is released before validation. */
const maxUnqueuedValues = 10_000;
/** Pause between two queued bodies: as long as the last one took, up to this limit. */
const maxPauseMs = 100;

/**
 * Parses JSON bodies, and refuses those that would block the event loop for long. Large ones are parsed one after another with a
 * pause in between, in turns between callers: otherwise, many that arrive together would be parsed without yielding. Decision 0112.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = bodyReader(app);
  const turns = new Turns(
    { turns: 1, perOwner: 1, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity },
    { subject: "The portal", work: "large bodies" },
  );
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    if (!isUtf8(bytes)) {
      done(new Refusal("malformed-json", "The request body is not in UTF-8."));
      return;
    }
    const values = countJsonValues(bytes);
    if (values > maxValues) {
      done(new Refusal("too-large", `The request body contains more than ${maxValues.toLocaleString("en-US")} values.`));
      return;
    }
    if (values > maxUnqueuedValues && hasMoreJsonNames(bytes, maxNames)) {
      done(new Refusal("too-large", `The request body contains more than ${maxNames.toLocaleString("en-US")} different field names.`));
      return;
    }
    const text = () => bytes.toString("utf8");
    if (values <= maxUnqueuedValues) {
      void parse(request, text(), done);
      return;
    }
    const { turnOwner: { owner } = {} } = request;
    void turns.take({ owner, weight: values / maxUnqueuedValues }).then((turn) => {
      const startMs = performance.now();
      // The body is validated later in this turn of the event loop; setImmediate includes that in the measured time.
      const end = () => setImmediate(() => setTimeout(turn.end, Math.min(performance.now() - startMs, maxPauseMs)));
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
 * Refuses members named `__proto__` and constructors with a prototype, which would change objects that they are assigned to. Where the
 * contract has a record whose names people choose, `__proto__` is a name like any other. Decision 0711.
 */
function bodyReader(app: FastifyInstance): ReturnType<FastifyInstance["getDefaultJsonParser"]> {
  const parseStrictly = app.getDefaultJsonParser("error", "error");
  const parseNames = app.getDefaultJsonParser("ignore", "error");
  const namedBodies = new WeakMap<object, boolean>();
  return (request, text, done) => {
    const schema = request.routeOptions.config.contract?.body;
    if (schema === undefined) return parseStrictly(request, text, done);
    const hasNames = namedBodies.get(schema) ?? holdsNames(schema);
    namedBodies.set(schema, hasNames);
    if (!hasNames) return parseStrictly(request, text, done);
    return parseNames(request, text, (error, body: unknown) => {
      // An escape may hide a part of the name.
      const isSuspicious = error === null && (text.includes(protoName) || text.includes("\\u"));
      if (!isSuspicious || !hasStrayProto(body, schema)) done(error, body);
      else done(new Refusal("malformed-json", "The request body is not valid JSON."));
    });
  };
}
