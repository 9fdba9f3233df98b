/** Does the work for each, in their order, at most so many at a time. Rejects with the first failure. */
export async function mapConcurrent<T>(all: readonly T[], mostAtATime: number, work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  const turn = async (): Promise<void> => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(Array.from({ length: mostAtATime }, turn));
}
