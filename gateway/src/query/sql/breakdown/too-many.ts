import { EngineFailed } from "#query/engine.ts";

const counted = (value: number): string => value.toLocaleString("en-US");

/** `sizes`: the number of entries of each axis. */
export function tooMany(sizes: readonly number[], maxCells: number): EngineFailed {
  const cells = sizes.reduce((product, size) => product * size, 1);
  const factors = sizes.length > 1 ? `${sizes.map(counted).join(" × ")} = ` : "";
  const message = `This breakdown has ${factors}${counted(cells)} cells; one answer holds ${counted(maxCells)}. Ask for fewer groups, longer steps of time or a shorter range.`;
  return new EngineFailed("too-much", message);
}
