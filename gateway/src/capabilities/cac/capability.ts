import { type CacConfiguration, type CacStatus, cac } from "@fairway/contract/cac";
import { type CacSettings, expectsIdToken } from "#openid/cac-settings.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type ReadCard, cardRefused } from "#identity/card-sign-in.ts";
import type { Identity } from "#identity/identity.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { type CardCode, CardIssuer } from "./issuer.ts";
import { requireRedirectUri } from "./redirect.ts";

interface CacParts {
  readonly identity: Pick<Identity, "loginByCard" | "linkCard" | "cardLinkedSince" | "unlinkCard" | "spendCode">;
  /** Settings of the card issuer; undefined when card sign-in is not configured. */
  readonly settings: CacSettings | undefined;
  /** The portal's public address as configured by the operator; the origin of the request when undefined. */
  readonly publicUrl: string | undefined;
  readonly addresses: AddressPolicy;
  readonly log: { warn(details: object, message: string): void };
}

export interface Cac extends Capability {
  /** Values that browsers need to know about the issuer; null without one. */
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
  const requireIssuer = (): Pick<CardIssuer, "name" | "read"> => {
    if (issuer === undefined) throw new Refusal("not-found", "Nobody can sign in with a CAC here.");
    return issuer;
  };
  /** Each code is accepted once, even if the issuer would accept it again. */
  const cardReader = (cardCode: CardCode): ReadCard => {
    const cardIssuer = requireIssuer();
    return async () => {
      if (!(await identity.spendCode(cardCode.code))) throw cardRefused();
      return cardIssuer.read(cardCode);
    };
  };
  return {
    login: (call) => {
      const { body, ip, userAgent, isDirect, origin } = call;
      requireIssuer();
      const redirectUri = requireRedirectUri(body.redirectUri, "login", publicUrl ?? origin);
      const read = cardReader({ code: body.code, codeVerifier: body.codeVerifier, redirectUri });
      return identity.loginByCard(read, { ip, userAgent, isDirect, origin }, (user) => call.callerIs(user));
    },
    status: async ({ user }) => statusOf(await identity.cardLinkedSince(user.id, requireIssuer().name)),
    link: async ({ user, body, ip, userAgent, isDirect, origin }) => {
      requireIssuer();
      const redirectUri = requireRedirectUri(body.redirectUri, "link", publicUrl ?? origin);
      const read = cardReader({ code: body.code, codeVerifier: body.codeVerifier, redirectUri });
      return statusOf(await identity.linkCard(user, body.password, read, { ip, userAgent, isDirect, origin }));
    },
    unlink: async ({ user }) => {
      requireIssuer();
      await identity.unlinkCard(user.id);
      return undefined;
    },
  };
};

const statusOf = (linkedSince: Date | undefined): CacStatus => ({
  linked: linkedSince !== undefined,
  linkedTimestamp: linkedSince?.toISOString() ?? null,
});
