import { useState } from "react";
import { mayUpdatePassword, passwordHint, passwordProblem } from "./password-rules.ts";
import { usePortalSettings } from "./portal-settings.ts";

export interface NewPassword {
  readonly password: string;
  readonly again: string;
  readonly setPassword: (password: string) => void;
  readonly setAgain: (again: string) => void;
  /** Why the two cannot be saved, once there is something to say. */
  readonly problem: string | null;
  /** What a new password needs. */
  readonly hint: string;
  readonly isReady: boolean;
  readonly isTooShort: boolean;
}

/** A new password and its confirmation, judged by the portal's rules. */
export function useNewPassword(): NewPassword {
  const {
    limits: { passwordMinCharacters: min },
    passwordRules,
  } = usePortalSettings();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const problem = passwordProblem(password, again, min);
  return {
    password,
    again,
    setPassword,
    setAgain,
    problem,
    hint: passwordHint(passwordRules, min),
    isReady: mayUpdatePassword(password, again, min),
    isTooShort: password !== "" && password.length < min,
  };
}
