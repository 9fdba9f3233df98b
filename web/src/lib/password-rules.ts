import { recommendedPasswordCharacters, type PasswordRules } from "@fairway/contract/passwords";

/** Why a new password cannot be taken yet; null when it can. Nothing is said of fields that are still empty. */
export function passwordProblem(password: string, again: string, minCharacters: number): string | null {
  if (password !== "" && password.length < minCharacters) return `The password needs at least ${minCharacters} characters.`;
  if (password !== "" && again !== "" && password !== again) return "The two passwords differ.";
  return null;
}

/** Both fields filled, long enough and equal. */
export const mayUpdatePassword = (password: string, again: string, minCharacters: number): boolean =>
  password !== "" && again !== "" && passwordProblem(password, again, minCharacters) === null;

/** What a new password needs, under the fields. */
export function passwordHint(rules: PasswordRules, minCharacters: number): string {
  if (rules === "specification") return `At least ${minCharacters} characters, the same in both fields.`;
  const recommended = minCharacters < recommendedPasswordCharacters ? `, better ${recommendedPasswordCharacters} or more` : "";
  return `At least ${minCharacters} characters${recommended}, the same in both fields. No common password, and not your username.`;
}
