// During Katrina, so that the last days have rows.
export const startMs = Date.UTC(2005, 7, 30, 6, 7, 8, 900);
export const day = 86_400_000;
/** The last days before a moment as sent in a search: whole seconds. */
export const days = (count: number, nowMs: number) => {
  const endMs = Math.floor(nowMs / 1_000) * 1_000;
  return { start: new Date(endMs - count * day).toISOString(), end: new Date(endMs).toISOString() };
};
