import { type ProviderLink, userAdministration } from "@fairway/contract/accounts";
import { Button, Flex, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { refetchEntities } from "../entities/entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { displayNameOf } from "../entities/entity-kind.ts";
import { SaveFailure } from "../editor/save-failure.tsx";
import classes from "./accounts.module.css";

/** Whom of the OpenID Connect provider a user's account is linked to. */
export default function ProviderLinkDialog({ kind, dialog: { id, entity }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const providerName = usePortal(({ ui }) => ui?.oidc?.displayName ?? null);
  const username = displayNameOf(kind, entity);
  const queryClient = useQueryClient();
  const queryKey = ["admin", kind.type, "provider-link", id];
  const link = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(userAdministration.providerLink, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [busy, setBusy] = useState(false);

  /** Runs a change, then shows what is stored. */
  async function change(title: string, run: () => Promise<ProviderLink | null>, done: string): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      queryClient.setQueryData(queryKey, await run());
      toastSuccess(done, 1200);
      await refetchEntities(kind);
    } catch (error) {
      setFailure({ title, messages: messagesOf(error) });
    }
    setBusy(false);
  }

  async function unlink(): Promise<void> {
    const text =
      "The person can no longer sign in to this account. Sessions started through the provider end, and the roles and groups from the provider are removed.";
    if (!(await confirm({ title: `Unlink ${username}?`, text, confirmLabel: "Unlink", destructive: true }))) return;
    const run = async () => {
      await call(userAdministration.unlinkProvider, { params: { id } });
      return null;
    };
    await change("Not Unlinked", run, `${username} unlinked`);
  }

  async function linkTo(subject: string): Promise<void> {
    const text = `The person with the subject '${subject}' at ${providerName ?? ""} can then sign in to this account and use all of its permissions. Compare the subject with the one at the provider.`;
    if (!(await confirm({ title: `Link ${username}?`, text, confirmLabel: "Link" }))) return;
    const run = () => call(userAdministration.linkProvider, { params: { id }, body: { subject } });
    await change("Not Linked", run, `${username} linked`);
  }

  return (
    <Dialog opened={opened} onClose={onClose} title={`Provider Link of ${username}`} size={640} fillsPhone>
      {link.isError ? (
        <ErrorState message="Error Loading the Link" details={messagesOf(link.error)} onRetry={() => void link.refetch()} />
      ) : link.data === undefined ? (
        <LoadingRows label="Loading the link" rows={3} />
      ) : (
        <>
          {link.data !== null && <Linked link={link.data} />}
          {link.data === null && providerName !== null && (
            <NewLink providerName={providerName} busy={busy} onLink={(subject) => void linkTo(subject)} />
          )}
          {link.data === null && providerName === null && <p className={classes["lead"]}>Not linked, and no provider is configured.</p>}
          <SaveFailure failure={failure} />
          {link.data !== null && (
            <Flex justify="flex-end" mt="lg">
              <Button variant="default" loading={busy} onClick={() => void unlink()}>
                Unlink
              </Button>
            </Flex>
          )}
        </>
      )}
    </Dialog>
  );
}

function Linked({ link: { issuer, subject, linkedTimestamp, madeAccount } }: { link: ProviderLink }) {
  return (
    <>
      <p className={classes["lead"]}>
        {madeAccount
          ? "The person's first sign-in created this account. The provider also sets its name and email."
          : "This account existed before. It keeps its name, email and password."}
      </p>
      <dl className={classes["facts"]}>
        <dt>Issuer</dt>
        <dd className={classes["mono"]}>{issuer}</dd>
        <dt>Subject</dt>
        <dd className={subject === null ? undefined : classes["mono"]}>{subject ?? "Known after the next sign-in"}</dd>
        <dt>Linked</dt>
        <dd>{localTime(Date.parse(linkedTimestamp))}</dd>
      </dl>
    </>
  );
}

interface NewLinkProps {
  providerName: string;
  busy: boolean;
  onLink: (subject: string) => void;
}

function NewLink({ providerName, busy, onLink }: NewLinkProps) {
  const [subject, setSubject] = useState("");
  useUnsavedChanges(subject.trim() !== "" && !busy);
  const trimmed = subject.trim();
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (trimmed !== "" && !busy) onLink(trimmed);
  }
  return (
    <form onSubmit={submit} noValidate>
      <p className={classes["lead"]}>Not linked. The user can link the account under Profile, Sign-in Methods, or you can link it here.</p>
      <TextInput
        label="Subject"
        description={`The id (claim sub) of the person at ${providerName}, not the username`}
        value={subject}
        maxLength={500}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Flex justify="flex-end" mt="lg">
        <Button type="submit" disabled={trimmed === ""} loading={busy}>
          Link
        </Button>
      </Flex>
    </form>
  );
}
