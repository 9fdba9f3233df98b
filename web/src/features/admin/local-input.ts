const two = (value: number): string => String(value).padStart(2, "0");

/** A moment as a `datetime-local` field holds it; empty for none. */
export function inputOfEpochMs(epochMs: unknown): string {
  if (typeof epochMs !== "number") return "";
  const date = new Date(epochMs);
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Null for an empty field, and for one that holds no moment. */
export function epochMsOfInput(text: string): number | null {
  const epochMs = text === "" ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(epochMs) ? null : epochMs;
}
