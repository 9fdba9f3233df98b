import { readConfig } from "#config.ts";
import { type Portal, type Service, type Foundation, startPortal } from "#portal.ts";
import { StartFailure } from "#start-failure.ts";
import { withTimeout } from "#shutdown-stack.ts";

const forcedExitMs = 15_000;

/**
 * The portal as a process: reads the environment, starts, says where it is, stops at the first SIGINT or SIGTERM and ends
 * with exit code 0; 1 when it cannot start or go on, with one sentence on stderr.
 */
export async function runPortal(options: {
  demo: boolean;
  openService: (foundation: Foundation) => Promise<Service>;
  /** Called once people can use it. */
  onReady?: (portal: Portal, openBrowser: boolean) => void;
}): Promise<void> {
  // Whatever is written from here on, by us, DuckDB or PostgreSQL, is its owner's alone.
  process.umask(0o077);
  const stopped = new AbortController();
  // Further ones change nothing: a second Ctrl-C must not break off what the first one began.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopped.abort());
  // A terminal or a pipe that has gone takes no more lines; the portal goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  const stray = strayFailure();
  let portal: Portal | undefined;
  try {
    const config = readConfig(process.env, { demo: options.demo });
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    portal = await Promise.race([startPortal({ config, openService: options.openService, say, signal: stopped.signal }), stray]);
    say(`Fairway is ready at ${config.publicUrl ?? portal.address}`);
    options.onReady?.(portal, config.openBrowser);
    await Promise.race([portal.broken.then((failure) => Promise.reject(failure)), stray, onceAborted(stopped.signal)]);
    say("Fairway is stopping …");
    await portal.stop();
    process.exitCode = 0;
  } catch (error) {
    portal?.log.fatal({ err: error }, "the portal cannot go on");
    if (portal) await withTimeout(forcedExitMs, portal.stop()).catch(() => undefined);
    else if (stopped.signal.aborted) return leave(0);
    process.stderr.write(`${sentenceOf(error)}\n`);
    return leave(1);
  }
  leave(0);
}

/** Anything still open must not keep a stopped portal alive. */
function leave(code: number): void {
  process.exitCode = code;
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}

/** Rejects with a failure that nobody handled: after one, nothing about the process can be trusted. */
function strayFailure(): Promise<never> {
  const failure = new Promise<never>((_resolve, reject) => {
    process.once("uncaughtException", reject);
    process.once("unhandledRejection", reject);
  });
  // Heard by whoever races it; by nobody once the portal stops.
  failure.catch(() => undefined);
  return failure;
}

function onceAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function sentenceOf(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  const detail = error instanceof Error ? error.message : String(error);
  return `Fairway failed unexpectedly: ${detail}. Its log has more.`;
}
