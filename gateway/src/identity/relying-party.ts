import { isIP } from "node:net";

/** The address that a passkey belongs to: the browser offers it at hosts of this name alone. */
export interface RelyingParty {
  /** The host name: WebAuthn's RP ID. */
  readonly id: string;
  /** What the browser has to say of the page that asked. */
  readonly origin: string;
}

/**
 * Undefined where passkeys do not work: at an IP address, and over http anywhere but on this machine. `requested` is what the
 * caller asked for, whose host was checked already. `publicUrl` counts where it is of the same host, as a proxy may end TLS
 * without saying so, and where the request's own address is one that no browser takes.
 */
export function relyingPartyOf(requested: string, publicUrl: string | undefined): RelyingParty | undefined {
  const own = partyOf(requested);
  const published = publicUrl === undefined ? undefined : partyOf(publicUrl);
  const isPublished = published !== undefined && published.id === hostNameOf(requested);
  return isPublished ? published : (own ?? published);
}

function partyOf(address: string): RelyingParty | undefined {
  // The host may be missing (HTTP/1.0) or have an impossible port.
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, origin } = new URL(address);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return undefined;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return protocol === "https:" || isLocal ? { id: hostname, origin } : undefined;
}

const hostNameOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).hostname : undefined);
