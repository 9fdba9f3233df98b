import { type Query, QueryClient } from "@tanstack/react-query";
import { hasNetwork, onReconnected } from "./connection.ts";
import { GatewayError } from "./gateway-error.ts";

/** Failures that may pass by themselves: no connection, or a gateway that is starting. */
const isTransient = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status === 502 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Offline calls fail and the screen reports it; the library's default would keep showing a skeleton.
      networkMode: "always",
      retry: (failures, error) => failures < 1 && hasNetwork() && isTransient(error),
      refetchOnWindowFocus: false,
      staleTime: 60_000,
    },
    mutations: { networkMode: "always" },
  },
});

const hadNoResponse = ({ state: { error } }: Query): boolean => error instanceof GatewayError && error.status === 0;

// Reload queries that failed without a connection as soon as it is back.
onReconnected(() => void queryClient.refetchQueries({ type: "active", predicate: hadNoResponse }));
