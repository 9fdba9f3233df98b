import { type CacConfiguration, type CacStatus, cac } from "@fairway/contract/cac";
import { type CacSettings, expectsIdToken } from "#cac-settings.ts";
import { type Capability, implement } from "#capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type ReadCard, cardRefused } from "#identity/card-sign-in.ts";
import type { Identity } from "#identity/identity.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { type CardCode, CardIssuer } from "./issuer.ts";
import { redirectOf } from "./redirect.ts";

interface CacParts {
  readonly identity: Pick<Identity, "loginByCard" | "linkCard" | "cardLinkedSince" | "unlinkCard" | "spendCardCode">;
  /** Of the card issuer. Undefined: nobody can sign in with a card here. */
  readonly settings: CacSettings | undefined;
  /** The address people open, where the operator configured it; otherwise the address of the call. */
  readonly publicUrl: string | undefined;
  readonly addresses: AddressPolicy;
  readonly log: { warn(details: object, message: string): void };
}

export interface Cac extends Capability {
  /** What browsers need to know of the issuer; null without one. */
  readonly publicConfiguration: CacConfiguration | null;
}

/** Signing in with a smart card. */
export function openCac({ identity, settings, publicUrl, addresses, log }: CacParts): Cac {
  const issuer = settings && new CardIssuer({ settings, policy: addresses, log });
  return {
    publicConfiguration: publicConfigurationOf(settings),
    routes: { cac: implement(cac, handlers({ identity, issuer, publicUrl })) },
  };
}

function publicConfigurationOf(settings: CacSettings | undefined): CacConfiguration | null {
  if (settings === undefined) return null;
  const { clientId, authUrl, scope, domain, pkce } = settings;
  return { clientId, authUrl, scope, domain, pkce, nonce: expectsIdToken(settings) };
}

interface HandlerParts extends Pick<CacParts, "identity" | "publicUrl"> {
  readonly issuer: Pick<CardIssuer, "name" | "read"> | undefined;
}

const handlers = ({ identity, issuer, publicUrl }: HandlerParts): Handlers<typeof cac> => {
  const configured = (): Pick<CardIssuer, "name" | "read"> => {
    if (issuer === undefined) throw new Refusal("not-found", "Nobody can sign in with a CAC here.");
    return issuer;
  };
  /** A code that was turned in is spent, whether or not its issuer keeps to that. */
  const reading = (turnedIn: CardCode): ReadCard => {
    const asked = configured();
    return async () => {
      if (!(await identity.spendCardCode(turnedIn.code))) throw cardRefused();
      return asked.read(turnedIn);
    };
  };
  return {
    login: (call) => {
      const { body, ip, userAgent, isDirect, origin } = call;
      configured();
      const redirectUri = redirectOf(body.redirectUri, "login", publicUrl ?? origin);
      const read = reading({ code: body.code, codeVerifier: body.codeVerifier, redirectUri });
      return identity.loginByCard(read, { ip, userAgent, isDirect, origin }, (user) => call.callerIs(user));
    },
    status: async ({ user }) => statusOf(await identity.cardLinkedSince(user.id, configured().name)),
    link: async ({ user, body, ip, userAgent, isDirect, origin }) => {
      configured();
      const redirectUri = redirectOf(body.redirectUri, "link", publicUrl ?? origin);
      const read = reading({ code: body.code, codeVerifier: body.codeVerifier, redirectUri });
      return statusOf(await identity.linkCard(user, body.password, read, { ip, userAgent, isDirect, origin }));
    },
    unlink: async ({ user }) => {
      configured();
      await identity.unlinkCard(user.id);
      return undefined;
    },
  };
};

const statusOf = (linkedSince: Date | undefined): CacStatus => ({
  linked: linkedSince !== undefined,
  linkedTimestamp: linkedSince?.toISOString() ?? null,
});
