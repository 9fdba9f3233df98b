import type { TokenWrapper } from "@fairway/contract/auth";
import { type ReactNode, useState } from "react";
import type { CardReturn } from "#lib/session/card.ts";
import type { ProviderReturn } from "#lib/session/provider.ts";
import { defaultTitle, usePortal } from "#lib/gateway/portal-settings.ts";
import { BrandMark } from "#ui/brand-mark.tsx";
import { InformationBanner } from "#ui/information-banner.tsx";
import type { SetupForm } from "./setup-form.tsx";
import { SignIn } from "./sign-in.tsx";
import classes from "./sign-in.module.css";

interface LoginPageProps {
  onSignedIn: (wrapper: TokenWrapper) => boolean;
  /** With the one-time token of `/setup#token=…`; undefined on `/login`. */
  setup?: { readonly Form: typeof SetupForm; readonly token: string } | undefined;
  /** The card issuer's response. */
  card: CardReturn | null;
  /** The response of the organization's OpenID Connect provider. */
  provider: ProviderReturn | null;
  /** Why a session has ended, if the user is here because of that; empty without a particular reason. */
  endNote: string | null;
}

/** The Login page: a form next to a picture of example data. */
export function LoginPage({ onSignedIn, setup, card, provider, endNote }: LoginPageProps) {
  const [created, setCreated] = useState<string | null>(null);
  if (setup === undefined || created !== null) {
    return (
      <Page>
        {endNote !== null && (
          <p role="status" className={classes["ended"]}>
            {endNote === "" ? "Your session has ended. Sign in to continue where you were." : endNote}
          </p>
        )}
        <SignIn username={created ?? ""} card={card} provider={provider} onSignedIn={onSignedIn} />
      </Page>
    );
  }
  return (
    <Page>
      <setup.Form
        setupToken={setup.token}
        onCreated={(username) => {
          // The token is used up and need not stay in the address.
          history.replaceState(null, "", "/login");
          setCreated(username);
        }}
      />
    </Page>
  );
}

function Page({ children }: { children: ReactNode }) {
  const appTitle = usePortal(({ ui }) => ui?.appTitle ?? "");
  const subtitle = usePortal(({ ui }) => ui?.appSubtitle ?? "");
  const banner = usePortal(({ settings }) => settings.banner);
  return (
    <div className={classes["page"]}>
      <InformationBanner banner={banner} />
      <main className={classes["main"]}>
        <div className={classes["side"]}>
          <div className={classes["brand"]}>
            <BrandMark size={28} />
            <span>
              {appTitle === "" ? defaultTitle : appTitle}
              {subtitle !== "" && <small>{subtitle}</small>}
            </span>
          </div>
          {children}
          <p className={classes["version"]}>Fairway {import.meta.env.FAIRWAY_VERSION}</p>
        </div>
        <figure className={classes["picture"]}>
          <div className={classes["land"]} />
          <div className={classes["tracks"]} />
          <div className={classes["highlightedTrack"]} />
          <figcaption>Atlantic storms since 1975, with Luis (1995) highlighted. Data: NOAA HURDAT2</figcaption>
        </figure>
      </main>
      <InformationBanner banner={banner} />
    </div>
  );
}
