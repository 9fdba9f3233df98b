import type { TokenWrapper } from "@fairway/contract/auth";
import { LoginPage } from "#features/sign-in/login-page.tsx";
import type { CardReturn } from "#lib/session/card.ts";
import type { ProviderReturn } from "#lib/session/provider.ts";
import { loadPortalSettings, loadUiConfig } from "#lib/gateway/portal-settings.ts";
import { mount } from "./open-screen.tsx";

/** Opens the Login page, optionally with the response of a card issuer or of the OpenID Connect provider. Returns the token wrappers of successful logins. */
export async function openLogin(
  card: CardReturn | null = null,
  provider: ProviderReturn | null = null,
  endNote: string | null = null,
): Promise<TokenWrapper[]> {
  const signedIn: TokenWrapper[] = [];
  await Promise.all([loadPortalSettings(), loadUiConfig()]);
  mount(
    <LoginPage
      endNote={endNote}
      card={card}
      provider={provider}
      onSignedIn={(wrapper) => {
        signedIn.push(wrapper);
        return true;
      }}
    />,
  );
  return signedIn;
}
