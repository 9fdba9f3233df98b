import { userAdministration } from "@fairway/contract/accounts";
import type { Entity } from "@fairway/contract/entities";
import { entityTypes } from "@fairway/contract/entity-types";
import { isJsonObject } from "@fairway/contract/json";
import { IconAdjustmentsHorizontal } from "#ui/icons/adjustments-horizontal.ts";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconFileDescription } from "#ui/icons/file-description.ts";
import { IconFileSearch } from "#ui/icons/file-search.ts";
import { IconFileUpload } from "#ui/icons/file-upload.ts";
import { IconFolderOpen } from "#ui/icons/folder-open.ts";
import { IconHistory } from "#ui/icons/history.ts";
import { IconLockOpen } from "#ui/icons/lock-open.ts";
import { IconLock } from "#ui/icons/lock.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlayerPlay } from "#ui/icons/player-play.ts";
import { IconShieldCheck } from "#ui/icons/shield-check.ts";
import { IconShieldLock } from "#ui/icons/shield-lock.ts";
import { IconShieldOff } from "#ui/icons/shield-off.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconToggleLeft } from "#ui/icons/toggle-left.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { refetchEntities, removeEntity, setEntityEnabled } from "./entity-calls.ts";
import type { EntityDialog } from "./entity-dialog.ts";
import { exportEntities } from "./entity-export.ts";
import { can, type EntityKind, type RowExtra } from "./entity-kind.ts";
import type { EntityRow } from "./entity-list.ts";

/** An item of a row's menu. */
export interface RowAction {
  label: string;
  icon: IconComponent;
  run: () => void;
  disabled?: boolean;
  /** Shown in red below a divider. */
  destructive?: true;
  /** Starts a new group. */
  startsGroup?: boolean;
}

const extras: Record<RowExtra, Pick<RowAction, "label" | "icon">> = {
  form: { label: "Edit as form", icon: IconAdjustmentsHorizontal },
  access: { label: "Access", icon: IconLock },
  descriptions: { label: "Edit Descriptions", icon: IconFileDescription },
  "schema-update": { label: "Update Schema", icon: IconRefresh },
  reading: { label: "How Files Are Read", icon: IconFileSearch },
  "jolt-trial": { label: "Try", icon: IconPlayerPlay },
  "doc-files": { label: "Files", icon: IconFileUpload },
  "open-fileset": { label: "Open", icon: IconFolderOpen },
  "provider-link": { label: "Provider Link", icon: IconShieldLock },
  "security-events": { label: "Security Activity", icon: IconShieldCheck },
};

export type RowActions = (row: EntityRow) => readonly RowAction[];

/** The items of a row's menu, in order. */
export function useEntityActions(kind: EntityKind, setDialog: (dialog: EntityDialog) => void): RowActions {
  const navigate = useNavigate();
  const provider = usePortal(({ ui }) => ui?.oidc);
  return useMemo(
    () => (row) => [
      ...(can(kind, "edit")
        ? [{ label: "Edit", icon: IconPencil, run: () => setDialog({ kind: "edit" as const, entity: row.entity }) }]
        : []),
      ...(can(kind, "copy")
        ? [{ label: "Copy", icon: IconCopy, run: () => setDialog({ kind: "copy" as const, entity: row.entity }) }]
        : []),
      ...(can(kind, "export") ? [{ label: "Export", icon: IconDownload, run: () => void exportEntities(kind, [row.entity]) }] : []),
      ...(can(kind, "toggle") ? [{ label: "Toggle Enabled", icon: IconToggleLeft, run: () => void toggle(kind, row) }] : []),
      ...(kind.form === "user" && row.enabled === false
        ? [{ label: "Unlock", icon: IconLockOpen, run: () => void unlock(kind, row) }]
        : []),
      ...(kind.form === "user" && row.entity["secondFactor"] === true
        ? [{ label: "Remove Second Factor", icon: IconShieldOff, run: () => void removeSecondFactor(kind, row) }]
        : []),
      ...(kind.extras ?? [])
        .filter((extra) => extra !== "provider-link" || provider || row.entity["provider"])
        .filter((extra) => extra !== "reading" || isTextDataset(row.entity))
        .map((extra) => ({
          label: extras[extra].label,
          icon: extras[extra].icon,
          startsGroup: extra === kind.extras?.[0],
          run: () =>
            extra === "form" || extra === "access"
              ? void navigate({ to: entityTypes[kind.type].address, search: { [extra]: row.id } })
              : setDialog({ kind: "row", extra, id: row.id, entity: row.entity }),
        })),
      ...(can(kind, "edit")
        ? [
            {
              label: "Revisions",
              icon: IconHistory,
              startsGroup: kind.extras === undefined,
              run: () => setDialog({ kind: "revisions" as const, id: row.id, name: row.name }),
            },
          ]
        : []),
      ...(can(kind, "remove")
        ? [
            {
              label: "Delete",
              icon: IconTrash,
              destructive: true as const,
              run: () =>
                kind.form === "user"
                  ? setDialog({ kind: "row", extra: "delete-user", id: row.id, entity: row.entity })
                  : void remove(kind, row),
            },
          ]
        : []),
    ],
    [kind, setDialog, provider, navigate],
  );
}

/** Only text files can be read in several ways. */
function isTextDataset({ source }: Entity): boolean {
  const format = isJsonObject(source) ? source["format"] : undefined;
  return format === "csv" || format === "json";
}

async function toggle(kind: EntityKind, { id, name, enabled }: EntityRow): Promise<void> {
  try {
    await setEntityEnabled(kind, id, enabled === false);
    toastSuccess(enabled === false ? `${name} enabled` : `${name} disabled`, 1200);
  } catch (error) {
    toastError("Failed to Enable/Disable", messagesOf(error).join(" "));
  }
}

async function unlock(kind: EntityKind, { id, name }: EntityRow): Promise<void> {
  try {
    await call(userAdministration.unlock, { params: { id } });
    await refetchEntities(kind);
    toastSuccess(`${name} unlocked`, 1200);
  } catch (error) {
    toastError("Unlock Failed", messagesOf(error).join(" "));
  }
}

/** For a user who lost both the device and the recovery codes. */
async function removeSecondFactor(kind: EntityKind, { id, name }: EntityRow): Promise<void> {
  const confirmed = await confirm({
    title: `Remove the Second Factor of ${name}?`,
    text: "The authenticator app, the passkeys and the recovery codes stop working, and the password alone is enough to sign in. Make sure the request really comes from this person.",
    confirmLabel: "Remove",
    destructive: true,
  });
  if (!confirmed) return;
  try {
    await call(userAdministration.removeSecondFactors, { params: { id } });
    await refetchEntities(kind);
    toastSuccess(`Second factor of ${name} removed`, 1200);
  } catch (error) {
    toastError("Second Factor Not Removed", messagesOf(error).join(" "));
  }
}

async function remove(kind: EntityKind, { id, name }: EntityRow): Promise<void> {
  const confirmed = await confirm({
    title: `Delete ${name}?`,
    text: `This deletes the ${kind.noun} for everyone, immediately.`,
    confirmLabel: "Delete",
    destructive: true,
  });
  if (!confirmed) return;
  try {
    await removeEntity(kind, id);
    toastSuccess(`${name} deleted`, 1200);
  } catch (error) {
    toastError("Failed to Delete", messagesOf(error).join(" "));
  }
}
