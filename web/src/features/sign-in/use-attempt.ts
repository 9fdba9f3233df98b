import { type RefObject, type SubmitEvent, useEffect, useState } from "react";
import { GatewayError } from "#lib/gateway/gateway-error.ts";

interface Attempt {
  readonly busy: boolean;
  /** Why the last attempt failed. */
  readonly failure: string | null;
  /** For a form's `onSubmit`. */
  readonly submit: (event: SubmitEvent) => void;
}

/** Submits a form, one attempt at a time, while it `isReady`. `firstInput` is focused initially and after a failure. */
export function useAttempt(
  isReady: boolean,
  send: () => Promise<void>,
  failureText: (error: GatewayError) => string,
  firstInput: RefObject<HTMLInputElement | null>,
): Attempt {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => firstInput.current?.focus(), [firstInput]);

  async function attempt(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await send();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      setFailure(failureText(error));
      firstInput.current?.focus();
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
