import { type RefObject, type SubmitEvent, useEffect, useState } from "react";
import { GatewayError } from "#lib/gateway-error.ts";

interface Attempt {
  readonly busy: boolean;
  /** Why the last attempt failed. */
  readonly failure: string | null;
  /** For a form's `onSubmit`. */
  readonly submit: (event: SubmitEvent) => void;
}

/** Sends a form to the gateway, once at a time, while it `isReady`. `first` has the focus at the start and after a failure. */
export function useAttempt(
  isReady: boolean,
  work: () => Promise<void>,
  failureText: (error: GatewayError) => string,
  first: RefObject<HTMLInputElement | null>,
): Attempt {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => first.current?.focus(), [first]);

  async function attempt(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      setFailure(failureText(error));
      first.current?.focus();
    }
    setBusy(false);
  }

  return {
    busy,
    failure,
    submit: (event) => {
      event.preventDefault();
      if (isReady && !busy) void attempt();
    },
  };
}
