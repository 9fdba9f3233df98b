import type { Entity } from "@fairway/contract/entities";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { canSucceedLater, messagesOf } from "#lib/gateway-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorState, LoadingRows, useDelayElapsed } from "#ui/states.tsx";
import { freshEntity } from "./entity-calls.ts";
import { callNameOf, type EntityKind } from "./entity-kind.ts";

interface FreshEntityProps {
  kind: EntityKind;
  /** As the list last saw it. */
  entity: Entity;
  opened: boolean;
  onClose: () => void;
  /** What edits it, as it stands now. */
  children: (entity: Entity) => ReactNode;
}

/** Reads an entity before it is edited: somebody may have saved it since the list was read. */
export default function FreshEntity({ kind, entity, opened, onClose, children }: FreshEntityProps) {
  // Each opening reads it again.
  const opening = useId();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["admin", kind.type, "current", entity[kind.idField], opening],
    queryFn: ({ signal }) => freshEntity(kind, String(entity[kind.idField]), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // What is quick shows no dialog that gives way to another at once.
  const late = useDelayElapsed();
  if (data) return children(data);
  const isWaiting = isFetching || !error;
  return (
    <Dialog opened={opened && (late || !isWaiting)} onClose={onClose} title={`Edit ${callNameOf(kind, entity)}`} size={640} fillsPhone>
      {isWaiting ? (
        <LoadingRows label={`Loading the ${kind.noun}`} rows={6} />
      ) : (
        <ErrorState
          message={`The ${kind.noun} could not be loaded.`}
          details={messagesOf(error)}
          onRetry={canSucceedLater(error) ? () => void refetch() : undefined}
        />
      )}
    </Dialog>
  );
}
