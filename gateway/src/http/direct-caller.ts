import type { FastifyRequest } from "fastify";

/** Headers that proxies, tunnels and load balancers add to forwarded requests. */
const forwardingHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-forwarded-for|x-real-ip|(?:x-|x-cluster-|true-)client-ip|cf-connecting-ip)$/;

/** Whether the remote address of the socket is a loopback address. */
function isLoopbackSocket(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? "";
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

/**
 * Whether the caller is on this machine and connects directly. Checks only the socket's address, even with trusted proxies,
 * and rejects any forwarding header, because behind a local proxy every caller has a loopback address.
 */
export function isDirectLoopback(request: FastifyRequest): boolean {
  return isLoopbackSocket(request) && !Object.keys(request.headers).some((name) => forwardingHeader.test(name));
}
