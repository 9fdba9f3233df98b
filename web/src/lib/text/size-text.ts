const units = ["KB", "MB", "GB", "TB"] as const;

/** `240.6 KB`. Units are powers of 1,000. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let size = bytes / 1_000;
  let unit = 0;
  // 999.95 would be shown as 1,000.0.
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} ${units[unit]}`;
}
