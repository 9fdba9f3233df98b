const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The value of a `datetime-local` field; empty for no time. */
export function toInputValue(epochMs: unknown): string {
  if (typeof epochMs !== "number") return "";
  const date = new Date(epochMs);
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Null for an empty or invalid field. */
export function parseInputValue(text: string): number | null {
  const epochMs = text === "" ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(epochMs) ? null : epochMs;
}
