import { EngineFailed } from "#query/engine.ts";
import { systemCode } from "#process/system-code.ts";

/** Work that writes files: rejects with EngineFailed if there is no room for them. */
export async function namingFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!["ENOSPC", "EDQUOT"].includes(systemCode(error) ?? "")) throw error;
    throw new EngineFailed("failed", "The server's disk is full.", { cause: error });
  }
}
