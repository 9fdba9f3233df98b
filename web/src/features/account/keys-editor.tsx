import type { ApiKey } from "@fairway/contract/api-keys";
import type { DatasetRef } from "@fairway/contract/datasets";
import { Button, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime } from "#lib/local-time.ts";
import { useLimits, usePortal } from "#lib/portal-settings.ts";
import { draftOf } from "#lib/unsaved-changes.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { sameDataset } from "#parts/dataset-picker/picker-rows.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { sameContent, useUnsavedChanges } from "#ui/unsaved-changes.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { EcosystemChoice } from "./keys-ecosystems.tsx";
import { type KeyDraft, keyDraft, keyDraftName } from "./keys-draft.ts";
import { expiryChoices, expiryOf } from "./keys-expiry.ts";
import { saveKey } from "./keys-queries.ts";
import { lostText, nameProblem } from "./keys-wording.ts";
import classes from "./keys.module.css";
import { useFreshAction } from "./use-fresh-action.tsx";

interface Props {
  opened: boolean;
  /** The key to edit; null makes a new one. */
  edited: ApiKey | null;
  keys: readonly ApiKey[];
  onClose: () => void;
  onSaved: (saved: ApiKey) => void;
}

/** Makes a key, or changes what one opens; its name stays then. */
export function KeyEditor({ opened, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={rest.edited === null ? "Create Key" : "Edit Key"} size={560} fillsPhone>
      <KeyForm {...rest} />
    </Dialog>
  );
}

/** Of what was lost, what the form still holds. */
const stillIn = (
  lost: ApiKey["lost"],
  form: { datasets: readonly DatasetRef[]; filesets: readonly string[]; ecosystems: readonly string[] },
) => ({
  datasets: lost.datasets.filter((one) => form.datasets.some((dataset) => sameDataset(one, dataset))),
  filesets: lost.filesets.filter((id) => form.filesets.includes(id)),
  ecosystems: lost.ecosystems.filter((name) => form.ecosystems.includes(name)),
});

/** Only this torch service works with ecosystems. */
const ecosystemService = "halo";

/** What a key needs before it can be saved; empty where it has it all. */
function missingOf(hasName: boolean, opensSomething: boolean, choices: string): string {
  if (hasName) return opensSomething ? "" : `Choose at least one ${choices}.`;
  return opensSomething ? "Enter a name." : `Enter a name and choose at least one ${choices}.`;
}

function DatasetChoice(props: { chosen: readonly DatasetRef[]; onChange: (chosen: DatasetRef[]) => void }) {
  const { data: list, error, isFetching, refetch } = useQuery(datasetsQuery);
  if (list) return <MultiDatasetPicker list={list} {...props} />;
  if (!error || isFetching) return <LoadingRows label="Loading the datasets" />;
  return <ErrorState message="Failed to load the datasets" details={messagesOf(error)} onRetry={() => void refetch()} />;
}

function KeyForm({ edited, keys, onClose, onSaved }: Omit<Props, "opened">) {
  const { apiKeyNameCharacters } = useLimits();
  const before: KeyDraft = {
    name: edited?.name ?? "",
    datasets: edited?.datasets ?? [],
    ecosystemNames: edited?.ecosystems ?? [],
    expiry: edited === null ? "never" : "keep",
  };
  const begin = (edited === null ? draftOf(keyDraftName, keyDraft) : undefined) ?? before;
  const [name, setName] = useState(begin.name);
  const [datasets, setDatasets] = useState(begin.datasets);
  const [ecosystemNames, setEcosystemNames] = useState(begin.ecosystemNames);
  const [expiry, setExpiry] = useState(begin.expiry);
  const [failure, setFailure] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const fresh = useFreshAction((error) => setFailure(messagesOf(error)));
  const [filesetIds, setFilesetIds] = useState<readonly string[]>(edited?.filesets ?? []);
  const lost = edited && lostText({ lost: stillIn(edited.lost, { datasets, filesets: filesetIds, ecosystems: ecosystemNames }) });
  const problemId = useId();
  const typed: KeyDraft = { name, datasets, ecosystemNames, expiry };
  useUnsavedChanges(!sameContent(typed, before), edited === null ? { draft: { name: keyDraftName, value: typed } } : {});

  const offersEcosystems = usePortal(({ ui }) => ui?.availableTorchServices.includes(ecosystemService) ?? false);
  const taken = edited === null ? keys.map((key) => key.name) : [];
  const problem = nameProblem(name, taken, apiKeyNameCharacters);
  const opensSomething = datasets.length + filesetIds.length + ecosystemNames.length > 0;
  const may = name.trim() !== "" && problem === null && opensSomething;

  async function save(): Promise<void> {
    setBusy(true);
    setFailure([]);
    try {
      const scope = { name: name.trim(), datasets: [...datasets], filesetIds: [...filesetIds], ecosystemNames: [...ecosystemNames] };
      const saved = await saveKey({ ...scope, ...expiryOf(expiry, Date.now()) }, edited === null);
      toastSuccess(edited === null ? "API key created" : "API key updated", edited === null ? 2000 : 1200);
      onSaved(saved);
    } catch (error) {
      setBusy(false);
      throw error;
    }
  }

  function takeOutLost(): void {
    if (edited === null) return;
    const { lost: gone } = edited;
    setDatasets(datasets.filter((dataset) => !gone.datasets.some((one) => sameDataset(one, dataset))));
    setFilesetIds(filesetIds.filter((id) => !gone.filesets.includes(id)));
    setEcosystemNames(ecosystemNames.filter((one) => !gone.ecosystems.includes(one)));
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (may && !busy) void fresh.run(save);
  }

  return (
    <>
      <form className={`${classes["dialog"]} ${classes["editor"]}`} onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          value={name}
          readOnly={edited !== null}
          required
          data-autofocus={edited === null || undefined}
          error={problem}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {lost !== null && (
          <div className={classes["warning"]}>
            <p>{lost}. It stays in the key, and works again when you may use it again.</p>
            <Button variant="default" size="xs" onClick={takeOutLost}>
              Take Out
            </Button>
          </div>
        )}
        <DatasetChoice chosen={datasets} onChange={setDatasets} />
        {offersEcosystems && <EcosystemChoice chosen={ecosystemNames} onChange={setEcosystemNames} />}
        <Select
          label="Ends"
          data={[
            ...(edited === null
              ? []
              : [{ value: "keep", label: edited.expiresAtMs === null ? "Never, as now" : localTime(edited.expiresAtMs) }]),
            ...expiryChoices.filter(({ value }) => value !== "never" || edited?.expiresAtMs !== null),
          ]}
          value={expiry}
          allowDeselect={false}
          onChange={(value) => setExpiry(value ?? "never")}
        />
        {failure.length > 0 && (
          <div role="alert" className={classes["failure"]}>
            <strong>API Key Save Error</strong>
            {failure.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </div>
        )}
        <div className={classes["actions"]}>
          <p id={problemId} className={classes["missing"]}>
            {missingOf(name.trim() !== "", opensSomething, offersEcosystems ? "dataset or ecosystem" : "dataset")}
          </p>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!may} loading={busy} aria-describedby={problemId}>
            Save
          </Button>
        </div>
      </form>
      {fresh.dialog}
    </>
  );
}
