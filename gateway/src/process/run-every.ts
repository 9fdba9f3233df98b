/** Runs the work now and at each interval until closed. Failures are reported and do not stop it. Close it before the resources that it uses. */
export function runEvery(intervalMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): { close(): Promise<void> } {
  let running = work().catch(onFailure);
  const timer = setInterval(() => {
    running = work().catch(onFailure);
  }, intervalMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
