/** Does something now and again and again until it is closed; what fails is told, and tried in the next round. Close it before what it works on. */
export function regularly(everyMs: number, work: () => Promise<void>, failed: (error: unknown) => void): { close(): Promise<void> } {
  let working = work().catch(failed);
  const timer = setInterval(() => {
    working = work().catch(failed);
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
