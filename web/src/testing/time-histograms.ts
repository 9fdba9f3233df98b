export const dayMs = 86_400_000;
export const firstMs = Date.parse("2005-08-23T00:00:00Z");
/** Ten days with 1 to 10 rows. */
export const buckets = Array.from({ length: 10 }, (_, day) => ({
  startMs: firstMs + day * dayMs,
  endMs: firstMs + (day + 1) * dayMs,
  rows: day + 1,
}));
