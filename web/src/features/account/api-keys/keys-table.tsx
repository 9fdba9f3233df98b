import type { ApiKey } from "@fairway/contract/api-keys";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { localTime } from "#lib/time/local-time.ts";
import { Hint } from "#ui/hint.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { endingOf, lostText, rolesText, scopeNames, scopeText } from "./keys-wording.ts";
import classes from "./keys.module.css";

export interface KeyActions {
  onEdit: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
  onDelete: (key: ApiKey) => void;
}

const columnsAsOf = (asOfMs: number): readonly TableColumn<ApiKey>[] => [
  { id: "name", header: "Name", cell: NameCell, isRowHeader: true },
  {
    id: "key",
    header: "Key",
    nowrap: true,
    cell: ({ key, previousKeyEndsMs }) => (
      <>
        <code>{key}</code>
        {previousKeyEndsMs !== null && <small>Old value works until {localTime(previousKeyEndsMs)}</small>}
      </>
    ),
  },
  {
    id: "access",
    header: "Access",
    nowrap: true,
    cell: (key) => (
      <>
        <Hint label={<Names names={scopeNames(key)} />} describes>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip names what is counted */}
          <span tabIndex={0}>{scopeText(key)}</span>
        </Hint>
        {key.roles !== undefined && <small>{rolesText(key.roles)}</small>}
        {key.mayAppend === true && <small>May add files</small>}
      </>
    ),
  },
  { id: "created", header: "Created", nowrap: true, cell: ({ createdDateMs }) => localTime(createdDateMs) },
  {
    id: "lastUsed",
    header: "Last Used",
    nowrap: true,
    cell: ({ lastUsedMs }) => (lastUsedMs === null ? "Never" : localTime(lastUsedMs)),
  },
  { id: "expires", header: "Expires", nowrap: true, cell: ({ expiresAtMs }) => <End expiresAtMs={expiresAtMs} asOfMs={asOfMs} /> },
];

/** The user's keys as of `asOfMs`. */
export function KeysTable({ keys, asOfMs, onEdit, onRotate, onDelete }: { keys: readonly ApiKey[]; asOfMs: number } & KeyActions) {
  return (
    <DataTable
      columns={columnsAsOf(asOfMs)}
      rows={keys}
      rowKey={({ id }) => id}
      label="API keys"
      scroll={{ role: "group", label: "API keys", className: classes["scrollable"] }}
      rowActions={{
        header: "Actions",
        className: classes["buttons"],
        of: (key) => [
          { label: `Edit ${key.name}`, icon: <IconPencil size={16} aria-hidden />, opensDialog: true, run: () => onEdit(key) },
          { label: `Rotate ${key.name}`, icon: <IconRefresh size={16} aria-hidden />, opensDialog: true, run: () => onRotate(key) },
          { label: `Delete ${key.name}`, icon: <IconTrash size={16} aria-hidden />, opensDialog: true, run: () => onDelete(key) },
        ],
      }}
      edges="page"
      head="panel line"
      hovers
      className={classes["table"]}
    />
  );
}

function NameCell(key: ApiKey) {
  const lost = lostText(key);
  return (
    <>
      {key.name}
      {lost !== null && (
        <span className={classes["lostAccess"]}>
          <IconAlertTriangle size={16} aria-hidden />
          {lost}
        </span>
      )}
    </>
  );
}

const Names = ({ names }: { names: readonly string[] }) => (
  <>
    {names.slice(0, 12).map((name) => (
      <div key={name}>{name}</div>
    ))}
    {names.length > 12 && <div>and {names.length - 12} more</div>}
  </>
);

const endPrefixes = { ended: "Expired ", soon: "Soon: ", later: "" } as const;

function End({ expiresAtMs, asOfMs }: { expiresAtMs: number | null; asOfMs: number }) {
  const ending = endingOf(expiresAtMs, asOfMs);
  if (expiresAtMs === null || ending === "never") return "Never";
  return (
    <span className={ending === "later" ? undefined : classes["ended"]}>
      {endPrefixes[ending]}
      {localTime(expiresAtMs)}
    </span>
  );
}
