import type { Entity } from "@fairway/contract/entities";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { useDelayElapsed } from "#ui/states.tsx";
import { fetchEntity } from "../entities/entity-calls.ts";
import { displayNameOf, type EntityKind } from "../entities/entity-kind.ts";

interface LoadEntityProps {
  kind: EntityKind;
  /** The entity as cached in the list. */
  entity: Entity;
  opened: boolean;
  onClose: () => void;
  /** Renders the editor of the stored version. */
  children: (entity: Entity) => ReactNode;
}

/** Fetches an entity before it is edited, because another user may have saved it since the list was loaded. */
export default function LoadEntity({ kind, entity, opened, onClose, children }: LoadEntityProps) {
  // Each opening fetches again.
  const openingId = useId();
  const query = useQuery({
    queryKey: ["admin", kind.type, "current", entity[kind.idField], openingId],
    queryFn: ({ signal }) => fetchEntity(kind, String(entity[kind.idField]), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // Avoids flashing a loading dialog when the response is quick.
  const hasDelayElapsed = useDelayElapsed();
  if (query.data) return children(query.data);
  return (
    <Dialog
      opened={opened && (hasDelayElapsed || query.error !== null)}
      onClose={onClose}
      title={`Edit ${displayNameOf(kind, entity)}`}
      size={640}
      fillsPhone
    >
      <WithoutData
        query={query}
        loading={{ label: `Loading the ${kind.noun}`, rows: 6 }}
        failed={`The ${kind.noun} could not be loaded.`}
        canRetry={canSucceedLater}
      />
    </Dialog>
  );
}
