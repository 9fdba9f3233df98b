import { Button } from "@mantine/core";
import { type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { ChunkLoadError } from "#lib/chunk-load.ts";
import { onReconnected } from "#lib/connection.ts";
import { logFailure } from "#lib/log.ts";
import { forgetFailedParts } from "#ui/late-part.tsx";
import { loadErrorText } from "#ui/load-error-text.ts";
import { ErrorState } from "#ui/states.tsx";

/** In the place of a screen that did not load, or broke while it was drawn. Everything around it goes on. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  useEffect(() => logFailure("A screen could not be shown", error), [error]);
  if (error instanceof ChunkLoadError) return <LoadError error={error} reset={reset} />;
  return (
    <ErrorState
      message="This screen could not be shown."
      details={["What is open is kept. Try again, or go to another screen."]}
      onRetry={reset}
    />
  );
}

/** A screen whose code did not arrive: tried again on Retry and when the network is back. */
function LoadError({ error, reset }: { error: ChunkLoadError; reset: () => void }) {
  const { text, isOutdated } = loadErrorText(error);
  useEffect(() => onReconnected(() => loadAgain(reset)), [reset]);
  return (
    <ErrorState
      message={text}
      {...(isOutdated ? {} : { onRetry: () => loadAgain(reset) })}
      action={
        <Button variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  );
}

function loadAgain(reset: () => void): void {
  forgetFailedParts();
  reset();
}
