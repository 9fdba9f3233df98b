import { create } from "zustand";
import type { GatewayError } from "../gateway/gateway-error.ts";

/** Whether a call of the current screen was refused because the session lacks a second factor. */
export const useSecondFactorNeeded = create<{ needed: boolean }>(() => ({ needed: false }));

export function noteSecondFactorNeeded({ errors }: GatewayError): void {
  if (errors[0]?.code === "second-factor-required") useSecondFactorNeeded.setState({ needed: true });
}

/** Called when the screen or the session changes. Later calls set it again if they are refused. */
export const forgetSecondFactorNeeded = (): void => useSecondFactorNeeded.setState({ needed: false });
