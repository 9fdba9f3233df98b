const two = (value: number): string => String(value).padStart(2, "0");

/** MM-DD-YYYY, h:mm:ss a as this machine's clock showed it. The zone is said once per screen, not in the text. */
export function localTime(epochMs: number): string {
  const date = new Date(epochMs);
  const hours = date.getHours();
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}-${String(date.getFullYear()).padStart(4, "0")}`;
  return `${day}, ${hours % 12 || 12}:${two(date.getMinutes())}:${two(date.getSeconds())} ${hours < 12 ? "am" : "pm"}`;
}

/** This machine's zone, such as `Europe/Zurich`. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
