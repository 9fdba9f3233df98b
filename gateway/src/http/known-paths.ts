import { apiBase } from "@fairway/contract/api";
import type { FastifyInstance } from "fastify";
import { Refusal } from "./refusal.ts";

/** The route of every page of the web app: any path that no other route and not the API takes. */
export const anyPage = "/*";

interface Known {
  readonly url: string;
  readonly methods: Set<string>;
}

/** Which methods each path takes: what tells a wrong method (405) from a path that leads nowhere (404). Decision 0142. */
export class KnownPaths {
  readonly #known = new Map<string, Known>();

  /** To be called before any route is registered. */
  observe(app: FastifyInstance): void {
    app.addHook("onRoute", ({ url, method }) => {
      const known = this.#known.get(url) ?? { url, methods: new Set<string>() };
      this.#known.set(url, known);
      for (const one of [method].flat()) known.methods.add(one.toUpperCase());
    });
  }

  /** Sorted; none for a path that leads nowhere. */
  methodsAt(target: string): string[] {
    const path = decoded(target.split(/[?#]/, 1)[0] ?? "/");
    const found = [...this.#known.values()].filter(({ url }) => (url === anyPage ? isPage(path) : fits(url, path)));
    return [...new Set(found.flatMap(({ methods }) => Array.from(methods)))].sort();
  }

  /** Why this call has no route. */
  refusal(method: string, target: string): Refusal {
    const path = target.split("?", 1)[0] ?? "/";
    const allow = this.methodsAt(target);
    if (allow.length === 0 || allow.includes(method)) return new Refusal("not-found", `There is nothing at ${method} ${path}.`);
    return new Refusal("method-not-allowed", `${path} does not support ${method}. Use ${allow.join(" or ")}.`, { allow });
  }
}

/** Whether the web app may show a page there. */
export function isPage(path: string): boolean {
  const isReserved = path === apiBase || [`${apiBase}/`, "/static/", "/assets/"].some((start) => path.startsWith(start));
  return path.startsWith("/") && !isReserved;
}

/** By segments: `:name` stands for one that is not empty, a last `*` for all that follow. */
function fits(url: string, path: string): boolean {
  const [wanted, given] = [url.split("/"), path.split("/")];
  if (wanted.at(-1) === "*") given.splice(wanted.length - 1, Infinity, "*");
  return wanted.length === given.length && wanted.every((one, index) => (one.startsWith(":") ? given[index] !== "" : one === given[index]));
}

/** The router compares paths without their percent-encoding, apart from encoded slashes. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
