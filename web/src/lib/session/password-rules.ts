import { recommendedPasswordCharacters, type PasswordRules } from "@fairway/contract/passwords";

/** Why a new password is not acceptable; null if it is. Empty fields are not reported. */
export function passwordProblem(password: string, confirmation: string, minCharacters: number): string | null {
  if (password !== "" && password.length < minCharacters) return `The password needs at least ${minCharacters} characters.`;
  if (password !== "" && confirmation !== "" && password !== confirmation) return "The two passwords differ.";
  return null;
}

/** Both fields filled, long enough and equal. */
export const canUpdatePassword = (password: string, confirmation: string, minCharacters: number): boolean =>
  password !== "" && confirmation !== "" && passwordProblem(password, confirmation, minCharacters) === null;

/** The requirements on a new password, shown below the fields. */
export function passwordHint(rules: PasswordRules, minCharacters: number): string {
  if (rules === "specification") return `At least ${minCharacters} characters. Both entries must match.`;
  const recommended = minCharacters < recommendedPasswordCharacters ? `, ${recommendedPasswordCharacters} or more recommended` : "";
  return `At least ${minCharacters} characters${recommended}. Both entries must match. No common password, and not your username.`;
}
