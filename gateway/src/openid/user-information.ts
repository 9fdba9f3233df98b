import * as oidc from "openid-client";
import type { Claims } from "./claims.ts";
import { IssuerFailure, unexpectedStatus } from "./issuer-calls.ts";

/** The provider rejects the person of a token that it has just issued. */
export class PersonRefused extends IssuerFailure {}

/** The user information of the person of an access token. With a subject, it has to be that person. */
export async function fetchUser(configuration: oidc.Configuration, accessToken: string, subject: string | undefined): Promise<Claims> {
  try {
    return await oidc.fetchUserInfo(configuration, accessToken, subject ?? oidc.skipSubjectCheck);
  } catch (error) {
    const status = unexpectedStatus(error);
    if (status === 401 || status === 403) throw new PersonRefused(`its user information responded with ${status}`);
    throw error;
  }
}
