// An event's id is its time with twenty bits below: ten for the gateway that writes it, ten that it counts on. So ids sort
// by time, several gateways need not ask each other, and what was stored already is known by its id when it is sent again.

const lowBits = 20n;
const counterValues = 1_024;
const dayMs = 86_400_000;
/** Later than any call, and still an id that the database can hold. */
const latestMs = 2 ** 42 - 1;

export const timeOf = (id: string): number => Number(BigInt(id) >> lowBits);

/** The smallest id of a moment, whole milliseconds. Moments before 1970 and after 2109 count as these. */
export const firstIdAt = (ms: number): bigint => BigInt(Math.min(Math.max(0, ms), latestMs)) << lowBits;

export const lastIdAt = (ms: number): bigint => firstIdAt(ms) + (1n << lowBits) - 1n;

/** Days since 1970, UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs);

export const idsOfDay = (day: number): { first: bigint; last: bigint } => ({
  first: firstIdAt(day * dayMs),
  last: lastIdAt((day + 1) * dayMs - 1),
});

/** Answers a function that makes ids: different ones for up to 1,024 calls of the same millisecond. `writer` is 0 to 1023. */
export function idMaker(writer: number): (ms: number) => bigint {
  let counter = 0;
  return (ms) => {
    counter = (counter + 1) % counterValues;
    return firstIdAt(ms) + BigInt(writer * counterValues + counter);
  };
}
