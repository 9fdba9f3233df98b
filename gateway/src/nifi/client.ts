import type { z } from "zod";
import { type AddressPolicy, AddressRefused } from "#outbound/address-policy.ts";
import { boundedFetch } from "#outbound/bounded-fetch.ts";
import { TurnsByName } from "#turns/turns-by-name.ts";
import { NifiFailed, callFailure } from "./failure.ts";
import { plainText } from "./plain-text.ts";
import { secretFilter } from "./secret-filter.ts";

export type NifiCredentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "token"; readonly authToken: string }
  | { readonly kind: "none" };

export interface NifiAddress {
  /** As administrators enter it: with or without `/nifi` or `/nifi-api` at its end. A proxy's path before that is kept. */
  readonly baseUrl: string;
  readonly connectTimeoutMs: number;
  /** For each whole answer, not between two packets. */
  readonly readTimeoutMs: number;
  /** Certificates in PEM to trust in addition to the public ones. */
  readonly ca?: string | undefined;
  readonly credentials: NifiCredentials;
}

interface NifiCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/nifi-api`, with a query. */
  readonly path: string;
  /** Sent as JSON, except a multipart form. */
  readonly body?: unknown;
}

export interface NifiAnswer {
  readonly contentType: string;
  readonly text: string;
}

/** Definitions of flows are larger than the 5 MB that users upload: NiFi adds ids and descriptors to every component. */
const maxAnswerBytes = 32_000_000;
const maxReasonCharacters = 500;
const neverAborted = new AbortController().signal;

/** By host. A call under way holds up to `maxAnswerBytes`, and each ends by the timeouts of its environment. */
const calls = new TurnsByName(
  { turns: 8, perOwner: 4, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity },
  { subject: "The NiFi", work: "calls of a NiFi" },
);

/** Opens no connection yet. `addresses` decides what the portal may call. Throws NifiFailed for a URL that cannot be used. */
export function nifiClient(address: NifiAddress, addresses: AddressPolicy): NifiClient {
  return new NifiClient(address, addresses);
}

/**
 * Calls the REST API of one NiFi with the credentials of one person. Signs in on the first call; the token is only in memory. Use a
 * new client for each deployment or check, and keep none.
 */
export class NifiClient {
  readonly host: string;
  readonly #api: string;
  readonly #address: NifiAddress;
  readonly #addresses: AddressPolicy;
  readonly #sendsPlainly: boolean;
  #token: Promise<string | undefined> | undefined;
  #repeatsSecrets: (text: string) => boolean;

  constructor(address: NifiAddress, addresses: AddressPolicy) {
    const url = apiUrl(address.baseUrl);
    this.host = url.host;
    this.#api = url.href;
    this.#address = address;
    this.#repeatsSecrets = secretFilter(secretsIn(address.credentials));
    this.#sendsPlainly = url.protocol === "http:" && address.credentials.kind !== "none";
    // Decision 0440: unencrypted credentials go only to addresses that the operator listed.
    this.#addresses = this.#sendsPlainly ? addresses.listedOnly() : addresses;
  }

  /** Rejects with NifiFailed if NiFi does not accept the credentials. */
  async signIn(): Promise<void> {
    await this.#authorization();
  }

  async json<Shape extends z.ZodType>(shape: Shape, call: NifiCall): Promise<z.infer<Shape>> {
    const { text, contentType } = await this.text(call);
    const parsed = checked(shape, text);
    if (parsed?.success === true) return parsed.data;
    const issue = parsed?.error.issues[0];
    throw new NifiFailed(
      "not-nifi",
      contentType.includes("html") || issue === undefined || issue.path.length === 0
        ? `${this.host} does not respond like NiFi. Check the address of the environment.`
        : `The response of ${this.host} lacks ${this.shown(issue.path.join("."))}. It may not be NiFi, or it is a version that the portal does not know.`,
    );
  }

  /** Answers with the status 2xx only. */
  async text(call: NifiCall): Promise<NifiAnswer> {
    const token = await this.#authorization();
    const response = await this.#send(call, token);
    const answer = { contentType: response.headers.get("content-type") ?? "", text: await response.text() };
    if (response.ok) return answer;
    throw this.#statusFailure(call, response.status, answer);
  }

  #authorization(): Promise<string | undefined> {
    this.#token ??= this.#obtainToken();
    return this.#token;
  }

  async #obtainToken(): Promise<string | undefined> {
    const { credentials } = this.#address;
    if (credentials.kind === "none") return undefined;
    if (credentials.kind === "token") return requireHeaderText(bareToken(credentials.authToken));
    const { username, password } = credentials;
    const path = "/access/token";
    const form = new URLSearchParams({ username, password });
    const response = await this.#send({ method: "POST", path, body: form }, undefined);
    const text = await response.text();
    if (response.status === 201 || response.status === 200) {
      const obtained = requireHeaderText(text.trim());
      this.#repeatsSecrets = secretFilter([password, obtained]);
      return obtained;
    }
    if (response.status === 400 || response.status === 401) {
      throw new NifiFailed("signed-out", "NiFi does not accept the username and password.", response.status);
    }
    if (response.status === 409) {
      throw new NifiFailed("refused", "This NiFi has no sign-in with username and password.", response.status);
    }
    throw this.#statusFailure({ method: "POST", path }, response.status, { contentType: "", text: "" });
  }

  #send(call: NifiCall, token: string | undefined): Promise<Response> {
    return calls.run(this.host, () => this.#sendNow(call, token));
  }

  async #sendNow({ method, path, body }: NifiCall, token: string | undefined): Promise<Response> {
    const url = new URL(`${this.#api}${path}`);
    const { connectTimeoutMs, readTimeoutMs, ca } = this.#address;
    const content = body === undefined ? undefined : await encoded(body);
    const headers = {
      accept: "application/json, text/plain, application/xml",
      ...(content && { "content-type": content.type, "content-length": String(content.bytes.length) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const timeouts = { connectMs: connectTimeoutMs, readMs: readTimeoutMs };
    try {
      return await boundedFetch(this.#addresses, maxAnswerBytes, url, {
        service: "nifi",
        method,
        headers,
        body: content?.bytes,
        signal: neverAborted,
        ca,
        timeouts,
      });
    } catch (error) {
      if (this.#sendsPlainly && error instanceof AddressRefused) throw insecure(this.host);
      throw callFailure(error, this.host, this.#address);
    }
  }

  #statusFailure({ path }: Pick<NifiCall, "method" | "path">, status: number, answer: NifiAnswer): NifiFailed {
    // NiFi's texts about permissions can repeat credentials in any form.
    const reason = status === 401 || status === 403 ? "." : this.#reasonIn(answer);
    const isAnonymous = this.#address.credentials.kind === "none";
    if (status === 401) {
      const message = isAnonymous ? "This NiFi requires a sign-in" : "NiFi does not accept the credentials; a token may have expired";
      return new NifiFailed("signed-out", `${message}${reason}`, status);
    }
    if (status === 403) return new NifiFailed("forbidden", `The NiFi user is not allowed to do this${reason}`, status);
    if (status >= 300 && status < 400) {
      return new NifiFailed("not-nifi", `${this.host} points to another address, which the portal does not follow.`, status);
    }
    if (status === 404 && (path === "/flow/about" || path === "/access/token")) {
      return new NifiFailed("not-nifi", `No NiFi answers at ${this.host}. Check the address of the environment.`, status);
    }
    if (status === 404) return new NifiFailed("missing", `NiFi does not have this${reason}`, status);
    if (status < 500) return new NifiFailed("refused", `NiFi refused this${reason}`, status);
    return new NifiFailed("failed", `NiFi failed with the status ${status}${reason}`, status);
  }

  /** Ends a sentence with NiFi's own text, if it is one that users may see. */
  #reasonIn({ contentType, text }: NifiAnswer): string {
    return contentType.includes("html") || /^\s*[<{]/.test(text) ? "." : this.says(text);
  }

  /** Ends a sentence with a text of NiFi, unless the text repeats credentials. */
  says(text: string): string {
    const short = this.#repeatsSecrets(text) ? "" : plainText(text, maxReasonCharacters);
    if (short === "") return ".";
    return `. NiFi says: ${/[.!?…]$/.test(short) ? short : `${short}.`}`;
  }

  /** A name or version that NiFi gave, unless it repeats credentials. */
  shown(text: string): string {
    return this.#repeatsSecrets(text) ? "(hidden)" : text;
  }
}

const insecure = (host: string): NifiFailed =>
  new NifiFailed(
    "insecure",
    `The portal does not send credentials to ${host} unencrypted. Use an https address, or deploy without credentials; an operator can allow it for the address.`,
  );

/** The address of the REST API. */
function apiUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") {
    throw new NifiFailed("refused", "The base URL of the environment has to be an http or https address without credentials.");
  }
  const context = url.pathname.replace(/\/$/, "").replace(/\/nifi(?:-api)?$/, "");
  return new URL(`${url.origin}${context}/nifi-api`);
}

function secretsIn(credentials: NifiCredentials): string[] {
  if (credentials.kind === "none") return [];
  return credentials.kind === "password" ? [credentials.password] : [credentials.authToken, bareToken(credentials.authToken)];
}

const bareToken = (token: string): string =>
  token
    .trim()
    .replace(/^bearer /i, "")
    .trim();

/** A token becomes a header, so that line breaks must not get into it. */
function requireHeaderText(token: string): string {
  if (/^[\x21-\x7e]{1,16000}$/.test(token)) return token;
  throw new NifiFailed("signed-out", "The token is empty, too long, or contains characters that no token has.");
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined for an answer that is nested too deeply to be checked. */
function checked<Shape extends z.ZodType>(shape: Shape, text: string): z.ZodSafeParseResult<z.infer<Shape>> | undefined {
  try {
    return shape.safeParse(parsedJson(text));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `Response` encodes forms, multipart boundaries included. */
async function encoded(body: unknown): Promise<{ type: string; bytes: Uint8Array }> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const response = isForm ? new Response(body) : new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
  return { type: response.headers.get("content-type") ?? "", bytes: new Uint8Array(await response.arrayBuffer()) };
}
