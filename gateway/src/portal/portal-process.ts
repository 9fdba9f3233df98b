import { readConfig } from "#config/config.ts";
import { type Portal, type Service, type Foundation, startPortal } from "#portal/portal.ts";
import { StartFailure } from "#process/start-failure.ts";
import { withTimeout } from "#process/shutdown-stack.ts";

const forcedExitMs = 15_000;

/**
 * Runs the portal as a process: reads the environment, starts, prints its address, and stops on the first SIGINT or SIGTERM
 * with exit code 0. Exits with code 1 and one sentence on stderr if it cannot start or continue.
 */
export async function runPortal(options: {
  demo: boolean;
  /** Prints how long each step of the start took. */
  verbose?: boolean;
  openService: (foundation: Foundation) => Promise<Service>;
  /** Called once the portal accepts requests. */
  onReady?: (portal: Portal, openBrowser: boolean) => void;
}): Promise<void> {
  // Makes all files private, including those that DuckDB and PostgreSQL write.
  process.umask(0o077);
  const stop = new AbortController();
  // Further signals are ignored: a second Ctrl-C must not interrupt the shutdown.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  // Output is lost once the terminal or pipe is closed, but the portal continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  const unhandled = unhandledFailure();
  let portal: Portal | undefined;
  try {
    const config = readConfig(process.env, { demo: options.demo });
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    const onStep = (step: string, ms: number) => print(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${step}`);
    if (options.verbose) onStep("Loading of the program", performance.now());
    const { openService } = options;
    const start = startPortal({ config, openService, print, signal: stop.signal, ...(options.verbose && { onStep }) });
    portal = await Promise.race([start, unhandled]);
    print(`Fairway is ready at ${config.publicUrl ?? portal.address}`);
    options.onReady?.(portal, config.openBrowser);
    await Promise.race([portal.broken.then((failure) => Promise.reject(failure)), unhandled, onceAborted(stop.signal)]);
    print("Fairway is stopping …");
    await portal.stop();
    process.exitCode = 0;
  } catch (error) {
    portal?.log.fatal({ err: error }, "the portal cannot continue");
    if (portal) await withTimeout(forcedExitMs, portal.stop()).catch(() => undefined);
    else if (stop.signal.aborted) return exit(0);
    process.stderr.write(`${failureText(error)}\n`);
    return exit(1);
  }
  exit(0);
}

/** Exits after flushing the output, even if something is still open. */
function exit(code: number): void {
  process.exitCode = code;
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}

/** Rejects with the first unhandled failure, after which the state of the process is undefined. */
function unhandledFailure(): Promise<never> {
  const failure = new Promise<never>((_resolve, reject) => {
    process.once("uncaughtException", reject);
    process.once("unhandledRejection", reject);
  });
  // Nothing awaits it any more once the portal stops.
  failure.catch(() => undefined);
  return failure;
}

function onceAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function failureText(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  const detail = error instanceof Error ? error.message : String(error);
  return `Fairway failed unexpectedly: ${detail}. Its log has more.`;
}
