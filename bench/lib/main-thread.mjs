// @ts-check

/**
 * Records what `busiestTask` reads.
 * @param {import("puppeteer-core").Page} page
 */
export const trace = (page) => page.tracing.start({ categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });

/**
 * The largest CPU time of a main thread task.
 * @param {Uint8Array | undefined} trace
 */
export const busiestTask = (trace) => taskTimes(trace, /^CrRendererMain$/).reduce((max, ms) => Math.max(max, ms), 0);

/**
 * @param {Uint8Array | undefined} trace
 * @param {RegExp} threadName
 */
function taskTimes(trace, threadName) {
  if (trace === undefined) throw new Error("there is no trace");
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, tdur?: number, args?: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse(Buffer.from(trace).toString("utf8"));
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && threadName.test(args?.name ?? ""))
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name.endsWith("RunTask") && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000);
}
