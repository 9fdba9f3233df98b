import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** A host with its port, as in the `Host` header: `name`, `name:8080`, `[::1]:8080`. */
const hostShape = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{0,5}))?$/i;

interface Host {
  readonly name: string;
  /** Undefined if the host has no port. */
  readonly port: number | undefined;
}

export function parseHost(text: string): Host | undefined {
  const [, name, port] = hostShape.exec(text) ?? [];
  if (name === undefined) return undefined;
  // `localhost.`, with the dot of the DNS root, is the same name.
  return { name: name.toLowerCase().replace(/(?<=.)\.$/, ""), port: port ? Number(port) : undefined };
}

/**
 * Refuses requests for hosts that are not allowed, so that another site cannot reach the portal through a name that it points
 * at this machine (DNS rebinding). `allowed` undefined allows every host; an entry without a port allows every port. Requests
 * with no host or several hosts are always refused. Decision 0141.
 */
export function installAllowedHosts(
  app: FastifyInstance,
  allowed: readonly string[] | undefined,
  isExempt: (request: FastifyRequest) => boolean,
): void {
  const entries = allowed?.map(parseHost).filter((host) => host !== undefined);
  const isAllowed = (text: string, defaultPort: number): boolean => {
    const host = parseHost(text);
    return (
      host !== undefined &&
      (entries === undefined ||
        entries.some(({ name, port }) => name === host.name && (port === undefined || port === (host.port ?? defaultPort))))
    );
  };
  app.addHook("onRequest", (request, _reply, done) => {
    const problem = hostProblem(request.raw);
    if (problem !== undefined) throw new Refusal("invalid-request", problem);
    const defaultPort = request.protocol === "https" ? 443 : 80;
    // Behind a trusted proxy, the forwarded host is checked as well, because URLs are built from it.
    const hosts = new Set([request.headers.host ?? "", request.host]);
    if (entries !== undefined && !isExempt(request) && ![...hosts].every((host) => isAllowed(host, defaultPort))) {
      throw new Refusal(
        "host-not-allowed",
        "This host name is not allowed. The portal's operator lists the allowed ones in ALLOWED_HOSTS.",
      );
    }
    done();
  });
}

/** The problem with a request's Host header. Only HTTP/1.0 may omit it. */
function hostProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (count > 1) return "The request has more than one Host header.";
  if (count === 0) return httpVersion === "1.0" ? undefined : "The request has no Host header.";
  return parseHost(headers.host ?? "") === undefined ? "The Host header is not a valid host." : undefined;
}

/**
 * For Fastify's `rewriteUrl`: converts a target in absolute form (`GET http://host/path`) to its path, and replaces the Host
 * header with its host (RFC 9112). Other targets are not changed and match no route.
 */
export function originForm(request: Pick<IncomingMessage, "url" | "headers">): string {
  const target = request.url ?? "/";
  const [origin, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (origin === undefined || authority === undefined) return target;
  // parseHost refuses an empty host or one with a user name.
  if (request.headers.host !== undefined) request.headers.host = authority;
  const rest = target.slice(origin.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
