import { QueryClient } from "@tanstack/react-query";
import { GatewayError } from "./gateway-error.ts";

/** A refusal stays a refusal; only what may pass by itself (no connection, a gateway starting) is tried again, once. */
const mayPass = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status === 502 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 1 && mayPass(error), refetchOnWindowFocus: false, staleTime: 60_000 },
  },
});
