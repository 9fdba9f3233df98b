import { profile } from "@fairway/contract/profile";
import { useId, useRef } from "react";
import { call } from "#lib/gateway/call.ts";
import { useNewPassword } from "#lib/session/use-new-password.ts";
import { Failure, SubmitButton } from "./fields.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { commonFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";
import { useAttempt } from "./use-attempt.ts";

interface PasswordUpdateProps {
  /** Valid once, for the password update only. */
  resetToken: string;
  username: string;
  heading: boolean;
  /** Called after the update to log in with the new password. */
  onUpdated: (password: string) => Promise<void>;
  onBack: () => void;
}

/** The forced password update, after an administrator set a password or requires a new one. */
export function PasswordUpdate({ resetToken, username, heading, onUpdated, onBack }: PasswordUpdateProps) {
  const passwords = useNewPassword();
  const firstInput = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const { busy, failure, submit } = useAttempt(
    passwords.isReady,
    async () => {
      await call(profile.resetPassword, { body: { password: passwords.password } }, { token: resetToken });
      await onUpdated(passwords.password);
    },
    commonFailure,
    firstInput,
  );

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div>
        {heading ? <h1>Update Password</h1> : <h2>Update Password</h2>}
        <p className={classes["lead"]}>You need to choose a new password before you can continue.</p>
      </div>
      {failure !== null && <Failure title="Password Update Failed">{failure}</Failure>}
      {/* Tells password managers which account this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <NewPasswordFields passwords={passwords} label="New password" hintId={hintId} marksInvalid firstRef={firstInput} />
      <SubmitButton label="Update Password" busyLabel="Updating…" busy={busy} disabled={!passwords.isReady} />
      <button type="button" className={classes["plain"]} onClick={onBack}>
        Back to Login
      </button>
    </form>
  );
}
