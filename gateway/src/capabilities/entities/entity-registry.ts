import { isOwnCategory } from "@fairway/contract/own-datasets";
import { X509Certificate, randomUUID } from "node:crypto";
import type { EntityBody } from "@fairway/contract/administration";
import { graphiteTarget, pemCertificates } from "@fairway/contract/entity-schemas";
import { type StoredType, storedTypes } from "#entities/entity-types.ts";
import { Refusal } from "#http/refusal.ts";
import type { JoltRunner } from "#jolt/runner.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { AddressRefused } from "#outbound/address-policy.ts";
import type { EngineCall } from "#query/engine.ts";
import { readerNotes, requireNoRules, withStoredRules } from "./dataset-rules.ts";
import type { EntityRepository } from "./entity-repository.ts";
import { type EntityBehavior, type JsonEntityParts, jsonEntityRepository } from "./json-entity-repository.ts";
import { datasetsLinkingTo } from "./linked-datasets.ts";

export interface EntityRegistryParts extends JsonEntityParts {
  readonly addresses: Pick<AddressPolicy, "requireAllowed">;
  readonly jolt: Pick<JoltRunner, "run">;
}

/** Creates a repository for every type in the table `entities`. */
export function entityRepositories(parts: EntityRegistryParts): Readonly<Record<StoredType, EntityRepository>> {
  const behaviors = entityBehaviors(parts);
  const open = <Type extends StoredType>(type: Type): [Type, EntityRepository] => [
    type,
    jsonEntityRepository(parts, storedTypes[type], behaviors[type]),
  ];
  return Object.fromEntries((Object.keys(storedTypes) as StoredType[]).map(open)) as Record<StoredType, EntityRepository>;
}

type Draft = Readonly<Record<string, unknown>>;

/** Refuses a new category that looks like one of the datasets that users bring. */
function requirePlainCategory(draft: Draft, before: Draft | undefined, field: string): Draft {
  const category = draft[field];
  if (typeof category === "string" && isOwnCategory(category.trim()) && before?.[field] !== category) {
    throw new Refusal("invalid-value", `'${field}' must not begin with '~': such categories are those of users' own datasets.`, {
      path: field,
    });
  }
  return draft;
}

/** Behavior of types beyond their schema: generated fields, further checks and references. Most types need none. */
const entityBehaviors = ({
  addresses,
  jolt,
}: EntityRegistryParts): { readonly [Type in StoredType]?: EntityBehavior<EntityBody<Type>> } => {
  const allow = (path: string, url: string): void => requireAllowed(addresses, path, url);
  return {
    "torch-service": { check: ({ baseUrl }) => allow("baseUrl", baseUrl) },
    "datasets/internal": {
      complete: (draft, before) => withStoredRules(requirePlainCategory(draft, before, "category"), before),
      notes: readerNotes,
      referrers: datasetsLinkingTo(
        ({ category, id }) =>
          (link) =>
            link.datasetCategory === category && link.datasetId === id,
      ),
    },
    "datasets/external": {
      complete: (draft, before) => requireNoRules(requirePlainCategory(draft, before, "name")),
      check: ({ baseRoute }) => allow("baseRoute", baseRoute),
      referrers: datasetsLinkingTo(
        ({ name }) =>
          (link) =>
            link.datasetCategory === name,
      ),
    },
    config: {
      isExclusive: true,
      check: ({ prestoURL, s3URL, graphiteUrl }) => {
        allow("prestoURL", prestoURL);
        allow("s3URL", s3URL);
        const graphite = graphiteTarget(graphiteUrl);
        if (graphite) allow("graphiteUrl", `http://${graphite.host.includes(":") ? `[${graphite.host}]` : graphite.host}`);
      },
    },
    flowEnvironments: {
      // Gateways of the first release refuse to save entities with this field.
      pack: ({ ca, ...body }) => (ca === "" ? body : { ...body, ca }),
      unpack: (stored) => ({ ca: "", ...stored }),
      check: ({ baseUrl, ca }) => {
        allow("baseUrl", baseUrl);
        requireCertificates("ca", ca);
      },
    },
    joltSpecifications: {
      pack: (body) => ({ ...body, joltSpec: JSON.stringify(body.joltSpec) }),
      unpack: (stored) =>
        Object.assign(
          {},
          stored,
          "joltSpec" in stored && typeof stored.joltSpec === "string" ? { joltSpec: JSON.parse(stored.joltSpec) as unknown } : {},
        ),
      // Invalid chains are refused before they read any input.
      check: async ({ joltSpec }) => void (await jolt.run(joltSpec, {}, validationCall)),
    },
    notices: {
      complete: (draft, before) => ({
        ...draft,
        id: before?.["id"] ?? randomUUID(),
        createdDateMs: before?.["createdDateMs"] ?? Date.now(),
      }),
    },
  };
};

/** The call with which chains are checked before they are saved. */
const validationCall: EngineCall = { signal: new AbortController().signal, owner: "administration" };

function requireAllowed(addresses: Pick<AddressPolicy, "requireAllowed">, path: string, url: string): void {
  if (url === "") return;
  try {
    addresses.requireAllowed(new URL(url));
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw new Refusal("invalid-value", `'${path}': the portal does not call addresses of its own machine or network equipment.`, { path });
  }
}

/** The schema checks only that the text looks like PEM. */
function requireCertificates(path: string, pem: string): void {
  for (const [index, certificate] of (pemCertificates(pem) ?? []).entries()) {
    try {
      void new X509Certificate(certificate);
    } catch (error) {
      throw new Refusal("invalid-value", `'${path}': certificate ${index + 1} cannot be read.`, { path, cause: error });
    }
  }
}
