import type { Revision, RevisionAction } from "@fairway/contract/entities";
import { Box, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState, WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { restoreRevision, routesOf } from "../entities/entity-calls.ts";
import type { EntityDialogProps } from "../entities/entity-dialog.ts";
import { JsonDiff } from "#parts/conflict/json-diff.tsx";
import type { EntityKind } from "../entities/entity-kind.ts";
import { SaveFailure } from "./save-failure.tsx";
import classes from "./editor.module.css";

const actionLabels: Record<RevisionAction, string> = {
  create: "created",
  edit: "edited",
  enable: "enabled",
  disable: "disabled",
  delete: "deleted",
  import: "imported",
  restore: "restored",
  unlock: "unlocked",
  description: "described",
  schema: "schema updated",
  profile: "profile changed",
  password: "password changed",
};

/** The revisions of an entity, each with its diff and a way to restore it. */
export default function RevisionsDialog({
  kind,
  dialog: { id, name },
  opened,
  onClose,
}: EntityDialogProps<{ kind: "revisions"; id: string; name: string }>) {
  const [selected, setSelected] = useState<number | null>(null);
  const revisions = useQuery({
    queryKey: ["admin", kind.type, "revisions", id],
    queryFn: ({ signal }) => call(routesOf(kind).revisions, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  // Rows of an earlier opening would move down under the pointer.
  const all = revisions.isFetchedAfterMount ? revisions.data : undefined;
  const shown = selected ?? all?.[0]?.revision;
  return (
    <Dialog opened={opened} onClose={onClose} title={`Revisions of ${name}`} size={920} fillsPhone>
      {all === undefined ? (
        <WithoutData query={revisions} loading={{ label: "Loading revisions", rows: 6 }} failed="The revisions could not be loaded." />
      ) : all.length === 0 ? (
        <EmptyState>It hasn't changed since it was added.</EmptyState>
      ) : (
        <div className={classes["columns"]}>
          <div className={classes["list"]}>
            <Text px="sm" pb="xs" fz="xs" c="var(--text-3)">{`Times in ${browserZone()}`}</Text>
            <ul>
              {all.map((revision) => (
                <li key={revision.revision}>
                  <button type="button" aria-pressed={revision.revision === shown} onClick={() => setSelected(revision.revision)}>
                    <span>{localTime(revision.atMs)}</span>
                    <span className={classes["author"]}>{`${actionLabels[revision.action]} by ${revision.by ?? "the portal"}`}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
          {shown !== undefined && <Change key={shown} kind={kind} id={id} name={name} revision={shown} newest={all[0]} onClose={onClose} />}
        </div>
      )}
    </Dialog>
  );
}

interface ChangeProps {
  kind: EntityKind;
  id: string;
  name: string;
  revision: number;
  newest: Revision | undefined;
  onClose: () => void;
}

function Change({ kind, id, name, revision, newest, onClose }: ChangeProps) {
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const details = useQuery({
    queryKey: ["admin", kind.type, "revisions", id, revision],
    queryFn: ({ signal }) => call(routesOf(kind).revision, { params: { id, revision } }, { signal }),
  });
  const restore = async () => {
    const confirmed = await confirm({
      title: "Restore this version?",
      text: [
        `${name} goes back to how it was then. The current version is kept as a revision.`,
        ...(details.data?.notes ?? []).map((note) => `This ${note}.`),
      ].join(" "),
      confirmLabel: "Restore",
    });
    if (!confirmed) return;
    setFailure(null);
    try {
      await restoreRevision(kind, id, revision);
      toastSuccess(`${name} restored`, 1200);
      onClose();
    } catch (error) {
      setFailure({ title: kind.saveFailed ?? "Failed to Save", messages: messagesOf(error) });
    }
  };
  const isCurrent = newest?.revision === revision && newest.action !== "delete";
  return (
    <Box miw={0}>
      <QueryState query={details} loading={{ label: "Loading the change", rows: 6 }} failed="The change could not be loaded.">
        {(data) => <JsonDiff label="What changed" names={["Before", "After"]} before={data.before} after={data.after} />}
      </QueryState>
      <SaveFailure failure={failure} />
      <div className={classes["revisionsDialogFooter"]}>
        {isCurrent ? (
          <span>Current version</span>
        ) : (
          <Button variant="default" disabled={!details.data} onClick={() => void restore()}>
            {details.data?.after === null ? "Restore the previous version" : "Restore this version"}
          </Button>
        )}
      </div>
    </Box>
  );
}
