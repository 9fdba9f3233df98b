import { isIP } from "node:net";

/** The site that a passkey is bound to. */
export interface RelyingParty {
  /** The host name: WebAuthn's RP ID. */
  readonly id: string;
  /** Expected origin of the page that requests the passkey. */
  readonly origin: string;
}

/**
 * Undefined if passkeys do not work: at an IP address, and over http except on localhost. `requested` is the requested origin,
 * whose host was already checked. `publicUrl` applies if it has the same host, because a proxy may terminate TLS without
 * forwarding the scheme, or if the requested origin does not support passkeys.
 */
export function relyingPartyOf(requested: string, publicUrl: string | undefined): RelyingParty | undefined {
  const direct = partyOf(requested);
  const published = publicUrl === undefined ? undefined : partyOf(publicUrl);
  const isPublished = published !== undefined && published.id === hostNameOf(requested);
  return isPublished ? published : (direct ?? published);
}

function partyOf(address: string): RelyingParty | undefined {
  // The host may be missing (HTTP/1.0) or have an invalid port.
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, origin } = new URL(address);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return undefined;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return protocol === "https:" || isLocal ? { id: hostname, origin } : undefined;
}

const hostNameOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).hostname : undefined);
