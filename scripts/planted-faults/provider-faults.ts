import type { Fault } from "./fault.ts";

const openid = "gateway/src/openid";
const tests = "gateway/src/capabilities/oidc";

/** What the OpenID Connect provider says. */
export const providerFaults: readonly Fault[] = [
  {
    name: "signatures of ID tokens are not verified",
    file: `${openid}/provider.ts`,
    from: "oidc.enableNonRepudiationChecks(configuration);",
    to: "",
    tests: [`${tests}/forged-id-tokens.test.ts`],
  },
  {
    name: "an ID token that was issued to another client signs in",
    file: `${openid}/id-token.ts`,
    from: "azp !== undefined && azp !== clientId",
    to: "azp === undefined && azp !== clientId && clientId === azp",
    tests: [`${tests}/forged-id-tokens.test.ts`],
  },
  {
    name: "an old logout token counts",
    file: `${openid}/logout-token.ts`,
    from: "      maxTokenAge: maxAgeSeconds,\n",
    to: "",
    tests: [`${tests}/backchannel-logout.test.ts`],
  },
  {
    name: "a logout token counts each time it is sent",
    file: "gateway/src/identity/provider-sessions.ts",
    from: `if (!(await spendCode(trx, JSON.stringify(["logout token", issuer, id]))))`,
    to: `if (!(await spendCode(trx, JSON.stringify(["logout token", issuer, id, Math.random()]))))`,
    tests: [`${tests}/backchannel-logout.test.ts`],
  },
  {
    name: "an account without a password is unlinked, so that nobody can sign in to it",
    file: "gateway/src/identity/provider-links.ts",
    from: `if (user?.password_hash === null) throw new Refusal("conflict", needsPassword);`,
    to: "",
    tests: [`${tests}/administered-links.test.ts`],
  },
];
