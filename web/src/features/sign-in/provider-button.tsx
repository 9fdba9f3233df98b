import { useState } from "react";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { leaveForProvider } from "#lib/session/provider.ts";
import classes from "./sign-in.module.css";

interface ProviderButtonProps {
  displayName: string;
  /** Leaves for the provider. Default: from Login. */
  leave?: (() => Promise<void>) | undefined;
  onFailed: (error: GatewayError) => void;
}

/** Leaves for the organization's OpenID Connect provider, with a new request for each click. */
export function ProviderButton({ displayName, leave = leaveForProvider, onFailed }: ProviderButtonProps) {
  const [busy, setBusy] = useState(false);

  async function start(): Promise<void> {
    setBusy(true);
    try {
      // The page stays busy until it is left.
      return await leave();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      onFailed(error);
    }
    setBusy(false);
  }

  return (
    <button type="button" className={classes["card"]} disabled={busy} onClick={() => void start()}>
      Sign in with {displayName}
    </button>
  );
}
