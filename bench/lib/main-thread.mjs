// @ts-check

/**
 * Records what `busiestTask` reads.
 * @param {import("puppeteer-core").Page} page
 */
export const trace = (page) =>
  page.tracing.start({ categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"] });

/**
 * The largest CPU time of a main thread task.
 * @param {Uint8Array | undefined} trace
 */
export const busiestTask = (trace) => mainThreadTimes(trace, /RunTask$/).reduce((max, ms) => Math.max(max, ms), 0);

/**
 * The CPU times of what pages do before each frame, in which maps are drawn.
 * @param {Uint8Array | undefined} trace
 */
export const frameTimes = (trace) => mainThreadTimes(trace, /^FireAnimationFrame$/);

/**
 * @param {Uint8Array | undefined} trace
 * @param {RegExp} eventName
 */
function mainThreadTimes(trace, eventName) {
  if (trace === undefined) throw new Error("there is no trace");
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, tdur?: number, args?: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse(Buffer.from(trace).toString("utf8"));
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => eventName.test(name) && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000);
}
