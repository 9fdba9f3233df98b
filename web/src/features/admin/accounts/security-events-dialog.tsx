import { userAdministration } from "@fairway/contract/accounts";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { SecurityEvents } from "#parts/security-events/security-events.tsx";
import { Dialog } from "#ui/dialog/dialog.tsx";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { displayNameOf } from "../entities/entity-kind.ts";

/** The security activity of a user. */
export default function SecurityEventsDialog({ kind, dialog: { id, entity }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const events = useQuery({
    queryKey: ["admin", kind.type, "security-events", id],
    queryFn: ({ signal }) => call(userAdministration.securityEvents, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={`Security Activity of ${displayNameOf(kind, entity)}`} size={640} fillsPhone>
      <Text size="xs" mb="sm" c="dimmed">{`The last 50 changes to how this user signs in. Times in ${browserZone()}`}</Text>
      <SecurityEvents events={events} label="Security activity" owner="the user" />
    </Dialog>
  );
}
