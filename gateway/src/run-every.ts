/** Runs the work now and every `everyMs` until closed. A failure is reported, and the next round tries again. Close it before what it works on. */
export function runEvery(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): { close(): Promise<void> } {
  let running = work().catch(onFailure);
  const timer = setInterval(() => {
    running = work().catch(onFailure);
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
