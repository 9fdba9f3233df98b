import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ExternalView } from "@fairway/contract/external-pages";
import type { AddressPolicy } from "#outbound/address-policy.ts";

export type Framing = ExternalView["framing"];

type Headers = IncomingMessage["headers"];

const timeoutMs = 2_500;
const maxRedirects = 5;

/**
 * Whether a frame of the portal can show the page, by the headers of its answer. The Content-Security-Policy of the portal allows
 * the origin of the page only, so a page that leads elsewhere is refused, too.
 */
export async function framingOf(
  page: URL,
  portalOrigin: string,
  addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">,
): Promise<Framing> {
  const signal = AbortSignal.timeout(timeoutMs);
  let url = page;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    addresses.requireAllowed(url);
    const { status, headers } = await headersOf(url, addresses.lookup, signal);
    const target = redirectTarget(url, status, headers);
    if (target === undefined) return refusesFrame(headers, url, portalOrigin) ? "refused" : "allowed";
    if (target.origin !== page.origin) return "refused";
    url = target;
  }
  return "unknown";
}

function redirectTarget(from: URL, status: number, { location }: Headers): URL | undefined {
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, from.href)) return undefined;
  return new URL(location, from.href);
}

/** Exported for tests. A policy with `frame-ancestors` overrides X-Frame-Options (CSP Level 3, 6.4.2). */
export function refusesFrame(headers: Headers, page: URL, portalOrigin: string): boolean {
  const ancestors = frameAncestors(headers["content-security-policy"]);
  if (ancestors.length > 0) return !ancestors.every((sources) => sources.some((source) => allows(source, page, portalOrigin)));
  const options = [headers["x-frame-options"] ?? []].flat().flatMap((value) => value.toLowerCase().split(","));
  return options.some((value) => value.trim() === "deny" || (value.trim() === "sameorigin" && page.origin !== portalOrigin));
}

/** The sources of every policy that has the directive. Several policies apply together. */
function frameAncestors(header: string | readonly string[] | undefined): string[][] {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .flatMap((policy) => {
      const directive = policy
        .split(";")
        .map((part) => part.trim().split(/\s+/))
        .find(([name = ""]) => name.toLowerCase() === "frame-ancestors");
      return directive === undefined ? [] : [directive.slice(1).map((source) => source.toLowerCase())];
    });
}

function allows(source: string, page: URL, portalOrigin: string): boolean {
  const portal = new URL(portalOrigin);
  if (source === "*") return true;
  if (source === "'self'") return page.origin === portal.origin;
  if (/^https?:$/.test(source)) return source === portal.protocol || (source === "http:" && portal.protocol === "https:");
  const [, scheme, host = "", port] = /^(?:(https?):\/\/)?([^/:]+)(?::(\d+|\*))?(?:\/.*)?$/.exec(source) ?? [];
  if (host === "") return false;
  const isScheme = scheme === undefined || portal.protocol === `${scheme}:` || (scheme === "http" && portal.protocol === "https:");
  const isHost = host.startsWith("*.") ? portal.hostname.endsWith(host.slice(1)) : portal.hostname === host;
  const isPort = port === "*" || (port === undefined ? portal.port === "" : portOf(portal) === port);
  return isScheme && isHost && isPort;
}

const portOf = ({ port, protocol }: URL): string => (port === "" ? (protocol === "https:" ? "443" : "80") : port);

/** Does not read the body or follow redirects. */
function headersOf(url: URL, lookup: AddressPolicy["lookup"], signal: AbortSignal): Promise<{ status: number; headers: Headers }> {
  return new Promise((resolve, reject) => {
    const call = (url.protocol === "https:" ? httpsRequest : httpRequest)(
      url,
      // Some sites answer browsers only.
      { agent: false, lookup, signal, headers: { accept: "text/html", "user-agent": "Mozilla/5.0 (compatible; Fairway)" } },
      (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
        response.destroy();
      },
    );
    // Not `once`: destroying the response may emit a second error.
    call.on("error", reject);
    call.end();
  });
}
