const revokeAfterMs = 2_000;

/** Saves a generated file. Its object URL is revoked after 2 seconds, long after the browser has read the bytes. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  startDownload(url, fileName);
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}

/** Downloads from an address. Without a name, the answer names the file. */
export function startDownload(url: string, fileName = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}
