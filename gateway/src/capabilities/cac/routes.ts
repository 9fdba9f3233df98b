import type { CacConfiguration, CacStatus, cac } from "@fairway/contract/cac";
import { type CacSettings, expectsIdToken } from "#cac-settings.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type ReadCard, cardRefused } from "#identity/card-sign-in.ts";
import type { Identity } from "#identity/identity.ts";
import type { CardCode, CardIssuer } from "./issuer.ts";
import { redirectOf } from "./redirect.ts";

export interface CacParts {
  readonly identity: Pick<Identity, "loginByCard" | "linkCard" | "cardLinkedSince" | "unlinkCard" | "spendCardCode">;
  /** Undefined: nobody can sign in with a card here. */
  readonly issuer: Pick<CardIssuer, "name" | "read"> | undefined;
  /** The address people open, where the operator says it; else the one that is called. */
  readonly publicUrl: string | undefined;
}

/** What browsers are told of the issuer. */
export function cacConfigurationOf(settings: CacSettings | undefined): CacConfiguration | null {
  if (settings === undefined) return null;
  const { clientId, authUrl, scope, domain, pkce } = settings;
  return { clientId, authUrl, scope, domain, pkce, nonce: expectsIdToken(settings) };
}

export const cacRoutes = ({ identity, issuer, publicUrl }: CacParts): Handlers<typeof cac> => {
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
