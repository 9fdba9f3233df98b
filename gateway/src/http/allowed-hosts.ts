import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** A host with its port, as in the `Host` header: `name`, `name:8080`, `[::1]:8080`. */
const hostShape = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{0,5}))?$/i;

interface Host {
  readonly name: string;
  /** Undefined where none is named. */
  readonly port: number | undefined;
}

export function parseHost(text: string): Host | undefined {
  const [, name, port] = hostShape.exec(text) ?? [];
  if (name === undefined) return undefined;
  // `localhost.` with the dot of the DNS root is the same name.
  return { name: name.toLowerCase().replace(/(?<=.)\.$/, ""), port: port ? Number(port) : undefined };
}

/**
 * Refuses requests for a host that is not one of ours, so that a web page of another site cannot reach the portal by a name
 * that it points at this machine (DNS rebinding). `allowed` undefined lets every host in; an entry without a port allows
 * every port. Requests that name no host, or several, are refused either way. Decision 0141.
 */
export function installAllowedHosts(
  app: FastifyInstance,
  allowed: readonly string[] | undefined,
  isExempt: (request: FastifyRequest) => boolean,
): void {
  const entries = allowed?.map(parseHost).filter((host) => host !== undefined);
  const admits = (text: string, defaultPort: number): boolean => {
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
    // Behind a trusted proxy the forwarded name counts as well: addresses are made of it.
    const named = new Set([request.headers.host ?? "", request.host]);
    if (entries !== undefined && !isExempt(request) && ![...named].every((host) => admits(host, defaultPort))) {
      throw new Refusal(
        "host-not-allowed",
        "The portal does not answer for this host name. Its operator lists the allowed ones in ALLOWED_HOSTS.",
      );
    }
    done();
  });
}

/** What is wrong with how a request names its host. Only HTTP/1.0 may leave it out. */
function hostProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (count > 1) return "The request has more than one Host header.";
  if (count === 0) return httpVersion === "1.0" ? undefined : "The request has no Host header.";
  return parseHost(headers.host ?? "") === undefined ? "The Host header is not a valid host." : undefined;
}

/**
 * For Fastify's `rewriteUrl`: a target in absolute form (`GET http://host/path`) becomes its path, and its host takes the place
 * of the Host header, as RFC 9112 has it. What is neither a path nor an http address stays as it is and is found nowhere.
 */
export function originForm(request: Pick<IncomingMessage, "url" | "headers">): string {
  const target = request.url ?? "/";
  const [start, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (start === undefined || authority === undefined) return target;
  // A host of nothing, or with a user in front, is one that parseHost refuses.
  if (request.headers.host !== undefined) request.headers.host = authority;
  const rest = target.slice(start.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
