import type { CacConfiguration } from "@fairway/contract/cac";
import { Button, Flex, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { createCardReauthRequest } from "#lib/session/card.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { leaveToAuthenticateAgain } from "#lib/session/provider.ts";
import { canUsePasskey, passkeyProblem } from "#lib/session/passkeys.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { storeDrafts } from "#lib/browser/drafts.ts";
import { forgetUnsavedForms } from "#lib/browser/unsaved-changes.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import classes from "./account.module.css";
import { cacStatusQuery } from "./cac/cac-queries.ts";
import { methodsQuery } from "./sign-in-methods/methods-queries.ts";
import {
  type FreshSignInOutcome,
  type FreshSignInStep,
  proveFresh,
  proveFreshByPasskey,
  signInFresh,
  signInFreshByPasskey,
} from "./profile/password-change.ts";

interface Props {
  opened: boolean;
  username: string;
  onClose: () => void;
  onSignedIn: () => void;
}

/**
 * Confirms a sign-in that is no longer recent: by password and second factor, by passkey, by the linked card or at the OpenID
 * Connect provider. Input on the page is kept.
 */
export function FreshSignIn({ opened, ...rest }: Props) {
  const { passwordless } = useCurrentUser();
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Confirm It's You">
      {passwordless === true ? <AtProvider onClose={rest.onClose} /> : <CurrentPassword {...rest} />}
    </Dialog>
  );
}

const leaveToProvider = (): Promise<void> =>
  leaveToAuthenticateAgain(() => {
    storeDrafts();
    forgetUnsavedForms();
  });

/** For accounts without a password. */
function AtProvider({ onClose }: Pick<Props, "onClose">) {
  const providerName = usePortal(({ ui }) => ui?.oidc?.displayName ?? "your organization");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function leave(): Promise<void> {
    setBusy(true);
    try {
      // The page stays busy until it is left.
      return await leaveToProvider();
    } catch (error) {
      setFailure(messagesOf(error).join(" "));
    }
    setBusy(false);
  }

  return (
    <div className={classes["form"]}>
      <p className={classes["hint"]}>
        It's been a while since you signed in. Sign in with {providerName} again to continue. You'll return to this page, and your entries
        are kept.
      </p>
      {failure !== null && (
        <div role="alert" className={classes["failure"]}>
          {failure}
        </div>
      )}
      <Flex gap="sm" justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus loading={busy} onClick={() => void leave()}>
          Sign in with {providerName}
        </Button>
      </Flex>
    </div>
  );
}

const focusOnMount = (input: HTMLInputElement | null): void => input?.focus();

function CurrentPassword({ username, onClose, onSignedIn }: Omit<Props, "opened">) {
  const [password, setPassword] = useState("");
  const [step, setStep] = useState<FreshSignInStep | null>(null);
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<"typed" | "passkey" | null>(null);
  const cards = usePortal(({ ui }) => ui?.cac ?? null);
  const providerName = usePortal(({ ui }) => ui?.oidc?.displayName ?? null);
  const { from_provider: isFromProvider } = useCurrentUser();
  const isComplete = (step === null ? password : code.trim()) !== "";

  async function check(by: "typed" | "passkey", prove: () => Promise<FreshSignInOutcome>): Promise<void> {
    setBusy(by);
    setFailure(null);
    try {
      const outcome = await prove();
      if (outcome === "signed-in") return onSignedIn();
      if (outcome === "new-password-needed") setFailure("You need to choose a new password. Log out, then sign in again to choose one.");
      else setStep(outcome);
    } catch (error) {
      setFailure(messagesOf(error).join(" "));
    }
    setBusy(null);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isComplete && busy === null) {
      void check("typed", () => (step === null ? signInFresh(username, password) : proveFresh(step.token, code)));
    }
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <p className={classes["hint"]}>It's been a while since you signed in. Enter your current password to continue.</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label="Current password"
        value={password}
        autoComplete="current-password"
        required
        data-autofocus
        readOnly={step !== null}
        error={step === null && failure}
        visibilityToggleButtonProps={{ "aria-label": "Show current password" }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {step !== null && (
        <TextInput
          {...(step.takesCode
            ? { label: "Code", description: "From your authenticator app, or a recovery code" }
            : { label: "Recovery code", description: "One of the codes you saved when you added your first passkey" })}
          value={code}
          autoComplete="one-time-code"
          required
          ref={focusOnMount}
          error={failure}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      <div className={classes["start"]}>
        <PasskeyInstead step={step} busy={busy === "passkey"} onProve={(prove) => void check("passkey", prove)} />
        {cards !== null && step === null && <CardInstead cards={cards} onFailed={(error) => setFailure(messagesOf(error).join(" "))} />}
        {providerName !== null && isFromProvider === true && step === null && (
          <Button
            variant="subtle"
            onClick={() => void leaveToProvider().catch((error: unknown) => setFailure(messagesOf(error).join(" ")))}
          >
            Use {providerName} Instead
          </Button>
        )}
      </div>
      <Flex gap="sm" justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isComplete} loading={busy === "typed"}>
          Continue
        </Button>
      </Flex>
    </form>
  );
}

/** For users with a linked card, who may not know their password. Input on the page is stored and restored afterwards. */
function CardInstead({ cards, onFailed }: { cards: CacConfiguration; onFailed: (error: unknown) => void }) {
  const isLinked = useQuery(cacStatusQuery).data?.linked === true;

  async function leave(): Promise<void> {
    try {
      const request = await createCardReauthRequest(cards);
      storeDrafts();
      forgetUnsavedForms();
      request.leave();
    } catch (error) {
      onFailed(error);
    }
  }

  return (
    isLinked && (
      <Button variant="subtle" onClick={() => void leave()}>
        Use CAC Instead
      </Button>
    )
  );
}

interface PasskeyInsteadProps {
  /** The second step, once the password was accepted. */
  step: FreshSignInStep | null;
  busy: boolean;
  onProve: (prove: () => Promise<FreshSignInOutcome>) => void;
}

/** For users with a passkey for this host. */
function PasskeyInstead({ step, busy, onProve }: PasskeyInsteadProps) {
  const { data } = useQuery(methodsQuery);
  const hasPasskey = passkeyProblem() === null && data?.passkeys.some(({ host }) => host === location.hostname) === true;
  const request = step?.passkey ?? null;
  let prove: (() => Promise<FreshSignInOutcome>) | null = null;
  if (step === null) prove = hasPasskey ? signInFreshByPasskey : null;
  else if (canUsePasskey(request)) prove = () => proveFreshByPasskey(step.token, request);
  if (prove === null) return null;
  const proveByPasskey = prove;
  return (
    <Button variant="subtle" loading={busy} onClick={() => onProve(proveByPasskey)}>
      Use Passkey Instead
    </Button>
  );
}
