import type { LoginAnswer } from "@fairway/contract/auth";
import type { Passkey, PasskeyAssertion, PasskeyCreation, PasskeyRequest } from "@fairway/contract/passkeys";
import type { SignInMethods } from "@fairway/contract/second-factors";
import { type TOTP, URI } from "otpauth";
import { describe, expect, onTestFinished, vi } from "vitest";
import { adasPassword, type CallOptions, identityApp, type IdentityApp, someAccounts, untilWaiting } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";
import { type Deviations, SoftwareAuthenticator } from "#testing/software-authenticator.ts";

const methodsPath = "/profile/sign-in-methods";
const passkeysPath = `${methodsPath}/passkeys`;
const appPath = `${methodsPath}/authenticator`;
/** For tests with many failures on purpose. */
const highLimits = { lockoutFailuresPerAddress: 100, loginFailuresPerMinute: 1_000 };

const login = (gateway: IdentityApp, username = "ada", options: CallOptions = {}) =>
  gateway.call<LoginAnswer>("POST", "/auth/login", {
    body: { username, password: username === "ada" ? adasPassword : "nanoseconds" },
    ...options,
  });

const tokenOf = async (gateway: IdentityApp, username?: string) => (await login(gateway, username)).body.token.access_token;

interface Added {
  passkey: Passkey;
  recoveryCodes: string[];
}

const begin = (gateway: IdentityApp, token: string, name: string) =>
  gateway.call<PasskeyCreation>("POST", `${passkeysPath}/creation`, { token, body: { name } });

const finish = (gateway: IdentityApp, token: string, passkey: unknown) =>
  gateway.call<Added>("POST", passkeysPath, { token, body: { passkey } });

async function add(gateway: IdentityApp, token: string, name = "Laptop", authenticator = new SoftwareAuthenticator()) {
  const added = await finish(gateway, token, authenticator.create((await begin(gateway, token, name)).body));
  expect(added.status).toBe(201);
  return { authenticator, ...added.body };
}

const prove = (gateway: IdentityApp, token: string, passkey: unknown) =>
  gateway.call<LoginAnswer>("POST", "/auth/second-factor", { token, body: { passkey } });

/** Signs in up to the step that requires a passkey. */
async function firstStep(gateway: IdentityApp, username?: string): Promise<{ token: string; request: PasskeyRequest }> {
  const { token, secondFactors } = (await login(gateway, username)).body;
  if (!secondFactors?.passkey) throw new Error("the login asks for no passkey");
  return { token: token.access_token, request: secondFactors.passkey };
}

const methodsOf = async (gateway: IdentityApp, token: string) => (await gateway.call<SignInMethods>("GET", methodsPath, { token })).body;

describe("a passkey", () => {
  it("is required at every login once added, and signs in on any gateway", async ({ gateway }) => {
    const token = await tokenOf(gateway);
    const creation = (await begin(gateway, token, "Laptop")).body;
    expect(creation).toMatchObject({ rp: { id: "localhost", name: "Fairway" }, user: { name: "ada" }, attestation: "none" });
    expect(Buffer.from(creation.challenge, "base64url")).toHaveLength(32);
    // Not added yet: an abandoned setup does not lock the user out.
    expect((await login(gateway)).body).not.toHaveProperty("requiresSecondFactor");

    const { authenticator, passkey, recoveryCodes } = await add(gateway, token);
    expect(passkey).toEqual({ id: expect.any(String), name: "Laptop", host: "localhost", addedMs: expect.any(Number), lastUsedMs: null });
    expect(new Set(recoveryCodes).size).toBe(10);
    const first = (await login(gateway)).body;
    expect(first).toMatchObject({
      requiresPasswordChange: false,
      requiresSecondFactor: true,
      secondFactors: {
        code: false,
        passkey: {
          rpId: "localhost",
          allowCredentials: [{ id: authenticator.id, type: "public-key", transports: ["internal", "hybrid"] }],
        },
      },
    });
    const other = await identityApp({ peer: gateway });
    const { token: stepToken, request } = await firstStep(gateway);
    expect(await gateway.statusOf(stepToken)).toBe(401);
    const second = await prove(other, stepToken, authenticator.get(request));
    expect([second.status, second.body.requiresPasswordChange]).toEqual([200, false]);
    expect(await gateway.statusOf(second.body.token.access_token)).toBe(200);
    expect((await methodsOf(gateway, token)).passkeys).toEqual([{ ...passkey, lastUsedMs: expect.any(Number) }]);
  });

  it("is one of a limited number, also when several sessions add one together", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { passkeysPerUser: 3, loginAttemptsPerMinute: 1_000 } });
    const begun = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const token = await tokenOf(gateway);
        return { token, passkey: new SoftwareAuthenticator().create((await begin(gateway, token, `Key ${index}`)).body) };
      }),
    );
    const answers = await Promise.all(begun.map(({ token, passkey }) => finish(gateway, token, passkey)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(3).fill(201), ...Array(5).fill(409)]);
    expect((await methodsOf(gateway, begun[0]?.token ?? "")).passkeys).toHaveLength(3);
  });

  it("has a unique name; recovery codes come with the first and are removed with the last second factor", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { passkeysPerUser: 2 } });
    const token = await tokenOf(gateway);
    const { passkey: laptop } = await add(gateway, token, "Laptop");
    const taken = await begin(gateway, token, "LAPTOP");
    expect([taken.status, taken.body]).toMatchObject([409, { errors: [{ code: "name-taken", path: "name" }] }]);
    expect((await begin(gateway, token, "a\u202eb")).status).toBe(400);
    const { passkey: key, recoveryCodes } = await add(gateway, token, "Key");
    expect(recoveryCodes).toEqual([]);
    expect((await begin(gateway, token, "Third")).status).toBe(409);

    const path = `${passkeysPath}/${key.id}`;
    expect((await gateway.call("PUT", path, { token, body: { name: "laptop" } })).status).toBe(409);
    expect((await gateway.call("PUT", path, { token, body: { name: " Blue key " } })).body).toEqual({ ...key, name: "Blue key" });
    expect((await gateway.call("PUT", path, { token, body: { name: "blue KEY" } })).status).toBe(200);
    const grace = await tokenOf(gateway, "grace");
    expect((await gateway.call("PUT", path, { token: grace, body: { name: "hers" } })).status).toBe(404);
    expect((await gateway.call("DELETE", path, { token: grace })).status).toBe(404);

    expect((await gateway.call("DELETE", path, { token })).status).toBe(204);
    expect((await gateway.call("DELETE", path, { token })).status).toBe(404);
    expect(await methodsOf(gateway, token)).toMatchObject({ passkeys: [{ id: laptop.id }], recoveryCodesLeft: 10 });
    expect((await gateway.call("DELETE", `${passkeysPath}/${laptop.id}`, { token })).status).toBe(204);
    expect(await methodsOf(gateway, token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expect((await login(gateway)).body).not.toHaveProperty("requiresSecondFactor");
  });

  it("can be combined with an authenticator app: either signs in, and recovery codes stay until both are removed", async ({ gateway }) => {
    const token = await tokenOf(gateway);
    const { authenticator, passkey, recoveryCodes } = await add(gateway, token);
    const { uri } = (await gateway.call<{ uri: string }>("POST", appPath, { token })).body;
    const code = (URI.parse(uri) as TOTP).generate();
    const confirmed = await gateway.call("PUT", appPath, { token, body: { code } });
    expect([confirmed.status, confirmed.body]).toEqual([200, { recoveryCodes: [] }]);
    expect((await login(gateway)).body.secondFactors).toMatchObject({ code: true, passkey: { rpId: "localhost" } });
    const { token: stepToken, request } = await firstStep(gateway);
    expect((await prove(gateway, stepToken, authenticator.get(request))).status).toBe(200);
    expect((await gateway.call("DELETE", appPath, { token })).status).toBe(204);
    const waiting = await firstStep(gateway);
    const byCode = await gateway.call("POST", "/auth/second-factor", { token: waiting.token, body: { recoveryCode: recoveryCodes[0] } });
    expect(byCode.status).toBe(200);
    expect((await gateway.call("DELETE", `${passkeysPath}/${passkey.id}`, { token })).status).toBe(204);
    expect((await methodsOf(gateway, token)).recoveryCodesLeft).toBe(0);
  });

  it("is removed when an administrator removes a user's second factors", async ({ gateway }) => {
    const token = await tokenOf(gateway);
    await add(gateway, token);
    const { rows } = await gateway.database.pool.query<{ id: string }>("select id from users where username = 'ada'");
    expect(await gateway.identity.removeSecondFactors(rows[0]?.id ?? "", { username: "root" })).toBe(true);
    expect(await gateway.identity.removeSecondFactors(rows[0]?.id ?? "", { username: "root" })).toBe(false);
    expect(await methodsOf(gateway, token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expect((await login(gateway)).body).not.toHaveProperty("requiresSecondFactor");
  });

  it("allows administration if two factors are required, immediately for the session that adds it", async () => {
    const [ada, ...others] = someAccounts.users;
    const accounts = { ...someAccounts, users: [...(ada ? [{ ...ada, roles: ["admin"] }] : []), ...others] };
    const gateway = await identityApp({ accounts, secondFactorForAdministrators: true });
    const token = await tokenOf(gateway);
    expect((await gateway.call("GET", "/probe/admins", { token })).status).toBe(403);
    const { authenticator } = await add(gateway, token);
    expect((await gateway.call("GET", "/probe/admins", { token })).status).toBe(204);
    const { token: stepToken, request } = await firstStep(gateway);
    const { body } = await prove(gateway, stepToken, authenticator.get(request));
    expect((await gateway.call("GET", "/probe/admins", { token: body.token.access_token })).status).toBe(204);
  });

  it("works only at the host that it was registered for, and at no IP address", async () => {
    const gateway = await identityApp({ accounts: someAccounts, publicUrl: "https://data.example.org" });
    const at = { headers: { host: "127.0.0.1:8080" } };
    const elsewhere = await identityApp({ peer: gateway });
    const token = await tokenOf(gateway);
    const refused = await elsewhere.call("POST", `${passkeysPath}/creation`, { token, body: { name: "Laptop" }, ...at });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ code: "not-supported", message: "Passkeys need https and a host name, or localhost. Open the portal at such an address." }],
    ]);
    // A proxy that terminates TLS forwards requests over http.
    const published = { headers: { host: "data.example.org" } };
    const creation = await gateway.call<PasskeyCreation>("POST", `${passkeysPath}/creation`, {
      token,
      body: { name: "Laptop" },
      ...published,
    });
    const authenticator = new SoftwareAuthenticator();
    const registration = authenticator.create(creation.body, { origin: "https://data.example.org" });
    expect((await finish(gateway, token, registration)).body.passkey.host).toBe("data.example.org");
    expect((await login(gateway)).body.secondFactors).toEqual({ code: false, passkey: null });
    expect((await login(elsewhere, "ada", at)).body.secondFactors).toEqual({ code: false, passkey: null });
    const missing = await gateway.call("POST", "/auth/passkey/request", { token });
    expect([missing.status, missing.body]).toMatchObject([
      404,
      { errors: [{ message: "You have no passkey that works at this address." }] },
    ]);
    const { token: step, secondFactors } = (await login(gateway, "ada", published)).body;
    if (!secondFactors?.passkey) throw new Error("the login asks for no passkey");
    const proof = authenticator.get(secondFactors.passkey, { origin: "https://data.example.org" });
    expect((await prove(gateway, step.access_token, proof)).status).toBe(200);
  });
});

describe("a proof of a passkey", () => {
  it("is refused and counted as a failed sign-in if it does not match the challenge of the step", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: highLimits });
    const { authenticator } = await add(gateway, await tokenOf(gateway));
    const { authenticator: graces } = await add(gateway, await tokenOf(gateway, "grace"), "Hers");
    const unknown = new SoftwareAuthenticator();
    const refused = async (make: (request: PasskeyRequest) => PasskeyAssertion) => {
      const { token, request } = await firstStep(gateway);
      const answer = await prove(gateway, token, make(request));
      expect([answer.status, answer.body]).toMatchObject([401, { errors: [{ code: "wrong-credentials" }] }]);
    };
    const used = await firstStep(gateway);
    const proof = authenticator.get(used.request);
    expect((await prove(gateway, used.token, proof)).status).toBe(200);
    const deviations: Deviations[] = [
      { origin: "https://evil.example" },
      { origin: "http://localhost:8080" },
      { rpId: "evil.example" },
      { challenge: used.request.challenge },
      { type: "webauthn.create" },
      { userPresent: false },
      { userHandle: Buffer.from("someone else").toString("base64url") },
    ];
    await refused(() => proof);
    for (const deviation of deviations) await refused((request) => authenticator.get(request, deviation));
    // Another account's credential, with its own id and with the requested one.
    await refused((request) => graces.get(request));
    for (const other of [graces, unknown]) {
      await refused((request) => {
        const { response, ...proof } = other.get(request);
        return { ...proof, id: authenticator.id, rawId: authenticator.id, response: { ...response, userHandle: null } };
      });
    }
    const { rows } = await gateway.database.pool.query<{ count: number }>(
      "select count(*)::int from login_failures where state = 'failed'",
    );
    expect(rows[0]?.count).toBe(deviations.length + 4);

    // A challenge is single-use even if its proof was refused.
    const { token, request } = await firstStep(gateway);
    expect((await prove(gateway, token, authenticator.get(request, { origin: "https://evil.example" }))).status).toBe(401);
    expect((await prove(gateway, token, authenticator.get(request))).status).toBe(401);
    const expired = await firstStep(gateway);
    await gateway.database.pool.query("update passkey_challenges set expires_at = now() - interval '1 second'");
    expect((await prove(gateway, expired.token, authenticator.get(expired.request))).status).toBe(401);
    // Another session's challenge.
    const [mine, theirs] = [await firstStep(gateway), await firstStep(gateway)];
    expect((await prove(gateway, mine.token, authenticator.get(theirs.request))).status).toBe(401);
  });

  it("is refused if its counter does not increase, unless the authenticator has no counter", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: highLimits });
    const { authenticator } = await add(gateway, await tokenOf(gateway));
    const statusOf = async (counter: number) => {
      const { token, request } = await firstStep(gateway);
      return (await prove(gateway, token, authenticator.get(request, { counter }))).status;
    };
    expect([await statusOf(0), await statusOf(0), await statusOf(7), await statusOf(7), await statusOf(6), await statusOf(0)]).toEqual([
      200, 200, 200, 401, 401, 401,
    ]);
    expect(await statusOf(4_294_967_295)).toBe(200);
    expect(gateway.logged()).toContain("the proof of a passkey was refused");
  });

  it("locks the account after failures, like wrong passwords", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { lockoutFailuresPerAddress: 3 } });
    const { authenticator } = await add(gateway, await tokenOf(gateway));
    const waiting = await firstStep(gateway);
    for (let count = 0; count < 3; count += 1) await prove(gateway, waiting.token, new SoftwareAuthenticator().get(waiting.request));
    expect((await prove(gateway, waiting.token, authenticator.get(waiting.request))).status).toBe(401);
    expect((await login(gateway)).status).toBe(401);
    expect((await login(gateway, "ada", { ip: "192.0.2.99" })).status).toBe(200);
  });

  it("is refused with 400 if malformed", async ({ gateway }) => {
    const { authenticator } = await add(gateway, await tokenOf(gateway));
    const { token, request } = await firstStep(gateway);
    const proof = authenticator.get(request);
    const { response } = proof;
    for (const passkey of [
      {},
      null,
      { ...proof, type: "password" },
      { ...proof, id: "not base64url!" },
      { ...proof, response: { ...response, signature: "" } },
      { ...proof, response: { ...response, authenticatorData: "A".repeat(4_001) } },
    ]) {
      expect([passkey, (await prove(gateway, token, passkey)).status]).toEqual([passkey, 400]);
    }
    const both = await gateway.call("POST", "/auth/second-factor", { token, body: { passkey: proof, code: "123456" } });
    expect(both.status).toBe(400);
  });
});

describe("a new passkey", () => {
  it("is refused if it does not match the request of the session", async ({ gateway }) => {
    const token = await tokenOf(gateway);
    const certificates = new Map<string, Uint8Array | number | Uint8Array[]>([
      ["alg", -7],
      ["sig", Buffer.alloc(70)],
      ["x5c", [Buffer.alloc(100)]],
    ]);
    const deviations: Deviations[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { challenge: Buffer.alloc(32).toString("base64url") },
      { type: "webauthn.get" },
      { userPresent: false },
      { attestation: { fmt: "packed", attStmt: certificates } },
      { attestation: { fmt: "apple", attStmt: certificates } },
    ];
    for (const deviation of deviations) {
      const creation = await begin(gateway, token, "Laptop");
      const answer = await finish(gateway, token, new SoftwareAuthenticator().create(creation.body, deviation));
      expect([deviation, answer.status, answer.body]).toMatchObject([
        deviation,
        400,
        { errors: [{ code: "invalid-value", path: "passkey" }] },
      ]);
    }
    const authenticator = new SoftwareAuthenticator();
    const { id } = new SoftwareAuthenticator();
    const renamed = { ...authenticator.create((await begin(gateway, token, "Laptop")).body), id, rawId: id };
    expect((await finish(gateway, token, renamed)).status).toBe(400);
    expect((await methodsOf(gateway, token)).passkeys).toEqual([]);

    const expired = authenticator.create((await begin(gateway, token, "Laptop")).body);
    await gateway.database.pool.query("update passkey_challenges set expires_at = now() - interval '1 second'");
    expect((await finish(gateway, token, expired)).status).toBe(404);
    const registration = authenticator.create((await begin(gateway, token, "Laptop")).body);
    // Another session of the same account has no such challenge.
    expect((await finish(gateway, await tokenOf(gateway), registration)).status).toBe(404);
    expect((await finish(gateway, token, registration)).status).toBe(201);
    expect((await finish(gateway, token, registration)).status).toBe(404);
    // It cannot be added to another account.
    const grace = await tokenOf(gateway, "grace");
    const again = authenticator.create((await begin(gateway, grace, "Hers")).body);
    expect((await finish(gateway, grace, again)).status).toBe(409);
  });

  it("requires a recent sign-in, as does a removal, but not a rename", async ({ gateway }) => {
    const token = await tokenOf(gateway);
    const { passkey } = await add(gateway, token);
    const registration = new SoftwareAuthenticator().create((await begin(gateway, token, "Second")).body);
    await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '11 minutes'");
    await gateway.identity.everyoneChanged();
    const remove = await gateway.call("DELETE", `${passkeysPath}/${passkey.id}`, { token });
    for (const { status, body } of [await begin(gateway, token, "Third"), await finish(gateway, token, registration), remove]) {
      expect([status, body]).toMatchObject([401, { errors: [{ code: "sign-in-again" }] }]);
    }
    expect((await gateway.call("PUT", `${passkeysPath}/${passkey.id}`, { token, body: { name: "Old laptop" } })).status).toBe(200);
  });
});

describe("signing in again by passkey", () => {
  it("requires user verification, and starts a recent session with two factors", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: highLimits });
    const token = await tokenOf(gateway);
    const { authenticator } = await add(gateway, token);
    await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '11 minutes'");
    await gateway.identity.everyoneChanged();
    const request = async () => (await gateway.call<PasskeyRequest>("POST", "/auth/passkey/request", { token })).body;
    const proveAlone = (passkey: PasskeyAssertion) => gateway.call<LoginAnswer>("POST", "/auth/passkey", { token, body: { passkey } });
    expect(await request()).toMatchObject({ userVerification: "required", rpId: "localhost" });
    // Without a password, user presence alone is not sufficient.
    expect((await proveAlone(authenticator.get(await request(), { userVerified: false }))).status).toBe(401);
    expect((await proveAlone(new SoftwareAuthenticator().get(await request()))).status).toBe(401);
    // The challenge of another session's login is not accepted.
    expect((await proveAlone(authenticator.get((await firstStep(gateway)).request))).status).toBe(401);
    const again = await proveAlone(authenticator.get(await request()));
    expect([again.status, again.body.token.refresh_token]).toEqual([200, expect.any(String)]);
    expect((await begin(gateway, again.body.token.access_token, "Second")).status).toBe(200);
    expect((await begin(gateway, token, "Second")).status).toBe(401);
    const { rows } = await gateway.database.pool.query(
      "select second_factor from sessions where purpose = 'ordinary' and signed_in_at > now() - interval '10 minutes'",
    );
    expect(rows).toEqual([{ second_factor: true }]);
  });
});

it("a second step that comes too late does not count as a failure", async ({ gateway }) => {
  const { recoveryCodes } = await add(gateway, await tokenOf(gateway));
  const { token } = await firstStep(gateway);
  const client = await gateway.database.pool.connect();
  onTestFinished(() => client.release());
  await client.query("begin");
  await client.query("select from sessions where purpose = 'second-factor' for update");
  const proofs = recoveryCodes
    .slice(0, 2)
    .map((recoveryCode) => gateway.call("POST", "/auth/second-factor", { token, body: { recoveryCode } }));
  // Both codes are accepted before either request ends the step.
  await untilWaiting(gateway, 2);
  await client.query("commit");
  const statuses = (await Promise.all(proofs)).map(({ status }) => status);
  expect([200, 401].map((status) => statuses.filter((answered) => answered === status).length)).toEqual([1, 1]);
  expect((await gateway.database.pool.query("select state from login_failures")).rows).toEqual([]);
});

it("expired challenges are deleted", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const gateway = await identityApp({ accounts: someAccounts });
  await begin(gateway, await tokenOf(gateway), "Laptop");
  await gateway.database.pool.query("update passkey_challenges set expires_at = now() - interval '1 second'");
  await begin(gateway, await tokenOf(gateway), "Laptop");
  const count = async () => (await gateway.database.pool.query("select from passkey_challenges")).rowCount;
  expect(await count()).toBe(2);
  vi.advanceTimersByTime(10 * 60_000);
  await vi.waitFor(async () => expect(await count()).toBe(1));
});
