import { profile } from "@fairway/contract/profile";
import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { GatewayError } from "#lib/gateway-error.ts";
import { usePortalSettings } from "#lib/portal-settings.ts";
import { Failure, PasswordField, SubmitButton } from "./fields.tsx";
import { mayUpdatePassword, passwordHint, passwordProblem } from "#lib/password-rules.ts";
import { commonFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

interface PasswordUpdateProps {
  /** Opens the password update and nothing else, once. */
  resetToken: string;
  username: string;
  heading: boolean;
  /** The new password holds; what is left is to log in with it. */
  onUpdated: (password: string) => Promise<void>;
  onBack: () => void;
}

/** The forced password update: the account was given a password by somebody else, or an administrator asks for a new one. */
export function PasswordUpdate({ resetToken, username, heading, onUpdated, onBack }: PasswordUpdateProps) {
  const {
    limits: { passwordMinCharacters },
    passwordRules,
  } = usePortalSettings();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const problem = passwordProblem(password, again, passwordMinCharacters);

  useEffect(() => first.current?.focus(), []);

  async function update(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await call(profile.resetPassword, { body: { password } }, { token: resetToken });
      await onUpdated(password);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      setFailure(commonFailure(error));
      first.current?.focus();
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!busy && mayUpdatePassword(password, again, passwordMinCharacters)) void update();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div>
        {heading ? <h1>Update Password</h1> : <h2>Update Password</h2>}
        <p className={classes["lead"]}>Your account needs a new password before you can go on.</p>
      </div>
      {failure !== null && <Failure title="Password Update Failed">{failure}</Failure>}
      {/* For password managers: whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label="New password"
        name="new-password"
        value={password}
        autoComplete="new-password"
        onChange={setPassword}
        inputRef={first}
        first
        describedBy={hintId}
        invalid={password !== "" && password.length < passwordMinCharacters}
      />
      <PasswordField
        label="Confirm password"
        name="confirm-password"
        value={again}
        autoComplete="new-password"
        onChange={setAgain}
        describedBy={hintId}
        invalid={again !== "" && problem !== null && password.length >= passwordMinCharacters}
      />
      <p id={hintId} className={classes["hint"]} data-problem={problem !== null || undefined} aria-live="polite">
        {problem ?? passwordHint(passwordRules, passwordMinCharacters)}
      </p>
      <SubmitButton
        label="Update Password"
        busyLabel="Updating…"
        busy={busy}
        disabled={!mayUpdatePassword(password, again, passwordMinCharacters)}
      />
      <button type="button" className={classes["plain"]} onClick={onBack}>
        Back to Login
      </button>
    </form>
  );
}
