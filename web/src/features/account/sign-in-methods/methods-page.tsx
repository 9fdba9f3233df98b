import type { SignInMethods } from "@fairway/contract/second-factors";
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconDeviceMobileCode } from "#ui/icons/device-mobile-code.ts";
import { IconLifebuoy } from "#ui/icons/lifebuoy.ts";
import { IconPassword } from "#ui/icons/password.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { island } from "#ui/island.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { Passkeys } from "./methods-passkeys.tsx";
import ProviderMethod from "./methods-provider.tsx";
import { beginAuthenticator, methodsQuery, removeAuthenticator, renewRecoveryCodes } from "./methods-queries.ts";
import { RecoveryCodesDialog } from "./methods-recovery-codes.tsx";
import MethodsReturn from "./methods-return.tsx";
import { useFreshAction } from "../use-fresh-action.tsx";

// With the library for QR codes.
const AuthenticatorDialog = island(async () => ({ default: (await import("./methods-authenticator.tsx")).AuthenticatorDialog }));

/** The user's sign-in methods: the password and second factors. */
export function SignInMethodsPage() {
  const query = useQuery(methodsQuery);
  const { passwordless } = useCurrentUser();
  if (passwordless === true) return <ProviderMethod isAlone />;
  return (
    <>
      <PageHeader title="Sign-in Methods" subtitle={`Times in ${browserZone()}`} />
      <div className={classes["page"]}>
        <QueryState
          query={query}
          loading={{ label: "Loading the sign-in methods", rows: 3, rowHeight: 56 }}
          failed="Failed to load the sign-in methods"
        >
          {(data) => (
            <>
              <Methods methods={data} />
              {(data.authenticator !== null || data.passkeys.length > 0) && <MethodsReturn />}
            </>
          )}
        </QueryState>
      </div>
    </>
  );
}

function Methods({ methods: { authenticator, passkeys, recoveryCodesLeft, required } }: { methods: SignInMethods }) {
  const hasSecondFactor = authenticator !== null || passkeys.length > 0;
  const provider = usePortal(({ ui }) => ui?.oidc);
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [busy, setBusy] = useState(false);
  const fresh = useFreshAction();

  async function runChange(action: () => Promise<void>): Promise<void> {
    setBusy(true);
    await fresh.run(action, (error) => toastError("Sign-in Methods Not Changed", messagesOf(error).join(" ")));
    setBusy(false);
  }

  const startSetup = () =>
    runChange(async () => {
      setSetup(await beginAuthenticator());
    });

  async function remove(): Promise<void> {
    const text =
      passkeys.length > 0
        ? "You'll sign in with your password and a passkey."
        : "You'll sign in with your password alone, and your recovery codes stop working.";
    if (!(await confirm({ title: "Remove Authenticator App?", text, confirmLabel: "Remove", destructive: true }))) return;
    await runChange(async () => {
      await removeAuthenticator();
      toastSuccess("Authenticator app removed", 1200);
    });
  }

  async function renew(): Promise<void> {
    const text = "You get new codes. The old ones stop working.";
    if (!(await confirm({ title: "Make New Recovery Codes?", text, confirmLabel: "Make New Codes" }))) return;
    await runChange(async () => setCodes(await renewRecoveryCodes()));
  }

  return (
    <section className={classes["section"]} aria-label="Sign-in methods">
      {required && !hasSecondFactor && (
        <p className={classes["note"]}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>Administrators need a second factor here. Set up an authenticator app or add a passkey to open administration.</span>
        </p>
      )}
      <ul className={classes["list"]} aria-label="Sign-in methods">
        <li>
          <IconPassword size={20} stroke={1.6} aria-hidden />
          <div className={classes["description"]}>
            Password
            <small>You sign in with this first.</small>
          </div>
          <Button variant="default" component={Link} to="/change-password">
            Change Password
          </Button>
        </li>
        {provider && <ProviderMethod runChange={runChange} busy={busy} />}
        <li>
          <IconDeviceMobileCode size={20} stroke={1.6} aria-hidden />
          <div className={classes["description"]}>
            Authenticator app
            {authenticator ? (
              <small>
                <span>Set up {localTime(authenticator.addedMs)}</span>
                {authenticator.lastUsedMs !== null && (
                  <>
                    {" · "}
                    <span>last used {localTime(authenticator.lastUsedMs)}</span>
                  </>
                )}
              </small>
            ) : (
              <small>Not set up. Asks for a code from your phone after your password.</small>
            )}
          </div>
          {authenticator ? (
            <Button variant="default" loading={busy} onClick={() => void remove()}>
              Remove
            </Button>
          ) : (
            <Button loading={busy} onClick={() => void startSetup()}>
              Set Up
            </Button>
          )}
        </li>
        <Passkeys passkeys={passkeys} isOnlyFactor={authenticator === null} onRecoveryCodes={setCodes} />
        {hasSecondFactor && (
          <li>
            <IconLifebuoy size={20} stroke={1.6} aria-hidden />
            <div className={classes["description"]}>
              Recovery codes
              <small>{remainingText(recoveryCodesLeft)}</small>
            </div>
            <Button variant="default" loading={busy} onClick={() => void renew()}>
              Make New Codes
            </Button>
          </li>
        )}
      </ul>
      <AuthenticatorDialog
        setup={setup}
        onClose={() => setSetup(null)}
        onConfirmed={(recoveryCodes) => {
          setSetup(null);
          if (recoveryCodes.length > 0) setCodes(recoveryCodes);
          else toastSuccess("Authenticator app set up", 1200);
        }}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
      {fresh.dialog}
    </section>
  );
}

function remainingText(remaining: number): string {
  if (remaining === 0) return "None left. Make new ones before you need them.";
  return remaining === 1
    ? "1 left, for signing in without your device."
    : `${remaining} left. Each works once, for signing in without your device.`;
}
