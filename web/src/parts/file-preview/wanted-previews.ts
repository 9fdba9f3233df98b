import type { PreviewFile } from "./preview-type.ts";

/** Folders and the types of files that were previewed there although such files usually are not. Until the page is loaded again. */
const wanted = new Set<string>();

/** The files that one decision is about; undefined for a file without a folder. */
function keyOf({ filesetId, path }: PreviewFile, extension: string): string | undefined {
  if (filesetId === undefined || path === undefined) return undefined;
  return JSON.stringify([filesetId, path.slice(0, path.lastIndexOf("/") + 1), extension]);
}

export function isPreviewWanted(file: PreviewFile, extension: string): boolean {
  const key = keyOf(file, extension);
  return key !== undefined && wanted.has(key);
}

export function rememberPreview(file: PreviewFile, extension: string): void {
  const key = keyOf(file, extension);
  if (key !== undefined) wanted.add(key);
}
