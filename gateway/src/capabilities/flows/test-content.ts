/** A flow definition of exactly this many bytes, with characters of several bytes. */
export function flowOf(bytes: number, seed = "a"): string {
  const [start, end] = ['{"flowContents":{"identifier":"r","name":"Grüße","comments":"', '"}}'];
  const rest = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
  return start + "é".repeat(Math.floor(rest / 2)) + seed.repeat(rest % 2) + end;
}
