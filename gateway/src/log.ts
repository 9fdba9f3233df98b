import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { hideSecrets } from "#log-secrets.ts";
import { systemCode } from "#system-code.ts";

const rotateBytes = 10_000_000;

/** Paths without their query: signatures and search terms travel there. */
function request(incoming: { method: string; url: string; ip?: string; remoteAddress?: string }): object {
  return { method: incoming.method, path: incoming.url.split("?")[0], address: incoming.ip };
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
  readonly cause: unknown;
}

/** What helps to find the fault. Drivers hang whole connections and rows' values on their errors; those stay out. */
function failure(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause ?? (error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined);
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code: "code" in error ? error.code : undefined,
    cause: cause === undefined ? undefined : failure(cause),
  };
}

export interface PortalLog {
  readonly log: Logger;
  /** Where to look; undefined: on stdout. */
  readonly file: string | undefined;
  /** Brings what is still in memory to its place. */
  readonly flush: () => void;
}

/** JSON lines: to stdout in production, in demo mode to a file, so that the terminal stays readable. */
export function openLog(config: { demo: boolean; home: string; logLevel: string }): PortalLog {
  const file = config.demo ? join(config.home, "logs/fairway.log") : undefined;
  if (file !== undefined) {
    mkdirSync(join(config.home, "logs"), { recursive: true, mode: 0o700 });
    rotate(file);
  }
  // Gathered for a moment: a write of its own for each line costs more than the line.
  const destination = pino.destination({ dest: file ?? 1, mode: 0o600, sync: false, minLength: 8_192, periodicFlush: 100 });
  // A full disk or a closed pipe must not take the portal down: it goes on without a log.
  destination.on("error", () => undefined);
  const log = pino(
    {
      level: config.logLevel,
      // Not pino's own `redact`: with names at any depth it costs more than the rest of a small call.
      formatters: { log: hideSecrets },
      serializers: { req: request, err: failure },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
  // pino does not ask the formatter of bindings for those of a child; children find this in their prototype.
  const makeChild = Reflect.get<Logger, "child">(log, "child");
  log.child = function child(bindings, options) {
    return makeChild.call(this, hideSecrets(bindings), options) as never;
  };
  return { log, file, flush: () => flush(destination) };
}

function flush(destination: { flushSync(): void }): void {
  try {
    destination.flushSync();
  } catch {
    // Not open yet, or no longer: there is nothing to bring anywhere.
  }
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > rotateBytes) renameSync(file, `${file}.1`);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
