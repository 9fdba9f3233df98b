import { type Query, QueryClient } from "@tanstack/react-query";
import { hasNetwork, onReconnected } from "./connection.ts";
import { GatewayError } from "./gateway-error.ts";

/** A refusal stays a refusal; only what may pass by itself (no connection, a gateway starting) is tried again, once. */
const mayPass = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status === 502 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network a call fails and the screen says so; the library's default waits for a network behind a skeleton.
      networkMode: "always",
      retry: (failures, error) => failures < 1 && hasNetwork() && mayPass(error),
      refetchOnWindowFocus: false,
      staleTime: 60_000,
    },
    mutations: { networkMode: "always" },
  },
});

const gotNoAnswer = ({ state: { error } }: Query): boolean => error instanceof GatewayError && error.status === 0;

// What failed for want of a connection is loaded by itself once there is one.
onReconnected(() => void queryClient.refetchQueries({ type: "active", predicate: gotNoAnswer }));
