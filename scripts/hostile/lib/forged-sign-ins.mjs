// @ts-check
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { openServer } from "./liar.mjs";

/** @typedef {Readonly<Record<string, unknown>>} Json */

export const client = { id: "fairway", secret: "a secret of the portal and its provider" };

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2_048 });
const [ownKey, otherKey] = [newKey(), newKey()];
const publicKey = { .../** @type {Json} */ (ownKey.publicKey.export({ format: "jwk" })), kid: "key", use: "sig", alg: "RS256" };
const publicPem = ownKey.publicKey.export({ type: "spki", format: "pem" }).toString();

const part = (/** @type {Json} */ value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * @param {Json} claims
 * @param {Json} [header]
 * @param {import("node:crypto").KeyObject | string} [key] a text is a shared secret; empty: no signature
 */
export function signed(claims, header = {}, key = ownKey.privateKey) {
  const text = `${part({ alg: "RS256", kid: "key", ...header })}.${part(claims)}`;
  const shared = (/** @type {string} */ secret) => (secret === "" ? Buffer.alloc(0) : createHmac("sha256", secret).update(text).digest());
  const signature = typeof key === "string" ? shared(key) : sign("sha256", Buffer.from(text), key);
  return `${text}.${signature.toString("base64url")}`;
}

/** ID tokens that nobody may be signed in with, from the claims of one without faults. @type {Readonly<Record<string, (claims: Json) => string>>} */
export const forgedTokens = {
  "alg: none": (claims) => signed(claims, { alg: "none" }, ""),
  "HS256 with the public key": (claims) => signed(claims, { alg: "HS256" }, publicPem),
  "HS256 with the client's secret": (claims) => signed(claims, { alg: "HS256" }, client.secret),
  "another key": (claims) => signed(claims, {}, otherKey.privateKey),
  "another issuer": (claims) => signed({ ...claims, iss: "https://evil.example" }),
  "another audience": (claims) => signed({ ...claims, aud: "another" }),
  "another nonce": (claims) => signed({ ...claims, nonce: "another" }),
  "an end in the past": (claims) => signed({ ...claims, exp: Number(claims["iat"]) - 3_600 }),
  "a beginning in the future": (claims) => signed({ ...claims, iat: Number(claims["iat"]) + 3_600 }),
  "no subject": (claims) => signed({ ...claims, sub: undefined }),
  "100,000 groups": (claims) => signed({ ...claims, groups: Array(100_000).fill("g") }),
  "a claim of 1 MB": (claims) => signed({ ...claims, note: "n".repeat(1_000_000) }),
};

/** As many keys as fit into an answer of so many bytes, and then the right one. @param {number} bytes */
export function manyKeys(bytes) {
  const modulus = Buffer.alloc(16).toString("base64url");
  const one = JSON.stringify({ kty: "RSA", kid: "k", n: modulus, e: "AQAB" });
  const count = Math.floor((bytes - 1_000) / (one.length + 1));
  return `{"keys":[${`${one},`.repeat(count)}${JSON.stringify(publicKey)}]}`;
}

/**
 * A provider that lies. A code says what the token endpoint does with it; `lies` says it for other endpoints.
 * @param {{ key: string, cert: string }} [certificate]
 */
export async function openProvider(certificate) {
  /** Lies of endpoints in place of an answer, from a list in turn or always the same. @type {Map<string, import("./liar.mjs").Lie | import("./liar.mjs").Lie[]>} */
  const lies = new Map();
  /** @type {Map<string, (response: import("./liar.mjs").Response) => void>} */
  const codes = new Map();
  /** The body of the user information, by access token. @type {Map<string, (response: import("./liar.mjs").Response) => void>} */
  const users = new Map();
  /** @type {string[]} */
  const calls = [];
  let discovery = /** @type {Json} */ ({});
  const json = (/** @type {import("./liar.mjs").Response} */ response, /** @type {unknown} */ value) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(typeof value === "string" ? value : JSON.stringify(value));
  const { useCertificate, port, close } = await openServer((request, body, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://provider");
    calls.push(pathname);
    const lie = lies.get(pathname);
    const next = Array.isArray(lie) ? lie.shift() : lie;
    if (next !== undefined) return next(response);
    if (pathname === "/.well-known/openid-configuration") return json(response, { ...endpoints, ...discovery });
    if (pathname === "/keys") return json(response, { keys: [publicKey] });
    if (pathname === "/token") return (codes.get(new URLSearchParams(body).get("code") ?? "") ?? refuseCode)(response);
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    return (users.get(token) ?? ((/** @type {import("./liar.mjs").Response} */ one) => json(one, { sub: token })))(response);
  }, certificate);
  const url = certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  const endpoints = {
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    userinfo_endpoint: `${url}/me`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
  };
  return {
    url,
    useCertificate,
    calls,
    lies,
    codes,
    users,
    close,
    json,
    /** @param {Json} changes of what discovery says */
    describe: (changes) => (discovery = changes),
    /** Claims of an ID token without faults. @param {string} nonce @param {string} sub */
    claims: (nonce, sub) => {
      const iat = Math.floor(Date.now() / 1_000);
      return { iss: url, sub, aud: client.id, iat, exp: iat + 60, auth_time: iat, nonce, preferred_username: sub };
    },
    /** @param {string} idToken @param {string} sub */
    tokens: (idToken, sub) => ({ access_token: sub, token_type: "Bearer", id_token: idToken, refresh_token: `refresh of ${sub}` }),
  };
}

const refuseCode = (/** @type {import("./liar.mjs").Response} */ response) =>
  void response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
