// @ts-check
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client, forgedTokens, manyKeys, openProvider, signed } from "../lib/forged-sign-ins.mjs";
import { isSlow, liesTo, openInner } from "../lib/liar.mjs";
import { busyFactor } from "../lib/machine-speed.mjs";
import { watchMemory } from "../lib/memory.mjs";
import { callsOfOthers } from "../lib/others.mjs";
import { administrator, viewer } from "../lib/platform.mjs";
import { sumMeasurements } from "../lib/portal.mjs";

export const name = "An identity provider that lies: 18 lies of each endpoint, forged tokens, hostile claims, certificates";
export const isLong = true;

const filters = [{ name: "name", operator: "=", value: "point 1" }];
const unusable = "Harbour ID cannot be used right now. Try again later, or tell your administrator.";
/** Of one call to the provider. */
const timeoutMs = 10_000;
/** More than the portal takes in any case, and less than answers without a limit would take. */
const maxMemoryBytes = 300_000_000;

/** @typedef {Awaited<ReturnType<typeof openProvider>>} Provider */
/** @typedef {import("../lib/portal.mjs").Portal} Portal */
/** @typedef {{ status: number, text: string, ms: number }} Answer */

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const inner = await openInner();
  try {
    const parts = [await attackEndpoints(openPortal, inner.url), await attackConnections(openPortal, inner.url)];
    const problems = parts.flatMap(({ problem }) => problem ?? []);
    if (inner.calls.length > 0) problems.push(`an inner address was called: ${inner.calls[0]}`);
    return {
      ...sumMeasurements(parts),
      note: parts.map(({ note }) => note).join("; "),
      ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
    };
  } finally {
    inner.close();
  }
}

/** Variables of a portal that trusts a provider. @param {Provider} provider */
const variables = (provider) => ({
  OIDC_ISSUER: provider.url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_DISPLAY_NAME: "Harbour ID",
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
  LIMIT_LOGIN_FAILURES_PER_MINUTE: "1000000",
  LIMIT_USER_CALLS_PER_MINUTE: "1000000",
});

/** Keys, tokens and user information. @param {import("../run.mjs").Context["openPortal"]} openPortal @param {string} inner */
async function attackEndpoints(openPortal, inner) {
  const provider = await openProvider();
  provider.describe({ end_session_endpoint: "javascript:alert(1)//" });
  /** @type {string[]} */
  const log = [];
  const settings = JSON.stringify({ oidc: { takeRoles: true, takeGroups: true } });
  const portal = await openPortal({ env: { ...variables(provider), FAIRWAY_SETTINGS: settings }, onLine: (line) => void log.push(line) });
  const visitor = new Visitor(portal, provider);
  const lies = liesTo(inner);
  try {
    const token = await portal.asViewer();
    return await portal.measure(async () => {
      const others = callsOfOthers(() => portal.call("POST", "/datasets/Trials/points/search", { token, body: { filters } }));
      const signIns = callsOfOthers(() => portal.call("POST", "/auth/login", { body: administrator }), 500);
      const memory = watchMemory(portal.pid);

      provider.lies.set("/keys", Object.values(lies));
      await Promise.all(
        Object.entries(lies).flatMap(([lie, respond]) => [
          visitor.expectUnusable(`/token ${lie}`, (_, response) => respond(response)),
          visitor.expectUnusable(`/keys, one of the lies beside ${lie}`, (nonce, response) =>
            visitor.grant(response, nonce, `keys ${lie}`),
          ),
        ]),
      );
      provider.lies.delete("/keys");
      const keys = manyKeys(990_000);
      provider.lies.set("/keys", [(response) => provider.json(response, `${keys} ${" ".repeat(100_000)}`)]);
      await visitor.expectUnusable("more than 1 MB of keys", (nonce, response) => visitor.grant(response, nonce, "too many keys"));
      provider.lies.set("/keys", [(response) => provider.json(response, keys)]);
      await visitor.expect("thousands of keys", 200, (nonce, response) => visitor.grant(response, nonce, "among thousands"));

      await Promise.all([
        ...Object.entries(lies).map(([lie, respond]) => {
          provider.users.set(`user ${lie}`, respond);
          return visitor.expectUnusable(`/me ${lie}`, (nonce, response) => visitor.grant(response, nonce, `user ${lie}`));
        }),
        ...Object.entries(forgedTokens).map(([kind, forge]) =>
          visitor.expectForged(kind, (nonce, response) => {
            const sub = `forged ${kind}`;
            provider.json(response, provider.tokens(forge(provider.claims(nonce, sub)), sub));
          }),
        ),
        visitor.tryClaims(),
        visitor.tryReplay(),
        visitor.tryRenewalAndLogout(lies["never answers"]),
      ]);

      const peak = memory.stop() - memory.before;
      const [search, local] = [await others.stop(), await signIns.stop()];
      const secrets = [client.secret, "code of ", "refresh of ", "eyJ", "taken@"].filter((secret) =>
        log.some((line) => line.includes(secret)),
      );
      const problems = [...visitor.problems, search.problem ?? [], local.problem ?? []].flat();
      for (const secret of secrets) problems.push(`the log contains ${JSON.stringify(secret)}`);
      if (peak > maxMemoryBytes) problems.push(`the portal grew by ${Math.round(peak / 1e6)} MB`);
      return {
        note: `${visitor.attempts} sign-ins, each answered within ${(visitor.worstMs / 1_000).toFixed(1)} s, ${Math.round(peak / 1e6)} MB more memory, ${provider.calls.length} calls to the provider; ${search.note}; local sign-ins: ${local.note}`,
        ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
      };
    });
  } finally {
    await portal.stop();
    provider.close();
  }
}

/** Certificates and discovery. @param {import("../run.mjs").Context["openPortal"]} openPortal @param {string} inner */
async function attackConnections(openPortal, inner) {
  const { testCertificate } = await import("@fairway/gateway/testing/certificates");
  const authority = testCertificate("Authority");
  const certificate = (/** @type {import("@fairway/gateway/testing/certificates").TestCertificate} */ one) => ({
    key: one.key(),
    cert: one.pem,
  });
  const trusted = certificate(testCertificate("server", authority));
  const provider = await openProvider(certificate(testCertificate("server", authority, { days: -1 })));
  const folder = await mkdtemp(join(tmpdir(), "fairway-authority-"));
  const ca = join(folder, "authority.pem");
  await writeFile(ca, authority.pem);
  const portal = await openPortal({ env: { ...variables(provider), FAIRWAY_SETTINGS: JSON.stringify({ oidc: { ca } }) } });
  const visitor = new Visitor(portal, provider);
  const lies = liesTo(inner);
  const grant = (/** @type {string} */ nonce, /** @type {import("../lib/liar.mjs").Response} */ response) =>
    visitor.grant(response, nonce, "someone");
  try {
    return await portal.measure(async () => {
      const signIns = callsOfOthers(() => portal.call("POST", "/auth/login", { body: viewer }), 300);
      await visitor.expectUnusable("an expired certificate", grant);
      provider.useCertificate(certificate(testCertificate("localhost")));
      await visitor.expectUnusable("a certificate that signs itself", grant);
      provider.useCertificate(certificate(testCertificate("server", authority, { host: "other.example" })));
      await visitor.expectUnusable("a certificate of another host", grant);
      if (provider.calls.length > 0) visitor.problems.push("a provider without a certificate was called");
      provider.useCertificate(trusted);
      const kinds = Object.entries(lies).filter(([lie]) => !isSlow(lie) || lie.startsWith("never"));
      for (const [lie, respond] of kinds) {
        provider.lies.set("/.well-known/openid-configuration", respond);
        await visitor.expectUnusable(`discovery ${lie}`, grant);
      }
      provider.lies.clear();
      await visitor.expect("a provider that tells the truth in the end", 200, grant);
      const local = await signIns.stop();
      const problems = [...visitor.problems, local.problem ?? []].flat();
      return {
        note: `${visitor.attempts} sign-ins over TLS within ${(visitor.worstMs / 1_000).toFixed(1)} s`,
        ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
      };
    });
  } finally {
    await portal.stop();
    provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The treatment of a code by the token endpoint for a sign-in with this nonce. */
/** @typedef {(nonce: string, response: import("../lib/liar.mjs").Response) => void} Grant */

/** Signs in at a portal, and remembers what was not as it should be. */
class Visitor {
  /** @type {string[]} */
  problems = [];
  attempts = 0;
  worstMs = 0;
  #portal;
  #provider;
  #maxMs = timeoutMs + 5_000 * busyFactor();

  /** @param {Portal} portal @param {Provider} provider */
  constructor(portal, provider) {
    this.#portal = portal;
    this.#provider = provider;
  }

  /** Answers with tokens without faults. @param {import("../lib/liar.mjs").Response} response @param {string} nonce @param {string} sub @param {import("../lib/forged-sign-ins.mjs").Json} [claims] */
  grant(response, nonce, sub, claims = {}) {
    this.#provider.json(response, this.#provider.tokens(signed({ ...this.#provider.claims(nonce, sub), ...claims }), sub));
  }

  /** @param {string} what @param {Grant} grant @returns {Promise<{ answer: Answer, body: object }>} `body`: what the browser sent */
  async signIn(what, grant) {
    const { address, state, request, ...failed } = await this.#start();
    if (failed.answer !== undefined) return { answer: failed.answer, body: {} };
    const code = `code of ${what}`;
    const nonce = new URL(address).searchParams.get("nonce") ?? "";
    this.#provider.codes.set(code, (response) => grant(nonce, response));
    const body = { request, code, state };
    return { answer: this.#note(await this.#portal.call("POST", "/oidc/login", { body })), body };
  }

  async #start() {
    this.attempts += 1;
    const answer = this.#note(await this.#portal.call("POST", "/oidc/requests", { body: {} }));
    return answer.status === 200 ? JSON.parse(answer.text) : { answer };
  }

  /** @param {Answer} answer */
  #note(answer) {
    this.worstMs = Math.max(this.worstMs, answer.ms);
    return answer;
  }

  /** @param {string} what @param {number} status @param {Grant} grant */
  async expect(what, status, grant) {
    const { answer } = await this.signIn(what, grant);
    if (answer.status !== status) this.problems.push(`${what}: ${answer.status} ${answer.text.slice(0, 100)}`);
    if (answer.ms > this.#maxMs) this.problems.push(`${what}: answered after ${Math.round(answer.ms)} ms`);
    return answer;
  }

  /** @param {string} what @param {Grant} grant */
  async expectUnusable(what, grant) {
    const { text } = await this.expect(what, 502, grant);
    if (!text.includes(unusable)) this.problems.push(`${what}: ${text.slice(0, 100)}`);
  }

  /** A response of another sign-in or issuer may be the browser's fault. @param {string} kind @param {Grant} grant */
  async expectForged(kind, grant) {
    await this.expect(kind, ["another nonce", "another issuer"].includes(kind) ? 401 : 502, grant);
  }

  async tryClaims() {
    const { problems } = this;
    const claims = { roles: ["admin"], groups: ["Administrators"], email: `${viewer.username}@fairway.example`, note: "n".repeat(500_000) };
    const { text } = await this.expect("claims of an administrator", 200, (nonce, response) =>
      this.grant(response, nonce, "mallory", claims),
    );
    const token = JSON.parse(text).token?.access_token;
    const listed = await this.#portal.call("GET", "/admin/users", { token });
    if (listed.status !== 403) problems.push(`a claim made an administrator: ${listed.status}`);
    const profile = JSON.parse((await this.#portal.call("GET", "/profile", { token })).text);
    if (profile.username !== "mallory") problems.push(`an email signed in as ${profile.username}`);
    const own = await this.#portal.call("POST", "/auth/login", { body: viewer });
    if (own.status !== 200) problems.push(`the owner of the email cannot sign in: ${own.status}`);
    this.#provider.users.set("changing", (response) => this.#provider.json(response, { sub: "another" }));
    await this.expectUnusable("a subject that changes", (nonce, response) => this.grant(response, nonce, "changing"));
    const { answer } = await this.signIn("another account's name", (nonce, response) =>
      this.grant(response, nonce, "impostor", { preferred_username: administrator.username }),
    );
    if (answer.status === 200) {
      const { status } = await this.#portal.call("GET", "/admin/users", { token: JSON.parse(answer.text).token.access_token });
      if (status !== 403) problems.push(`a name signed in as an administrator: ${status}`);
    }
  }

  async tryReplay() {
    const { answer, body } = await this.signIn("a replay", (nonce, response) => this.grant(response, nonce, "replayed"));
    const again = await Promise.all(Array.from({ length: 10 }, () => this.#portal.call("POST", "/oidc/login", { body })));
    const statuses = [answer, ...again].map(({ status }) => status);
    if (statuses[0] !== 200 || statuses.slice(1).some((status) => status !== 401)) this.problems.push(`a replay: ${statuses.join()}`);
  }

  /** A session outlives a provider that no longer answers, and ends at a logout. @param {import("../lib/liar.mjs").Lie | undefined} lie */
  async tryRenewalAndLogout(lie) {
    const { answer } = await this.signIn("a session", (nonce, response) => this.grant(response, nonce, "session"));
    // Renewals bring no code.
    if (lie) this.#provider.codes.set("", lie);
    const { refresh_token: refreshToken } = JSON.parse(answer.text).token ?? {};
    const renewed = this.#note(await this.#portal.call("POST", "/auth/refresh", { body: { refreshToken } }));
    if (renewed.status !== 200) this.problems.push(`a renewal: ${renewed.status} ${renewed.text.slice(0, 100)}`);
    const { refresh_token: next } = JSON.parse(renewed.text).token ?? JSON.parse(renewed.text);
    const ended = await this.#portal.call("POST", "/oidc/logout", { body: { refreshToken: next } });
    if (ended.status !== 200 || JSON.parse(ended.text).address !== null)
      this.problems.push(`a logout: ${ended.status} ${ended.text.slice(0, 100)}`);
  }
}
