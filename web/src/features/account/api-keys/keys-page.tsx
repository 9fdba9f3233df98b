import { plural } from "@fairway/contract/counts";
import type { ApiKey } from "@fairway/contract/api-keys";
import { Button } from "@mantine/core";
import { IconKey } from "#ui/icons/key.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { hasDraft } from "#lib/browser/drafts.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { island } from "#ui/island.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { keyDraftName } from "./keys-draft.ts";
import { KeysHelp } from "./keys-help.tsx";
import { deleteKey, keysQuery } from "./keys-queries.ts";
import { RotateDialog } from "./keys-rotate.tsx";
import { KeysTable } from "./keys-table.tsx";
import { KeyValueDialog } from "./keys-value.tsx";
import classes from "./keys.module.css";

const KeyEditor = island(async () => ({ default: (await import("./keys-editor.tsx")).KeyEditor }));

/** The user's API keys. */
export function KeysPage() {
  const query = useQuery(keysQuery);
  const { data: keys, dataUpdatedAt } = query;
  const hasAssistants = !useIsScreenDisabled("Assistants");
  // Null until first opened: the editor mounts on first use, and stays mounted to fade out.
  const [editing, setEditing] = useState<{ opened: boolean; edited: ApiKey | null } | null>(() =>
    hasDraft(keyDraftName) ? { opened: true, edited: null } : null,
  );
  const [isHelping, setHelping] = useState(false);
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const [created, setCreated] = useState<ApiKey | null>(null);

  const create = () => setEditing({ opened: true, edited: null });
  const subtitle = keys && keys.length > 0 ? `${keys.length} ${plural(keys.length, "key")} · times in ${browserZone()}` : undefined;
  const createButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={keys === undefined} onClick={create}>
      Create Key
    </Button>
  );
  return (
    <>
      <PageHeader title="API Keys" {...(subtitle === undefined ? {} : { subtitle })}>
        {hasAssistants && (
          <Button variant="default" component={Link} to="/assistants">
            Assistants
          </Button>
        )}
        <Button variant="default" onClick={() => setHelping(true)}>
          Help
        </Button>
        {subtitle !== undefined && createButton}
      </PageHeader>
      <div className={classes["page"]}>
        <QueryState
          query={query}
          loading={{ label: "Loading API keys" }}
          failed="Failed to load API Keys"
          empty={{
            title: "No API keys yet",
            icon: <IconKey size={24} stroke={1.5} aria-hidden />,
            text: "A key lets a program read the datasets you choose.",
            action: createButton,
          }}
        >
          {(loaded) => (
            <KeysTable
              keys={loaded}
              asOfMs={dataUpdatedAt}
              onEdit={(edited) => setEditing({ opened: true, edited })}
              onRotate={setRotated}
              onDelete={(key) => void remove(key)}
            />
          )}
        </QueryState>
      </div>
      {editing && (
        <KeyEditor
          {...editing}
          keys={keys ?? []}
          onClose={() => setEditing({ ...editing, opened: false })}
          onSaved={(saved) => {
            setEditing({ ...editing, opened: false });
            if (editing.edited === null) setCreated(saved);
          }}
        />
      )}
      <RotateDialog
        rotated={rotated}
        onClose={() => setRotated(null)}
        onRotated={(key) => {
          setRotated(null);
          setCreated(key);
        }}
      />
      <KeyValueDialog created={created} onClose={() => setCreated(null)} />
      <KeysHelp opened={isHelping} keys={keys ?? []} onClose={() => setHelping(false)} />
    </>
  );
}

async function remove({ name }: ApiKey): Promise<void> {
  const confirmed = await confirm({
    title: "Delete API Key?",
    text: `Programs that use ${name} stop working. This can't be undone.`,
    confirmLabel: "Delete",
    destructive: true,
  });
  if (!confirmed) return;
  try {
    await deleteKey(name);
    toastSuccess("API key deleted", 1200);
  } catch (error) {
    toastError("Delete Failed", messagesOf(error).join(" "));
  }
}
