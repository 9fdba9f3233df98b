import type { FlowCredentials } from "@fairway/contract/flow-deployments";

export type SignIn = "password" | "token" | "none";

/** What is typed into `CredentialsFields`. Only in the state of an open dialog: never in a query, a draft or the address. */
export interface TypedCredentials {
  signIn: SignIn;
  username: string;
  password: string;
  authToken: string;
}

export const noCredentials: TypedCredentials = { signIn: "password", username: "", password: "", authToken: "" };

/** Undefined while a field is empty. */
export function credentialsOf({ signIn, username, password, authToken }: TypedCredentials): FlowCredentials | undefined {
  if (signIn === "none") return {};
  if (signIn === "token") return authToken.trim() === "" ? undefined : { tokenCredentials: { authToken: authToken.trim() } };
  return username === "" || password === "" ? undefined : { passwordCredentials: { username, password } };
}
