const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** MM-DD-YYYY in the browser's zone. */
export const localDate = (epochMs: number): string => localTime(epochMs).slice(0, "MM-DD-YYYY".length);

/** MM-DD-YYYY, h:mm:ss a in the browser's zone. The zone is shown once per screen, not in the text. */
export function localTime(epochMs: number): string {
  const date = new Date(epochMs);
  const hours = date.getHours();
  const day = `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}-${String(date.getFullYear()).padStart(4, "0")}`;
  return `${day}, ${hours % 12 || 12}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())} ${hours < 12 ? "am" : "pm"}`;
}

/** The same of a time that may be missing: empty without one. */
export const localTimeOrEmpty = (epochMs: unknown): string => (typeof epochMs === "number" ? localTime(epochMs) : "");
