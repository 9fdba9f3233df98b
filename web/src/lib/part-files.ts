import { PartGoneError } from "./part-gone-error.ts";

const inDocument = (): string[] =>
  [...document.querySelectorAll("link[href], script[src]")].flatMap(
    (element) => element.getAttribute("href") ?? element.getAttribute("src") ?? [],
  );

/** Files that are in the browser's cache or on their way to it; files of the page itself are there already. */
const fetched = new Map<string, Promise<void>>(inDocument().map((file) => [file, Promise.resolve()]));
/** Style sheets that apply. */
const applied = new Map<string, Promise<void>>(inDocument().map((file) => [file, Promise.resolve()]));

/**
 * Stands in for Vite's preload helper: runs a dynamic import once all of its files are in the browser's cache.
 * Most browsers remember a failed `import()`, or one whose dependency failed, until the page is reloaded; a failed fetch can be
 * repeated. Rejects with PartGoneError if the server no longer has a file.
 * @param files the chunk, everything it imports and their style sheets, as vite.config.ts lists them
 */
export async function importPart<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const addresses = files.map((file) => import.meta.env.BASE_URL + file);
  await Promise.all(addresses.map((address) => once(fetched, address, fetchFile)));
  await Promise.all(addresses.filter((address) => address.endsWith(".css")).map((address) => once(applied, address, applyStyles)));
  return load();
}

/** Shares one attempt among all callers. A failed attempt is forgotten, so that the next caller tries again. */
function once(attempts: Map<string, Promise<void>>, file: string, attempt: (file: string) => Promise<void>): Promise<void> {
  const known = attempts.get(file);
  if (known) return known;
  const running = attempt(file).catch((error: unknown) => {
    attempts.delete(file);
    throw error;
  });
  attempts.set(file, running);
  return running;
}

async function fetchFile(file: string): Promise<void> {
  const response = await fetch(file);
  if (response.status === 404 || response.status === 410) throw new PartGoneError(file);
  if (!response.ok) throw new Error(`The server answered ${response.status} for ${file}.`);
  // A login page of a network, for example: as a script it would fail for good.
  if (/html/.test(response.headers.get("content-type") ?? "")) throw new Error(`${file} was answered with a page.`);
  // A body that is not read to its end is not cached.
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
