import { Button } from "@mantine/core";
import { type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { ChunkLoadError } from "#lib/browser/chunk-load.ts";
import { onReconnected } from "#lib/gateway/connection.ts";
import { logFailure } from "#lib/browser/log.ts";
import { resetFailedParts } from "#ui/late-part.tsx";
import { loadErrorText } from "#ui/load-error-text.ts";
import { ErrorState } from "#ui/states.tsx";

/** Shown in place of a screen that failed to load or to render. Everything around it keeps working. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  useEffect(() => logFailure("A screen could not be shown", error), [error]);
  if (error instanceof ChunkLoadError) return <LoadError error={error} reset={reset} />;
  return (
    <ErrorState
      message="This screen could not be shown."
      details={["Your open searches are kept. Try again, or go to another screen."]}
      onRetry={reset}
    />
  );
}

/** A screen whose code could not be loaded. Loads it again on Retry and when the network is back. */
function LoadError({ error, reset }: { error: ChunkLoadError; reset: () => void }) {
  const { text, isOutdated } = loadErrorText(error);
  useEffect(() => onReconnected(() => retryLoad(reset)), [reset]);
  return (
    <ErrorState
      message={text}
      {...(isOutdated ? {} : { onRetry: () => retryLoad(reset) })}
      action={
        <Button variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  );
}

function retryLoad(reset: () => void): void {
  resetFailedParts();
  reset();
}
