import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { hideSecrets } from "#log/log-secrets.ts";
import { systemCode } from "#process/system-code.ts";
import { currentTracer } from "#tracing/trace.ts";

const rotateBytes = 10_000_000;

/** Omits the query, which may contain signatures and search terms. */
function serializeRequest(request: { method: string; url: string; ip?: string; remoteAddress?: string }): object {
  return { method: request.method, path: request.url.split("?")[0], address: request.ip };
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
  readonly cause: unknown;
}

/** Only what helps to find the cause. Drivers attach connections and row values to their errors, which must not be logged. */
function serializeError(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause ?? (error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined);
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code: "code" in error ? error.code : undefined,
    cause: cause === undefined ? undefined : serializeError(cause),
  };
}

export interface PortalLog {
  readonly log: Logger;
  /** Path of the log file; undefined = stdout. */
  readonly file: string | undefined;
  /** Writes buffered lines. */
  readonly flush: () => void;
}

/** Logs JSON lines to stdout in production and to a file in demo mode, which keeps the terminal readable. */
export function openLog(config: { demo: boolean; home: string; logLevel: string; tracing?: object | undefined }): PortalLog {
  const file = config.demo ? join(config.home, "logs/fairway.log") : undefined;
  if (file !== undefined) {
    mkdirSync(join(config.home, "logs"), { recursive: true, mode: 0o700 });
    rotate(file);
  }
  // Buffered, because a write per line costs more than the line itself.
  const destination = pino.destination({ dest: file ?? 1, mode: 0o600, sync: false, minLength: 8_192, periodicFlush: 100 });
  // A full disk or a closed pipe must not stop the portal: it continues without a log.
  destination.on("error", () => undefined);
  const log = pino(
    {
      level: config.logLevel,
      // Not pino's `redact`: matching names at any depth costs more than the rest of a small call.
      formatters: { log: hideSecrets },
      serializers: { req: serializeRequest, err: serializeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(config.tracing !== undefined && { mixin: () => currentTracer()?.ids() ?? {} }),
    },
    destination,
  );
  // pino does not apply the bindings formatter to children. They inherit this method through their prototype.
  const createChild = Reflect.get<Logger, "child">(log, "child");
  log.child = function child(bindings, options) {
    return createChild.call(this, hideSecrets(bindings), options) as never;
  };
  return { log, file, flush: () => flush(destination) };
}

function flush(destination: { flushSync(): void }): void {
  try {
    destination.flushSync();
  } catch {
    // Not open yet or already closed: there is nothing to write.
  }
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > rotateBytes) renameSync(file, `${file}.1`);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
