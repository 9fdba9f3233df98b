import { demoPassword } from "@fairway/contract/api";
import type { APIRequestContext } from "@playwright/test";

/** Signs in and returns the access token. */
export async function tokenOf(request: APIRequestContext, username: string, password: string = demoPassword): Promise<string> {
  const response = await request.post("/api/auth/login", { data: { username, password } });
  const { token } = (await response.json()) as { token: { access_token: string } };
  return token.access_token;
}

export const bearer = (token: string): { headers: { authorization: string } } => ({ headers: { authorization: `Bearer ${token}` } });
