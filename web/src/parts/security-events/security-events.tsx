import type { SecurityEvent, SecurityEventKind } from "@fairway/contract/security-events";
import type { UseQueryResult } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime } from "#lib/local-time.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import classes from "./security-events.module.css";

const kindLabels: Record<SecurityEventKind, string> = {
  "password-changed": "Password changed",
  "email-changed": "Email changed",
  "authenticator-added": "Authenticator app set up",
  "authenticator-removed": "Authenticator app removed",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "recovery-codes-made": "New recovery codes created",
  "recovery-code-used": "Recovery code used",
  "second-factors-removed": "Second factors removed",
  "card-linked": "CAC linked",
  "card-unlinked": "CAC unlinked",
  "provider-linked": "Linked for signing in",
  "provider-unlinked": "Unlinked for signing in",
};

interface Props {
  events: Pick<UseQueryResult<SecurityEvent[]>, "data" | "error" | "isFetching" | "refetch">;
  label: string;
  /** Shown as the actor of events that no administrator caused. */
  owner: string;
}

/** The security activity of an account, newest first. */
export function SecurityEvents({ events: { data, error, isFetching, refetch }, label, owner }: Props) {
  if (!data) {
    if (!error || isFetching) return <LoadingRows label="Loading security activity" rows={4} />;
    return <ErrorState message="Failed to load security activity" details={messagesOf(error)} onRetry={() => void refetch()} />;
  }
  if (data.length === 0) return <EmptyState>No changes yet.</EmptyState>;
  return (
    <ul className={classes["list"]} aria-label={label}>
      {data.map(({ id, atMs, kind, subject, by }) => (
        <li key={id}>
          <span>
            {kindLabels[kind]}
            {subject !== null && `: ${subject}`}
          </span>
          <small>
            {localTime(atMs)} · {by === null ? owner : `administrator ${by}`}
          </small>
        </li>
      ))}
    </ul>
  );
}
