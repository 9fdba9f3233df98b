import { passesRole } from "@fairway/contract/access";
import { externalPages as contract } from "@fairway/contract/external-pages";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import { type Capability, implement } from "#http/capability.ts";
import { Refusal } from "#http/refusal.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { OperatorSettings } from "#config/settings-file.ts";
import { type Framing, framingOf } from "./framing.ts";

interface Parts {
  readonly pages: OperatorSettings["externalPages"];
  readonly addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">;
  readonly log: Pick<FastifyBaseLogger, "info">;
}

const knownMs = 3_600_000;
/** A page that could not be checked is checked again after this time. */
const unknownMs = 60_000;

/** The addresses of external pages, which only holders of the pages' roles may know. */
export function openExternalPages({ pages, addresses, log }: Parts): Capability {
  const checks = new LRUCache<string, Promise<Framing>>({ max: 1_000, ttl: knownMs });

  const checkOnce = (url: string, portalOrigin: string): Promise<Framing> => {
    const key = `${portalOrigin} ${url}`;
    const cached = checks.get(key);
    if (cached !== undefined) return cached;
    const check = framingOf(new URL(url), portalOrigin, addresses).catch((error: unknown): Framing => {
      log.info({ err: error }, "an external page could not be checked for frames");
      return "unknown";
    });
    checks.set(key, check);
    void check.then((framing) => framing === "unknown" && checks.set(key, check, { ttl: unknownMs }));
    return check;
  };

  return {
    routes: {
      externalPages: implement(contract, {
        page: async ({ user, params, origin }) => {
          const page = pages.find(({ name }) => name === params.name);
          if (page === undefined || !passesRole(user.roles, page.role)) throw new Refusal("not-found", "There is no such page.");
          const { url, role, allowSameOrigin } = page;
          return { url, role, allowSameOrigin, framing: await checkOnce(url, origin) };
        },
      }),
    },
  };
}
