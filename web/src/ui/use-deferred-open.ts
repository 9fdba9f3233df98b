import { useMounted } from "@mantine/hooks";

/**
 * `opened`, but false on the very first drawing: a dialog that comes with its first use would otherwise be born open,
 * and only one that opens notes where the focus returns to.
 */
export function useDeferredOpen(opened: boolean): boolean {
  const mounted = useMounted();
  return mounted && opened;
}
