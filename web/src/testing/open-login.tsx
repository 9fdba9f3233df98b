import type { TokenWrapper } from "@fairway/contract/auth";
import { LoginPage } from "#features/sign-in/login-page.tsx";
import { loadPortalSettings, loadUiConfig } from "#lib/portal-settings.ts";
import { mount } from "./open-screen.tsx";

/** Opens the Login page. Returns the token wrappers of successful logins. */
export async function openLogin(): Promise<TokenWrapper[]> {
  const signedIn: TokenWrapper[] = [];
  await Promise.all([loadPortalSettings(), loadUiConfig()]);
  mount(
    <LoginPage
      hasSessionEnded={false}
      card={null}
      onSignedIn={(wrapper) => {
        signedIn.push(wrapper);
        return true;
      }}
    />,
  );
  return signedIn;
}
