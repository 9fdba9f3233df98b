import type { TokenWrapper } from "@fairway/contract/auth";
import { oidcReturnPaths } from "@fairway/contract/oidc";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { portalOrigin } from "#testing/card-issuer.ts";
import { keycloakAt } from "#testing/keycloak.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { type OidcApp, oidcApp } from "#testing/oidc-app.ts";

/** `npm run test:keycloak` starts one. */
const { KEYCLOAK_URL: url, KEYCLOAK_ADMIN_PASSWORD: adminPassword = "" } = process.env;

it("the realm to import returns to the screens that expect it, and says roles and groups", async () => {
  const realm = JSON.parse(await readFile(new URL("../../../../deploy/keycloak/fairway-realm.json", import.meta.url), "utf8")) as {
    clients: { redirectUris: string[]; attributes: Record<string, string>; protocolMappers: { config: Record<string, string> }[] }[];
  };
  const [client] = realm.clients;
  const portal = "https://portal.example.org";
  expect(client).toMatchObject({
    redirectUris: Object.values(oidcReturnPaths).map((path) => `${portal}${path}`),
    attributes: {
      "backchannel.logout.url": `${portal}/api/oidc/backchannel-logout`,
      "post.logout.redirect.uris": `${portal}${oidcReturnPaths.login}`,
    },
  });
  expect(client?.protocolMappers.map(({ config }) => config["claim.name"])).toEqual(["roles", "groups"]);
});

if (url === undefined) noteNotRun("signing in with a real Keycloak", "run `npm run test:keycloak`, see docs/decisions/archive/0502");
else describeKeycloak(url);

const environment = { OIDC_ROLE_MAPPING: '{"data-analyst":"editor","data-steward":"reader"}' };
const details = { groupMapping: { "it-staff": "admin" } };

async function withMarie(server: string) {
  const keycloak = keycloakAt(server, adminPassword);
  const person = { username: "marie", firstName: "Marie", lastName: "Curie", email: `marie-${Date.now()}@example.org` };
  const id = await keycloak.addPerson(person);
  return { keycloak, id, person, app: await oidcApp(keycloak, { environment, details }) };
}

const renew = (app: OidcApp, { refresh_token: refreshToken }: TokenWrapper) =>
  app.call<TokenWrapper>("POST", "/auth/refresh", { body: { refreshToken } });

function describeKeycloak(server: string): void {
  // Its first pages and its password hashes take long on a busy machine.
  describe("with a real Keycloak", { timeout: 180_000 }, () => {
    it("the first sign-in makes an account, and roles and groups follow at renewals", async () => {
      const { keycloak, app, id, person } = await withMarie(server);
      await keycloak.addRole(id, "data-analyst");
      await keycloak.addToGroup(id, "it-staff");
      const token = await app.signInAs(id);
      expect((await app.call("GET", "/profile", { token: token.access_token })).body).toMatchObject({
        username: expect.stringMatching(/^marie-/) as unknown,
        firstName: "Marie",
        lastName: "Curie",
        email: person.email,
        roles: ["admin", "editor"],
        managed: true,
      });
      await keycloak.removeRole(id, "data-analyst");
      await keycloak.addRole(id, "data-steward");
      const { body } = await renew(app, token);
      expect(await app.rolesOf(body.access_token)).toEqual(["admin", "reader"]);
    });

    it("two gateways and tabs renew at once although a refresh token works once, and go on renewing", async () => {
      const { keycloak, app, id } = await withMarie(server);
      const second = await oidcApp(keycloak, { environment, details, peer: app });
      let token = await app.signInAs(id);
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all([renew(app, token), renew(second, token)]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        token = answers[round % 2]?.body ?? token;
      }
    });

    it("someone who is disabled loses all sessions at the next renewal of one, and cannot sign in", async () => {
      const { keycloak, app, id } = await withMarie(server);
      const [laptop, phone] = [await app.signInAs(id), await app.signInAs(id)];
      await keycloak.setEnabled(id, false);
      expect(await renew(app, laptop)).toMatchObject({ status: 401, body: { errors: [{ code: "provider-ended" }] } });
      expect(await app.statusOf(phone.access_token)).toBe(401);
      expect((await renew(app, phone)).status).toBe(401);
      await expect(app.returnOf(id)).rejects.toThrow("without a way on");
    });

    it("a session that an administrator of Keycloak ends, or all of a person, ends here at once, with Back-Channel Logout", async () => {
      const { keycloak, app, id } = await withMarie(server);
      const origin = await app.app.listen({ host: "127.0.0.1", port: 0 });
      await keycloak.setLogoutAddress(`${origin}/oidc/backchannel-logout`);
      const [laptop, phone, tablet] = [await app.signInAs(id), await app.signInAs(id), await app.signInAs(id)];
      const [first = ""] = await keycloak.sessionsOf(id);
      await keycloak.endSession(first);
      const statuses = () => Promise.all([laptop, phone, tablet].map(({ access_token }) => app.statusOf(access_token)));
      expect((await statuses()).toSorted((one, other) => one - other)).toEqual([200, 200, 401]);
      await keycloak.endAllSessions(id);
      await expect.poll(statuses, { timeout: 20_000 }).toEqual([401, 401, 401]);
    });

    it("a browser that Keycloak knows signs in at once, has to authenticate for `again`, and is forgotten after a sign-out", async () => {
      const { keycloak, app, id } = await withMarie(server);
      const browser = new Map<string, string>();
      const { body } = await app.providerLogin(await app.returnOf(id, { browser }));
      // Nobody enters a password.
      expect((await keycloak.signIn((await app.request()).address, "nobody", browser)).searchParams.has("code")).toBe(true);
      expect((await app.providerLogin(await app.returnOf(id, { browser, again: true }))).status).toBe(200);
      const refreshToken = body.token.refresh_token;
      const { body: logout } = await app.call<{ address: string }>("POST", "/oidc/logout", { body: { refreshToken } });
      expect((await keycloak.signIn(logout.address, "nobody", browser)).href).toBe(`${portalOrigin}/login`);
      await expect(keycloak.signIn((await app.request()).address, "nobody", browser)).rejects.toThrow("without a way on");
    });
  });
}
