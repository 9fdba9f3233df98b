import { isSavingData } from "./data-saver.ts";
import { logFailure } from "../browser/log.ts";
import { whenIdle } from "../pacing/when-idle.ts";

/** Fetches the application's files into the browser cache while the user types their password. */
export function prefetchApplication(): void {
  if (isSavingData()) return;
  whenIdle(() => {
    prefetch().catch((cause: unknown) => logFailure("The application could not be prefetched", cause));
  });
}

async function prefetch(): Promise<void> {
  const page = new DOMParser().parseFromString(await (await fetch("/search", { headers: { accept: "text/html" } })).text(), "text/html");
  for (const file of page.querySelectorAll("link[rel=modulepreload], link[rel=prefetch], link[rel=stylesheet], script[type=module][src]")) {
    const href = file.getAttribute("href") ?? file.getAttribute("src");
    if (href === null) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href, crossOrigin: "" }));
  }
}
