import type { SecurityEvent, SecurityEventKind } from "@fairway/contract/security-events";
import { localTime } from "#lib/time/local-time.ts";
import { QueryState, type ShownQuery } from "#ui/kit/query-state.tsx";
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
  events: ShownQuery<SecurityEvent[]>;
  label: string;
  /** Shown as the actor of events that no administrator caused. */
  owner: string;
}

/** The security activity of an account, newest first. */
export function SecurityEvents({ events, label, owner }: Props) {
  return (
    <QueryState
      query={events}
      loading={{ label: "Loading security activity", rows: 4 }}
      failed="Failed to load security activity"
      empty={{ text: "No changes yet." }}
    >
      {(data) => (
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
      )}
    </QueryState>
  );
}
