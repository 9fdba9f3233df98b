import type { ApiKey } from "@fairway/contract/api-keys";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { localTime } from "#lib/local-time.ts";
import { Hint } from "#ui/hint.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { endingOf, lostText, scopeNames, scopeText } from "./keys-wording.ts";
import classes from "./keys.module.css";

export interface KeyActions {
  onEdit: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
  onDelete: (key: ApiKey) => void;
}

/** The user's keys as of `asOfMs`. */
export function KeysTable({ keys, ...rest }: { keys: readonly ApiKey[]; asOfMs: number } & KeyActions) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div className={classes["scrollable"]} role="group" aria-label="API keys" tabIndex={0}>
      <table className={classes["table"]} aria-label="API keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Access</th>
            <th scope="col">Created</th>
            <th scope="col">Last Used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className={classes["visuallyHidden"]}>Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} {...rest} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ apiKey, asOfMs, onEdit, onRotate, onDelete }: { apiKey: ApiKey; asOfMs: number } & KeyActions) {
  const { name, key, createdDateMs, lastUsedMs, expiresAtMs, previousKeyEndsMs } = apiKey;
  const lost = lostText(apiKey);
  return (
    <tr>
      <th scope="row">
        {name}
        {lost !== null && (
          <span className={classes["lostAccess"]}>
            <IconAlertTriangle size={16} aria-hidden />
            {lost}
          </span>
        )}
      </th>
      <td>
        <code>{key}</code>
        {previousKeyEndsMs !== null && <small>Old value works until {localTime(previousKeyEndsMs)}</small>}
      </td>
      <td>
        <Hint label={<Names names={scopeNames(apiKey)} />} describes>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip names what is counted */}
          <span tabIndex={0}>{scopeText(apiKey)}</span>
        </Hint>
      </td>
      <td>{localTime(createdDateMs)}</td>
      <td>{lastUsedMs === null ? "Never" : localTime(lastUsedMs)}</td>
      <td>
        <End expiresAtMs={expiresAtMs} asOfMs={asOfMs} />
      </td>
      <td className={classes["buttons"]}>
        <IconButton label={`Edit ${name}`} aria-haspopup="dialog" onClick={() => onEdit(apiKey)}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Rotate ${name}`} aria-haspopup="dialog" onClick={() => onRotate(apiKey)}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Delete ${name}`} aria-haspopup="dialog" onClick={() => onDelete(apiKey)}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </td>
    </tr>
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
