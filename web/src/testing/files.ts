import type { Locator } from "vitest/browser";
import { vi } from "vitest";

/** Chooses a file in a file input, as the browser's dialog does. */
export async function chooseFile(input: Locator, name: string, content: string, type = "application/json"): Promise<void> {
  const element = (await input.findElement()) as HTMLInputElement;
  const transfer = new DataTransfer();
  transfer.items.add(new File([content], name, { type }));
  element.files = transfer.files;
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

interface SavedFile {
  name: string;
  blob: Blob;
}

interface Downloads {
  /** Oldest first. */
  saved: SavedFile[];
  /** Revoked object URLs. */
  revoked: string[];
}

/** Collects the files that links would save, instead of saving them. */
export function collectDownloads(): Downloads {
  const blobs = new Map<string, Blob>();
  const downloads: Downloads = { saved: [], revoked: [] };
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    const url = `blob:test-${blobs.size}`;
    blobs.set(url, blob as Blob);
    return url;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void downloads.revoked.push(url));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    const blob = blobs.get(this.href);
    if (blob) downloads.saved.push({ name: this.download, blob });
  });
  return downloads;
}
