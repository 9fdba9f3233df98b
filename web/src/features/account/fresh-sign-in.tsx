import type { CacConfiguration } from "@fairway/contract/cac";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { requestOfCardAgain } from "#lib/card.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { usePortal } from "#lib/portal-settings.ts";
import { forgetUnsavedForms, keepDrafts } from "#lib/unsaved-changes.ts";
import { Dialog } from "#ui/dialog.tsx";
import classes from "./account.module.css";
import { cacStatusQuery } from "./cac-queries.ts";
import { proveFresh, signInFresh } from "./password-change.ts";

interface Props {
  opened: boolean;
  username: string;
  onClose: () => void;
  onSignedIn: () => void;
}

/** Asks for the current password, and the second factor where there is one, or for the linked card, after a sign-in that is too long ago. What was typed on the page stays. */
export function FreshSignIn({ opened, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Confirm It Is You">
      <CurrentPassword {...rest} />
    </Dialog>
  );
}

const focusOnceShown = (box: HTMLInputElement | null): void => box?.focus();

function CurrentPassword({ username, onClose, onSignedIn }: Omit<Props, "opened">) {
  const [password, setPassword] = useState("");
  const [stepToken, setStepToken] = useState<string | null>(null);
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const cards = usePortal(({ ui }) => ui?.cac ?? null);
  const isComplete = (stepToken === null ? password : code.trim()) !== "";

  async function check(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      const outcome = stepToken === null ? await signInFresh(username, password) : await proveFresh(stepToken, code);
      if (outcome === "signed-in") return onSignedIn();
      if (outcome === "new-password-needed") setFailure("Your account needs a new password. Log out, log in again, and choose it there.");
      else setStepToken(outcome.stepToken);
    } catch (error) {
      setFailure(messagesOf(error).join(" "));
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isComplete && !busy) void check();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <p className={classes["hint"]}>Your sign-in is some time ago. Enter your current password, and the change goes on.</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label="Current password"
        value={password}
        autoComplete="current-password"
        required
        data-autofocus
        readOnly={stepToken !== null}
        error={stepToken === null && failure}
        visibilityToggleButtonProps={{ "aria-label": "Show current password" }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {stepToken !== null && (
        <TextInput
          label="Code"
          description="Of your authenticator app, or a recovery code"
          value={code}
          autoComplete="one-time-code"
          required
          ref={focusOnceShown}
          error={failure}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      {cards !== null && stepToken === null && <CardInstead cards={cards} onFailed={(error) => setFailure(messagesOf(error).join(" "))} />}
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isComplete} loading={busy}>
          Go On
        </Button>
      </div>
    </form>
  );
}

/** For those whose card is linked: many of them know no password. What was typed on the page is there again afterwards. */
function CardInstead({ cards, onFailed }: { cards: CacConfiguration; onFailed: (error: unknown) => void }) {
  const isLinked = useQuery(cacStatusQuery).data?.linked === true;

  async function leave(): Promise<void> {
    try {
      const request = await requestOfCardAgain(cards);
      keepDrafts();
      forgetUnsavedForms();
      request.leave();
    } catch (error) {
      onFailed(error);
    }
  }

  return (
    isLinked && (
      <div className={classes["start"]}>
        <Button variant="subtle" onClick={() => void leave()}>
          Use CAC Instead
        </Button>
      </div>
    )
  );
}
