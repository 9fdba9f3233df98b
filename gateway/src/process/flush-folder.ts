import { open } from "node:fs/promises";

/** A new or renamed file survives a power failure only after its folder has been flushed to disk. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}
