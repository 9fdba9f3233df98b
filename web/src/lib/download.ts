const revokeAfterMs = 2_000;

/** Saves a file that the page made. Its address is given up after 2 seconds, when the browser has long taken the bytes. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}

// Not allowed in names on one of the systems people download to, or steering how the name is shown.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unsafe = /[\\/:*?"<>|\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A name that every file system takes: no separators, no control characters, no dots or spaces at its ends. */
export const safeFileName = (name: string): string => name.replace(unsafe, "-").replace(/^[.\s]+|[.\s]+$/g, "") || "download";
