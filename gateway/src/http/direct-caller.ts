import type { FastifyRequest } from "fastify";

/** What proxies, tunnels and load balancers add to the requests they pass on. */
const forwardingHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-forwarded-for|x-real-ip|(?:x-|x-cluster-|true-)client-ip|cf-connecting-ip)$/;

/** Whether the socket's own address is this machine's. */
function isLoopbackSocket(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? "";
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

/**
 * Whether the caller sits on this machine and came directly. Only the socket's address counts, trusted proxies or not, and
 * any forwarding header spoils it: behind a proxy every caller seems to sit here.
 */
export function isDirectLoopback(request: FastifyRequest): boolean {
  return isLoopbackSocket(request) && !Object.keys(request.headers).some((name) => forwardingHeader.test(name));
}
