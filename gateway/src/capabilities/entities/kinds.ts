import { randomUUID } from "node:crypto";
import type { AdministeredType } from "@fairway/contract/administration";
import { graphiteTarget } from "@fairway/contract/configured";
import * as types from "#entities/entity-types.ts";
import { Refusal } from "#http/refusal.ts";
import type { JoltRunner } from "#jolt/runner.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { AddressRefused } from "#outbound/address-policy.ts";
import type { EngineCall } from "#query/engine.ts";
import type { Keeper } from "./keeper.ts";
import { linksTo } from "./linked-datasets.ts";
import { type StoredKind, storedKeeper } from "./stored-keeper.ts";

/** The types that the identity tables keep. */
type AccountType = "users" | "groups" | "roles";

/** The description of every type in the table of entities. Another one is an entry here and a line in the contract. */
export function storedKeepers(
  parts: Parameters<typeof storedKeeper>[0],
  addresses: Pick<AddressPolicy, "requireAllowed">,
  jolt: Pick<JoltRunner, "run">,
): Record<Exclude<AdministeredType, AccountType>, Keeper> {
  const keep = <Body extends object>(kind: StoredKind<Body>): Keeper => storedKeeper(parts, kind);
  const allow = (path: string, url: string): void => requireAllowed(addresses, path, url);
  return {
    "torch-service": keep({ type: types.torchServices, noun: "torch service", check: ({ baseUrl }) => allow("baseUrl", baseUrl) }),
    ecosystems: keep({ type: types.ecosystems, noun: "ecosystem" }),
    "datasets/internal": keep({
      type: types.internalDatasets,
      noun: "internal dataset",
      referrers: linksTo(
        ({ category, id }) =>
          (link) =>
            link.datasetCategory === category && link.datasetId === id,
      ),
    }),
    "datasets/external": keep({
      type: types.externalDatasets,
      noun: "external dataset",
      check: ({ baseRoute }) => allow("baseRoute", baseRoute),
      referrers: linksTo(
        ({ name }) =>
          (link) =>
            link.datasetCategory === name,
      ),
    }),
    filesets: keep({ type: types.filesets, noun: "fileset" }),
    config: keep({
      type: types.configurations,
      noun: "configuration",
      isExclusive: true,
      check: ({ prestoURL, s3URL, graphiteUrl }) => {
        allow("prestoURL", prestoURL);
        allow("s3URL", s3URL);
        const graphite = graphiteTarget(graphiteUrl);
        if (graphite) allow("graphiteUrl", `http://${graphite.host.includes(":") ? `[${graphite.host}]` : graphite.host}`);
      },
    }),
    docs: keep({ type: types.docs, noun: "doc" }),
    flowGroups: keep({ type: types.flowGroups, noun: "flow group" }),
    flowEnvironments: keep({ type: types.flowEnvironments, noun: "flow environment", check: ({ baseUrl }) => allow("baseUrl", baseUrl) }),
    joltSpecifications: keep({
      type: types.joltSpecifications,
      noun: "Jolt specification",
      pack: (body) => ({ ...body, joltSpec: JSON.stringify(body.joltSpec) }),
      unpack: (kept) =>
        Object.assign(
          {},
          kept,
          "joltSpec" in kept && typeof kept.joltSpec === "string" ? { joltSpec: JSON.parse(kept.joltSpec) as unknown } : {},
        ),
      // What means nothing is found before the input is looked at.
      check: async ({ joltSpec }) => void (await jolt.run(joltSpec, {}, forAdministrators)),
    }),
    notices: keep({
      type: types.notices,
      noun: "notice",
      complete: (draft, before) => ({
        ...draft,
        id: before?.["id"] ?? randomUUID(),
        createdDateMs: before?.["createdDateMs"] ?? Date.now(),
      }),
    }),
  };
}

/** Chains that are checked before they are saved. */
const forAdministrators: EngineCall = { signal: new AbortController().signal, owner: "administration" };

function requireAllowed(addresses: Pick<AddressPolicy, "requireAllowed">, path: string, url: string): void {
  if (url === "") return;
  try {
    addresses.requireAllowed(new URL(url));
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw new Refusal("invalid-value", `'${path}': the portal does not call addresses of its own machine or network equipment.`, { path });
  }
}
