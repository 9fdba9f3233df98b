import { useCallback, useEffect } from "react";
import type { PreviewFile, ViewProps } from "./preview-type.ts";
import { useLoaded } from "./use-loaded.ts";

/** Content of a view's file; null until it is loaded. `load` must be stable. */
export function useFile<T>({ file, onFailed }: ViewProps, load: (file: PreviewFile, signal: AbortSignal) => Promise<T>): T | null {
  // The caller may pass the same file as a new object with every render.
  const { name, size, downloadUrl, filesetId, path } = file;
  const loaded = useLoaded(
    useCallback(
      (signal: AbortSignal) => load({ name, size, downloadUrl, filesetId, path }, signal),
      [name, size, downloadUrl, filesetId, path, load],
    ),
  );
  const error = loaded.status === "failed" ? loaded : null;
  useEffect(() => {
    if (error) onFailed(error.error);
    // Reported once for each failure.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error]);
  return loaded.status === "done" ? loaded.value : null;
}
