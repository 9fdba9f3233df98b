import type { FlowCredentials } from "@fairway/contract/flow-deployments";

export type SignIn = "password" | "token" | "none";

/** Input of `CredentialsFields`. Only in the state of an open dialog: never in a query, a draft or the address. */
export interface TypedCredentials {
  signIn: SignIn;
  username: string;
  password: string;
  authToken: string;
}

export const noCredentials: TypedCredentials = { signIn: "password", username: "", password: "", authToken: "" };

/** Why there are no credentials yet, as a sentence. Undefined if there are, or none are needed. */
export function problemOf(typed: TypedCredentials): string | undefined {
  if (credentialsOf(typed) !== undefined) return undefined;
  return `Enter a ${typed.password === "" ? "password" : "username"}, or leave both blank.`;
}

/** None if everything is blank. Undefined while one of two fields is blank. */
export function credentialsOf({ signIn, username, password, authToken }: TypedCredentials): FlowCredentials | undefined {
  if (signIn === "none") return {};
  if (signIn === "token") return authToken.trim() === "" ? {} : { tokenCredentials: { authToken: authToken.trim() } };
  if (username === "" && password === "") return {};
  return username === "" || password === "" ? undefined : { passwordCredentials: { username, password } };
}
