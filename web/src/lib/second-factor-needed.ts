import { create } from "zustand";
import type { GatewayError } from "./gateway-error.ts";

/** Whether a call of the screen that is shown was refused because the session proved a password only. */
export const useSecondFactorNeeded = create<{ needed: boolean }>(() => ({ needed: false }));

export function noteSecondFactorNeeded({ errors }: GatewayError): void {
  if (errors[0]?.code === "second-factor-required") useSecondFactorNeeded.setState({ needed: true });
}

/** Another screen is shown, or the session is another one: its calls say again whether they are refused. */
export const forgetSecondFactorNeeded = (): void => useSecondFactorNeeded.setState({ needed: false });
