import { apiBase } from "@fairway/contract/api";
import type { ApiKey } from "@fairway/contract/api-keys";
import type { DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { ErrorState } from "#ui/states.tsx";
import { KeyUse } from "./keys-use.tsx";
import classes from "./keys.module.css";

interface Props {
  opened: boolean;
  keys: readonly ApiKey[];
  onClose: () => void;
}

/** Explains how programs use a key. */
export function KeysHelp({ opened, keys, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Using API Keys" size={640}>
      <Help keys={keys} />
    </Dialog>
  );
}

function Help({ keys }: { keys: readonly ApiKey[] }) {
  const { apiKeyCallsPerMinute } = useLimits();
  const { data: list, error, isFetching, refetch } = useQuery(datasetsQuery);
  const dataset: DatasetRef | undefined = keys.find(({ datasets }) => datasets.length > 0)?.datasets[0] ?? list?.[0]?.datasets[0];
  return (
    <div className={classes["dialog"]}>
      <p>A key lets a program use data without your password. It can read only what you choose, and never more than you can.</p>
      <dl className={classes["help"]}>
        <dt>Use it</dt>
        <dd>
          Send the header <code>Authorization: Bearer YOUR_KEY</code> or <code>X-API-Key: YOUR_KEY</code>. The whole key starts with{" "}
          <code>fwk_</code>.
        </dd>
        <dt>Keep it secret</dt>
        <dd>The key is shown once. Anyone who has it can read its data. Store it in an environment variable, not in code.</dd>
        <dt>Rotate it</dt>
        <dd>Rotate creates a new value. The old one keeps working for as long as you choose, so no program has to stop.</dd>
        <dt>When it stops working</dt>
        <dd>When you delete it, when it expires, and when your account is locked or loses access.</dd>
        <dt>Limits</dt>
        <dd>{apiKeyCallsPerMinute} calls per minute. Beyond that, calls fail with status 429, which says when to try again.</dd>
        <dt>Assistants</dt>
        <dd>
          <Link to="/assistants">Connect an AI assistant</Link>
        </dd>
        <dt>Reference</dt>
        <dd>
          <a href={`${apiBase}/reference`} target="_blank" rel="noreferrer">
            API reference
          </a>
        </dd>
      </dl>
      {dataset ? (
        <KeyUse dataset={dataset} />
      ) : (
        error &&
        !isFetching && <ErrorState message="Failed to load the example" details={messagesOf(error)} onRetry={() => void refetch()} />
      )}
    </div>
  );
}
