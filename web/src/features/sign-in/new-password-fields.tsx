import type { Ref } from "react";
import type { NewPassword } from "#lib/session/use-new-password.ts";
import { PasswordField } from "./fields.tsx";
import classes from "./sign-in.module.css";

interface NewPasswordFieldsProps {
  passwords: NewPassword;
  label: string;
  hintId: string;
  /** A problem of other fields, shown first. */
  otherProblem?: string | null;
  /** Marks a password that is too short, and a second one that differs. */
  marksInvalid?: boolean;
  /** Present when the password is the first field. */
  firstRef?: Ref<HTMLInputElement>;
}

/** A new password, its repetition, and the problem or hint. */
export function NewPasswordFields({
  passwords,
  label,
  hintId,
  otherProblem = null,
  marksInvalid = false,
  firstRef,
}: NewPasswordFieldsProps) {
  const problem = otherProblem ?? passwords.problem;
  return (
    <>
      <PasswordField
        label={label}
        name="new-password"
        value={passwords.password}
        autoComplete="new-password"
        onChange={passwords.setPassword}
        inputRef={firstRef}
        hasInitialFocus={firstRef !== undefined}
        describedBy={hintId}
        invalid={marksInvalid && passwords.isTooShort}
      />
      <PasswordField
        label="Confirm password"
        name="confirm-password"
        value={passwords.confirmation}
        autoComplete="new-password"
        onChange={passwords.setConfirmation}
        describedBy={hintId}
        invalid={marksInvalid && passwords.confirmation !== "" && passwords.problem !== null && !passwords.isTooShort}
      />
      <p id={hintId} className={classes["hint"]} data-problem={problem !== null || undefined} aria-live="polite">
        {problem ?? passwords.hint}
      </p>
    </>
  );
}
