import { formatCount, pluralize } from "@fairway/contract/counts";
import { Box, Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { changeEntities } from "./entity-calls.ts";
import { exportEntities } from "./entity-export.ts";
import { can, type EntityKind } from "./entity-kind.ts";
import type { EntityRow } from "./entity-list.ts";
import { toastRefused } from "./refused-toast.ts";
import classes from "./entities.module.css";

interface EntityFooterProps {
  kind: EntityKind;
  total: number;
  shown: number;
  /** The selected rows among the shown ones. */
  selected: readonly EntityRow[];
  onDone: () => void;
  /** Deletes the selected rows in a dialog of their own. */
  onDelete?: (() => void) | undefined;
  /** Shown after the count. */
  children?: ReactNode;
}

interface BulkAction {
  action: "enable" | "disable" | "delete";
  done: string;
  failed: string;
}

/** The row counts and the bulk actions for selected rows. */
export function EntityFooter({ kind, total, shown, selected, onDone, onDelete, children }: EntityFooterProps) {
  const [running, setRunning] = useState<string | null>(null);

  const runBulk = async (label: string, { action, done, failed }: BulkAction) => {
    setRunning(label);
    try {
      const { changed, refused } = await changeEntities(
        kind,
        selected.map(({ id }) => id),
        action,
      );
      if (changed.length > 0) toastSuccess(`${formatCount(changed.length)} ${done}`, 1200);
      if (refused.length === 0) onDone();
      else toastRefused(failed, refused);
    } catch (error) {
      toastError(failed, messagesOf(error).join(" "));
    }
    setRunning(null);
  };
  const remove = async () => {
    const confirmed = await confirm({
      title: `Delete ${pluralize(selected.length, kind.noun, kind.plural)}?`,
      text: "These are deleted for everyone. Items still in use are kept.",
      confirmLabel: "Delete",
      destructive: true,
    });
    if (confirmed) await runBulk("Delete", { action: "delete", done: "deleted", failed: "Failed to Delete" });
  };

  const action = (label: string, run: () => unknown, color?: "red") => (
    <Button
      key={label}
      variant="default"
      size="xs"
      loading={running === label}
      disabled={running !== null && running !== label}
      onClick={() => void run()}
      {...(color ? { c: "var(--rose)" } : {})}
    >
      {label}
    </Button>
  );
  return (
    <div className={classes["footer"]} data-tall={selected.length > 0 || undefined}>
      <Box role="status" component="span" mr="auto">
        {selected.length > 0
          ? `${formatCount(selected.length)} of ${formatCount(shown)} selected`
          : `${formatCount(shown)} of ${formatCount(total)} shown`}
      </Box>
      {children}
      {selected.length > 0 && (
        <>
          {can(kind, "toggle") &&
            action("Enable", () => runBulk("Enable", { action: "enable", done: "enabled", failed: "Failed to Enable/Disable" }))}
          {can(kind, "toggle") &&
            action("Disable", () => runBulk("Disable", { action: "disable", done: "disabled", failed: "Failed to Enable/Disable" }))}
          {can(kind, "export") &&
            action("Export", () =>
              exportEntities(
                kind,
                selected.map(({ entity }) => entity),
              ),
            )}
          {can(kind, "remove") && action("Delete", onDelete ?? remove, "red")}
          {action("Clear selection", onDone)}
        </>
      )}
    </div>
  );
}
