import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { ChunkLoadError } from "#lib/chunk-load.ts";
import { logFailure } from "#lib/log.ts";
import { ErrorState } from "#ui/states.tsx";

/** In the place of a screen that did not load, or broke while it was drawn. Everything around it goes on. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  useEffect(() => logFailure("A screen could not be shown", error), [error]);
  if (error instanceof ChunkLoadError) return <LoadError />;
  return (
    <ErrorState
      message="This screen could not be shown."
      details={["What is open is kept. Try again, or go to another screen."]}
      onRetry={reset}
    />
  );
}

/** A part of the application that did not arrive. */
export function LoadError() {
  return (
    <ErrorState
      message="This part of the application could not be loaded. Reload the page to try again."
      action={
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  );
}
