import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The page of the application, which names its scripts by their content. */
export const applicationPage = "index.html";

/** Identifies the web app that a folder holds: another one wherever any of its scripts differs. */
export async function buildOf(webRoot: string): Promise<string> {
  const page = await readFile(join(webRoot, applicationPage));
  return createHash("sha256").update(page).digest("hex").slice(0, 16);
}
