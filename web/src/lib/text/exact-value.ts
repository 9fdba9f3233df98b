/** The number of a cell with all its digits: whole numbers beyond 2^53 are sent as text. NaN for a text that is no number. */
export const exactValue = (value: number | string): number | bigint =>
  typeof value === "string" && /^-?\d{1,400}$/.test(value) ? BigInt(value) : Number(value);
