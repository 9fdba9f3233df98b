/** Why a new password cannot be taken yet; null when it can. Nothing is said of fields that are still empty. */
export function passwordProblem(password: string, again: string, minCharacters: number): string | null {
  if (password !== "" && password.length < minCharacters) return `The password needs at least ${minCharacters} characters.`;
  if (password !== "" && again !== "" && password !== again) return "The two passwords differ.";
  return null;
}

/** Both fields filled, long enough and equal. */
export const mayUpdatePassword = (password: string, again: string, minCharacters: number): boolean =>
  password !== "" && again !== "" && passwordProblem(password, again, minCharacters) === null;
