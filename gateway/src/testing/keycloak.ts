import { randomUUID } from "node:crypto";
import type { TestProvider } from "./identity-provider.ts";

interface Person {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** A running Keycloak with the realm of `deploy/keycloak`. */
export interface Keycloak extends Pick<TestProvider, "url" | "clientId" | "clientSecret" | "signIn"> {
  /** Creates a person with a password. The id is the subject. */
  addPerson(person: Person): Promise<string>;
  setEnabled(id: string, enabled: boolean): Promise<void>;
  addRole(id: string, role: string): Promise<void>;
  removeRole(id: string, role: string): Promise<void>;
  addToGroup(id: string, group: string): Promise<void>;
  /** Address to which it reports logouts. */
  setLogoutAddress(address: string): Promise<void>;
  /** Ids of a person's sessions. */
  sessionsOf(id: string): Promise<string[]>;
  endSession(sessionId: string): Promise<void>;
  endAllSessions(id: string): Promise<void>;
}

const password = "correct horse battery";

/** Administers a Keycloak that `npm run test:keycloak` has started, and signs in with its pages as a browser does. */
export function keycloakAt(server: string, adminPassword: string): Keycloak {
  const realm = `${server}/admin/realms/fairway`;
  const usernames = new Map<string, string>();

  async function admin(method: string, path: string, body?: unknown): Promise<Response> {
    const grant = { grant_type: "password", client_id: "admin-cli", username: "admin", password: adminPassword };
    const signedIn = await fetch(`${server}/realms/master/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams(grant),
    });
    const { access_token } = (await signedIn.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const response = await fetch(realm + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    if (!response.ok) throw new Error(`Keycloak answered ${method} ${path} with ${response.status}: ${await response.text()}`);
    return response;
  }
  const roleOf = async (role: string): Promise<unknown[]> => [await (await admin("GET", `/roles/${role}`)).json()];

  return {
    url: `${server}/realms/fairway`,
    clientId: "fairway",
    clientSecret: "change-me",
    async addPerson(person) {
      const username = `${person.username}-${randomUUID().slice(0, 8)}`;
      const credentials = [{ type: "password", value: password, temporary: false }];
      const created = await admin("POST", "/users", { ...person, username, enabled: true, emailVerified: true, credentials });
      const id = created.headers.get("location")?.split("/").at(-1) ?? "";
      usernames.set(id, username);
      return id;
    },
    setEnabled: async (id, enabled) => void (await admin("PUT", `/users/${id}`, { enabled })),
    addRole: async (id, role) => void (await admin("POST", `/users/${id}/role-mappings/realm`, await roleOf(role))),
    removeRole: async (id, role) => void (await admin("DELETE", `/users/${id}/role-mappings/realm`, await roleOf(role))),
    async addToGroup(id, group) {
      const [found] = (await (await admin("GET", `/groups?search=${group}&exact=true`)).json()) as { id: string }[];
      await admin("PUT", `/users/${id}/groups/${found?.id ?? ""}`);
    },
    async setLogoutAddress(address) {
      const [client] = (await (await admin("GET", "/clients?clientId=fairway")).json()) as { id: string; attributes: object }[];
      if (!client) throw new Error("the realm has no client 'fairway'");
      await admin("PUT", `/clients/${client.id}`, { ...client, attributes: { ...client.attributes, "backchannel.logout.url": address } });
    },
    sessionsOf: async (id) =>
      ((await (await admin("GET", `/users/${id}/sessions`)).json()) as { id: string }[]).map((session) => session.id),
    endSession: async (sessionId) => void (await admin("DELETE", `/sessions/${sessionId}`)),
    endAllSessions: async (id) => void (await admin("POST", `/users/${id}/logout`)),
    async signIn(address, id, cookies = new Map<string, string>()) {
      let next = new URL(address);
      let form: URLSearchParams | undefined;
      while (next.origin === server) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(next, { method: form ? "POST" : "GET", body: form ?? null, redirect: "manual", headers: { cookie } });
        for (const set of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        const action = /<form[^>]* action="([^"]+)"/.exec(location === null ? await response.text() : "")?.[1];
        if (location === null && (action === undefined || form)) throw new Error(`Keycloak answered ${response.status} without a way on`);
        form = location === null ? new URLSearchParams({ username: usernames.get(id) ?? "", password }) : undefined;
        next = new URL(location ?? (action ?? "").replaceAll("&amp;", "&"), next);
      }
      return next;
    },
  };
}
