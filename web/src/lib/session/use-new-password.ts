import { useState } from "react";
import { canUpdatePassword, passwordHint, passwordProblem } from "./password-rules.ts";
import { usePortalSettings } from "../gateway/portal-settings.ts";

export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
  readonly setPassword: (password: string) => void;
  readonly setConfirmation: (confirmation: string) => void;
  /** Why the password cannot be saved; null while the fields are empty or valid. */
  readonly problem: string | null;
  /** The requirements on a new password. */
  readonly hint: string;
  readonly isReady: boolean;
  readonly isTooShort: boolean;
}

/** A new password and its confirmation, validated by the portal's rules. */
export function useNewPassword(): NewPassword {
  const {
    limits: { passwordMinCharacters: min },
    passwordRules,
  } = usePortalSettings();
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const problem = passwordProblem(password, confirmation, min);
  return {
    password,
    confirmation,
    setPassword,
    setConfirmation,
    problem,
    hint: passwordHint(passwordRules, min),
    isReady: canUpdatePassword(password, confirmation, min),
    isTooShort: password !== "" && password.length < min,
  };
}
