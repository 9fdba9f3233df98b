import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import type { AccessList } from "@fairway/contract/datasets";
import { Box, Button, Stack } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { ErrorState } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { isAccessible, lostAccess } from "./access.ts";
import { deleteFailed, GroupFailureDialog, type GroupFailure } from "./failure-dialog.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import classes from "./dataset-groups.module.css";
import { deleteGroup, groupsQuery } from "./queries.ts";

interface Props {
  /** The name of the selected group. */
  selected: string | null;
  /** null clears the selection. */
  onSelect: (name: string | null) => void;
}

/** The user's dataset groups: select, create, edit and delete. */
export function GroupSelector(props: Props) {
  const groups = useQuery(groupsQuery);
  const datasets = useQuery(datasetsQuery);
  if (groups.data && datasets.data) return <LoadedGroups groups={groups.data} list={datasets.data} {...props} />;
  const failed = groups.error && !groups.isFetching ? groups : datasets.error && !datasets.isFetching ? datasets : null;
  return (
    <Stack gap={0} flex={1} mih={0}>
      {failed ? (
        <ErrorState
          message={failed === groups ? "Error loading dataset groups." : "Error loading datasets."}
          onRetry={() => void failed.refetch()}
        />
      ) : (
        <p role="status" className={classes["loading"]}>
          Loading dataset groups...
        </p>
      )}
    </Stack>
  );
}

function LoadedGroups({ groups, list, selected, onSelect }: Props & { groups: readonly DatasetGroup[]; list: AccessList }) {
  // Null until first opened, so that the dialog mounts on first use. `round` remounts it with the saved values.
  const [dialog, setDialog] = useState<{ opened: boolean; group: DatasetGroup | null; round: number } | null>(null);
  const [failure, setFailure] = useState<GroupFailure | null>(null);
  const open = (group: DatasetGroup | null) => setDialog({ opened: true, group, round: (dialog?.round ?? 0) + 1 });
  const close = () => setDialog(dialog && { ...dialog, opened: false });

  const remove = async ({ name }: DatasetGroup) => {
    const confirmed = await confirm({
      title: "Delete Dataset Group?",
      text: "This action cannot be undone",
      confirmLabel: "Delete",
      destructive: true,
    });
    if (!confirmed) return;
    try {
      await deleteGroup(name);
      toastSuccess("Dataset Group Deleted", 1200);
      if (name === selected) onSelect(null);
    } catch (error) {
      setFailure(deleteFailed(messagesOf(error)));
    }
  };
  return (
    <Stack gap={0} flex={1} mih={0}>
      <Box flex="none" p="md">
        <Button variant="default" fullWidth leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(null)}>
          New Dataset Group
        </Button>
      </Box>
      <div className={classes["scroll"]}>
        {groups.length === 0 ? (
          <p className={classes["none"]}>No dataset groups yet. A group searches several datasets at once.</p>
        ) : (
          <ul aria-label="Dataset groups">
            {groups.map((group) => (
              <GroupRow
                key={group.id}
                group={group}
                isEnabled={isAccessible(group, list)}
                isSelected={group.name === selected}
                onSelect={() => onSelect(group.name)}
                onEdit={() => open(group)}
                onDelete={() => void remove(group)}
              />
            ))}
          </ul>
        )}
      </div>
      {dialog && (
        <GroupDialog
          key={dialog.round}
          opened={dialog.opened}
          group={dialog.group}
          list={list}
          onClose={close}
          onSaved={({ name }) => {
            close();
            onSelect(name);
          }}
        />
      )}
      <GroupFailureDialog failure={failure} onClose={() => setFailure(null)} />
    </Stack>
  );
}

interface RowProps {
  group: DatasetGroup;
  isEnabled: boolean;
  isSelected: boolean;
  onSelect: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function GroupRow({ group: { name, description, datasets }, isEnabled, isSelected, onSelect, onEdit, onDelete }: RowProps) {
  return (
    <li className={classes["item"]}>
      <div className={classes["row"]} data-selected={isSelected || undefined}>
        <button
          type="button"
          className={classes["name"]}
          aria-pressed={isSelected}
          disabled={!isEnabled}
          title={description}
          onClick={onSelect}
        >
          <span>{name}</span>
          <small>{`${datasets.length} datasets`}</small>
        </button>
        <IconButton label={`Edit ${name}`} onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </div>
      {!isEnabled && (
        <p className={classes["warning"]}>
          <IconAlertTriangle size={14} aria-hidden />
          <span>{lostAccess}</span>
        </p>
      )}
    </li>
  );
}
