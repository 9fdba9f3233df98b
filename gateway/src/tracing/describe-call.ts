import type { SpanDescription } from "./trace.ts";

/** A call of another service. Without its path and query, which may hold names and values of users. */
export const describeCall = (service: string, operation: string, { hostname, port, protocol }: URL): SpanDescription => ({
  name: `${operation} ${service}`,
  kind: "client",
  attributes: {
    "server.address": hostname,
    "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
  },
});
