import { apiBase } from "@fairway/contract/api";
import type { FastifyInstance } from "fastify";
import { Refusal } from "./refusal.ts";

/** The route of the web app's pages: every path that no other route matches. */
export const anyPage = "/*";

interface KnownPath {
  readonly url: string;
  readonly methods: Set<string>;
}

/** The methods of each path, to distinguish an unsupported method (405) from an unknown path (404). Decision 0142. */
export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();

  /** Call it before any route is registered. */
  observe(app: FastifyInstance): void {
    app.addHook("onRoute", ({ url, method }) => {
      const path = this.#paths.get(url) ?? { url, methods: new Set<string>() };
      this.#paths.set(url, path);
      for (const name of [method].flat()) path.methods.add(name.toUpperCase());
    });
  }

  /** Sorted; empty for an unknown path. */
  methodsAt(target: string): string[] {
    const path = decodePath(target.split(/[?#]/, 1)[0] ?? "/");
    const matching = [...this.#paths.values()].filter(({ url }) => (url === anyPage ? isPage(path) : matches(url, path)));
    return [...new Set(matching.flatMap(({ methods }) => Array.from(methods)))].sort();
  }

  /** The refusal for a call without a route. */
  refusal(method: string, target: string): Refusal {
    const path = target.split("?", 1)[0] ?? "/";
    const allow = this.methodsAt(target);
    if (allow.length === 0 || allow.includes(method)) return new Refusal("not-found", `There is nothing at ${method} ${path}.`);
    return new Refusal("method-not-allowed", `${path} does not support ${method}. Use ${allow.join(" or ")}.`, { allow });
  }
}

/** Whether the path may be a page of the web app. */
export function isPage(path: string): boolean {
  const isReserved = path === apiBase || [`${apiBase}/`, "/static/", "/assets/"].some((start) => path.startsWith(start));
  return path.startsWith("/") && !isReserved;
}

/** Matches by segment: `:name` stands for a non-empty segment, a final `*` for all remaining ones. */
function matches(url: string, path: string): boolean {
  const [pattern, segments] = [url.split("/"), path.split("/")];
  if (pattern.at(-1) === "*") segments.splice(pattern.length - 1, Infinity, "*");
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))
  );
}

/** The router matches decoded paths, except for encoded slashes. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
