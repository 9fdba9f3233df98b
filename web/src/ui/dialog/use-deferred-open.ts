import { useMounted } from "@mantine/hooks";

/**
 * `opened`, but false on the first render. A dialog that is mounted on its first use would otherwise mount open, and Mantine records
 * where to return the focus only when a dialog changes to open.
 */
export function useDeferredOpen(opened: boolean): boolean {
  const mounted = useMounted();
  return mounted && opened;
}
