import { passesAnyRole } from "@fairway/contract/access";
import type { Ecosystem } from "@fairway/contract/entity-schemas";
import { ecosystems } from "@fairway/contract/ecosystems";
import { platformMetadata } from "@fairway/contract/metadata";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import { type Capability, implement } from "#http/capability.ts";
import type { LiveConfiguration } from "#entities/live-configuration.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { Metrics } from "#http/metrics.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { type GraphiteParts, GraphiteSender } from "./graphite.ts";
import { type MetadataParts, metadataReader } from "./metadata.ts";
import { reachabilityOf } from "./reachability.ts";

interface Parts {
  readonly liveConfiguration: LiveConfiguration;
  readonly addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">;
  readonly metrics: Pick<Metrics, "samples">;
  readonly metadata: MetadataParts;
  readonly log: GraphiteParts["log"];
}

export interface ConfigurationCapability extends Capability {
  /** Whether the user may use an enabled ecosystem with this name. */
  readonly canUseEcosystem: (user: SignedInUser, name: string) => Promise<boolean>;
}

/** Matches Graphite's finest default resolution. */
const graphiteIntervalMs = 10_000;

/** Ecosystems, checks of torch services, metrics to Graphite and platform metadata. */
export function openConfiguration({ liveConfiguration: live, addresses, metrics, metadata, log }: Parts): ConfigurationCapability {
  const graphite = new GraphiteSender({ configuration: live, metrics, addresses, log, intervalMs: graphiteIntervalMs });
  const usableEcosystems = async (user: SignedInUser) => (await live.ecosystems()).filter((ecosystem) => canUse(ecosystem, user));
  return {
    canUseEcosystem: async (user, name) => (await usableEcosystems(user)).some((ecosystem) => ecosystem.name === name),
    routes: {
      ecosystems: implement(ecosystems, {
        list: async ({ user }) => (await usableEcosystems(user)).map(({ name }) => ({ name })),
      }),
      torchServiceChecks: implement(torchServiceChecks, {
        reachability: async ({ signal }) => reachabilityOf(await live.torchServices(), addresses, signal),
      }),
      platformMetadata: implement(platformMetadata, { read: metadataReader(metadata) }),
    },
    close: () => graphite.close(),
  };
}

/** An ecosystem without roles is open to everyone. Administrators have no access beyond their roles. */
export const canUse = ({ name, roles }: Ecosystem, user: SignedInUser): boolean =>
  passesAnyRole(
    user.roles,
    roles.map(({ roleName }) => roleName),
  ) &&
  (user.reach?.ecosystems.includes(name) ?? true);
