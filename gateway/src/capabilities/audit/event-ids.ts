// An event's id is its time in milliseconds, shifted by twenty bits: ten bits identify the writing gateway and ten are a counter.
// Ids therefore sort by time, need no coordination between gateways, and identify events that are sent again.

const lowBits = 20n;
const counterValues = 1_024;
const dayMs = 86_400_000;
/** The latest time whose id fits a bigint. */
const latestMs = 2 ** 42 - 1;

export const timeOf = (id: string): number => Number(BigInt(id) >> lowBits);

/** The smallest id at a time in whole milliseconds, clamped to 1970 through 2109. */
export const firstIdAt = (ms: number): bigint => BigInt(Math.min(Math.max(0, ms), latestMs)) << lowBits;

export const lastIdAt = (ms: number): bigint => firstIdAt(ms) + (1n << lowBits) - 1n;

/** Days since 1970, UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs);

export const idsOfDay = (day: number): { first: bigint; last: bigint } => ({
  first: firstIdAt(day * dayMs),
  last: lastIdAt((day + 1) * dayMs - 1),
});

/** Creates a generator of ids that are unique for up to 1,024 calls per millisecond. `writer` is 0 to 1023. */
export function idMaker(writer: number): (ms: number) => bigint {
  let counter = 0;
  return (ms) => {
    counter = (counter + 1) % counterValues;
    return firstIdAt(ms) + BigInt(writer * counterValues + counter);
  };
}
