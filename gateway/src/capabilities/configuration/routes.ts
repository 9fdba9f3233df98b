import { passesAnyRole } from "@fairway/contract/access";
import type { Ecosystem } from "@fairway/contract/configured";
import type { ecosystems } from "@fairway/contract/ecosystems";
import type { Metadata, platformMetadata } from "@fairway/contract/metadata";
import type { UiConfig } from "@fairway/contract/settings";
import type { torchServiceChecks } from "@fairway/contract/torch-services";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { LiveConfiguration } from "./live.ts";
import { reachabilityOf } from "./reachability.ts";

/** What the operator's settings say, with what administrators configured above it. */
export async function configuredUi(operators: UiConfig, live: Pick<LiveConfiguration, "current" | "torchServices">): Promise<UiConfig> {
  const [configuration, torchServices] = await Promise.all([live.current(), live.torchServices()]);
  return {
    ...operators,
    appTitle: configuration?.appTitle || operators.appTitle,
    appSubtitle: configuration?.appSubtitle || operators.appSubtitle,
    availableTorchServices: torchServices.map(({ name }) => name),
  };
}

/** No role opens to everyone; administrators pass no further than others. */
export const opens = ({ name, roles }: Ecosystem, user: SignedInUser): boolean =>
  passesAnyRole(
    user.roles,
    roles.map(({ roleName }) => roleName),
  ) &&
  (user.reach?.ecosystems.includes(name) ?? true);

export const ecosystemRoutes = (live: Pick<LiveConfiguration, "ecosystems">): Handlers<typeof ecosystems> => ({
  list: async ({ user }) => (await live.ecosystems()).filter((one) => opens(one, user)).map(({ name }) => ({ name })),
});

interface Checks {
  readonly live: Pick<LiveConfiguration, "torchServices">;
  readonly addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">;
}

export const torchServiceRoutes = ({ live, addresses }: Checks): Handlers<typeof torchServiceChecks> => ({
  reachability: async ({ signal }) => reachabilityOf(await live.torchServices(), addresses, signal),
});

export const metadataRoutes = (read: () => Promise<Metadata>): Handlers<typeof platformMetadata> => ({ read: () => read() });
