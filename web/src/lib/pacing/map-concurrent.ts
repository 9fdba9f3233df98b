/** Runs `work` for each item, in order, at most `concurrency` at a time. Rejects with the first failure. */
export async function mapConcurrent<T>(items: readonly T[], concurrency: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const runNext = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
}
