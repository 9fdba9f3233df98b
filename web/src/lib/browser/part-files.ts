import { PartNotFoundError } from "./part-not-found-error.ts";

const documentFiles = (): string[] =>
  [...document.querySelectorAll("link[href], script[src]")].flatMap(
    (element) => element.getAttribute("href") ?? element.getAttribute("src") ?? [],
  );

/** Files in the browser cache or being fetched, starting with those of the page itself. */
const fetched = new Map<string, Promise<void>>(documentFiles().map((file) => [file, Promise.resolve()]));
/** Style sheets that are applied or being applied. */
const applied = new Map<string, Promise<void>>(documentFiles().map((file) => [file, Promise.resolve()]));

/**
 * Replaces Vite's preload helper: runs a dynamic import once all of its files are in the browser cache.
 * Most browsers cache a failed `import()`, including one whose dependency failed, until the page is reloaded; a failed fetch
 * can be retried. Rejects with PartNotFoundError if the server no longer has a file.
 * @param files the chunk, everything it imports and their style sheets, as vite.config.ts lists them
 */
export async function importPart<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const addresses = files.map((file) => import.meta.env.BASE_URL + file);
  await Promise.all(addresses.map((address) => once(fetched, address, fetchFile)));
  await Promise.all(addresses.filter((address) => address.endsWith(".css")).map((address) => once(applied, address, applyStyles)));
  return load();
}

/** Shares one attempt among all callers. A failed attempt is removed, so that the next caller tries again. */
function once(attempts: Map<string, Promise<void>>, file: string, attempt: (file: string) => Promise<void>): Promise<void> {
  const existing = attempts.get(file);
  if (existing) return existing;
  const running = attempt(file).catch((error: unknown) => {
    attempts.delete(file);
    throw error;
  });
  attempts.set(file, running);
  return running;
}

async function fetchFile(file: string): Promise<void> {
  const response = await fetch(file);
  if (response.status === 404 || response.status === 410) throw new PartNotFoundError(file);
  if (!response.ok) throw new Error(`The server answered ${response.status} for ${file}.`);
  // The login page of a captive network, for example. Imported as a script, it would fail until the page is reloaded.
  if (/html/.test(response.headers.get("content-type") ?? "")) throw new Error(`${file} was answered with an HTML page.`);
  // Browsers only cache a body that was read to the end.
  await response.arrayBuffer();
}

function applyStyles(file: string): Promise<void> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: file, crossOrigin: "" });
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce;
  if (nonce !== undefined) link.nonce = nonce;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(`${file} could not be loaded.`));
    });
    document.head.append(link);
  });
}
