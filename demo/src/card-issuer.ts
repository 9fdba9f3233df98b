import { generateKeyPairSync, randomBytes } from "node:crypto";
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cacReturnPaths } from "@fairway/contract/cac";
import type { Provider } from "oidc-provider";
import { demoAccounts } from "./accounts.ts";
import { type DemoCard, cardsPage, failedPage } from "./card-pages.ts";
import { openProvider } from "./card-provider.ts";

/** A card issuer that listens on this machine only. */
export interface RunningCardIssuer {
  readonly settings: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly issuer: string;
    readonly authUrl: string;
    readonly tokenUrl: string;
    readonly userInfoUrl: string;
  };
  /** Sets the address of the portal: browsers are redirected to its two return paths only. */
  serve(portalAddress: string): void;
  close(): Promise<void>;
}

/** A fixed name rather than the real address, so that linked cards survive a restart on another port. */
const issuer = "https://cards.fairway.example";
const clientId = "fairway-demo";
const maxFormCharacters = 10_000;

const cards: readonly DemoCard[] = demoAccounts.users.map(({ username, firstName, lastName }, index) => ({
  number: `10000000${index + 1}`,
  title: `${username}’s card`,
  holder: `${firstName} ${lastName}`,
}));

interface OpenProvider {
  readonly provider: Provider;
  readonly handle: RequestListener;
}

/** Listens on a free port of 127.0.0.1. The provider itself is loaded on the first request, to keep startup fast. */
export async function serveCards(): Promise<RunningCardIssuer> {
  const clientSecret = randomBytes(24).toString("base64url");
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  let portals: readonly string[] = [];
  let opening: Promise<OpenProvider> | undefined;
  const open = async (): Promise<OpenProvider> => {
    const redirectUris = portals.flatMap((origin) => Object.values(cacReturnPaths).map((path) => origin + path));
    const provider = await openProvider({ issuer, clientId, clientSecret, redirectUris, key });
    const callback = provider.callback();
    return { provider, handle: (request, response) => void callback(request, response) };
  };
  const server = createServer((request, response) => {
    opening ??= open();
    opening.then((opened) => handle(request, response, opened, portals)).catch((error: unknown) => fail(response, error));
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { clientId, clientSecret, issuer, authUrl: `${url}/auth`, tokenUrl: `${url}/token`, userInfoUrl: `${url}/me` },
    serve(portalAddress) {
      portals = namesOf(new URL(portalAddress));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The origins by which this machine may be reached. */
function namesOf({ protocol, host, hostname, port }: URL): string[] {
  const hosts = ["localhost", "127.0.0.1"];
  return hosts.includes(hostname) ? hosts.map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`) : [`${protocol}//${host}`];
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { provider, handle: handleAsProvider }: OpenProvider,
  portals: readonly string[],
) {
  const url = new URL(request.url ?? "/", issuer);
  if (!url.pathname.startsWith("/cards/")) {
    if (url.pathname === "/auth") request.url = withOpenId(url);
    return handleAsProvider(request, response);
  }
  // Throws for an interaction that another browser started.
  await provider.interactionDetails(request, response);
  if (request.method !== "POST") return send(response, 200, cardsPage(cards, portals));
  const chosen = (await formOf(request)).get("card")?.trim() ?? "";
  const result = /^[\w-]{1,100}$/.test(chosen)
    ? { login: { accountId: chosen } }
    : { error: "access_denied", error_description: "No card was chosen." };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** The provider only issues a profile together with an ID token. */
function withOpenId(url: URL): string {
  const scopes = new Set((url.searchParams.get("scope") ?? "").split(" "));
  if (scopes.has("UserProfile.me")) url.searchParams.set("scope", [...scopes.add("openid")].join(" "));
  return url.pathname + url.search;
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxFormCharacters) throw new Error("the form is too long");
  }
  return new URLSearchParams(text);
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else send(response, 400, failedPage(error instanceof Error ? error.message : ""));
}

function send(response: ServerResponse, status: number, { html, policy }: { html: string; policy: string }): void {
  response
    .writeHead(status, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy, "cache-control": "no-store" })
    .end(html);
}
