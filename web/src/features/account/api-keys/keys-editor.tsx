import type { ApiKey } from "@fairway/contract/api-keys";
import type { DatasetRef } from "@fairway/contract/datasets";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { useLimits, usePortal } from "#lib/gateway/portal-settings.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { sameDataset } from "#parts/dataset-picker/picker-rows.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { Select } from "#ui/select.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { EcosystemChoice, FilesetChoice } from "./keys-choices.tsx";
import { type KeyDraft, keyDraft, keyDraftName } from "./keys-draft.ts";
import { expiryChoices, expiryOf } from "./keys-expiry.ts";
import { saveKey } from "./keys-queries.ts";
import { lostText, nameProblem } from "./keys-wording.ts";
import classes from "./keys.module.css";
import { useFreshAction } from "../use-fresh-action.tsx";

interface Props {
  opened: boolean;
  /** The key to edit; null to create one. */
  edited: ApiKey | null;
  keys: readonly ApiKey[];
  onClose: () => void;
  onSaved: (saved: ApiKey) => void;
}

/** Creates a key, or edits the scope of an existing one, whose name is fixed. */
export function KeyEditor({ opened, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={rest.edited === null ? "Create Key" : "Edit Key"} size={560} fillsPhone>
      <KeyForm {...rest} />
    </Dialog>
  );
}

/** The part of the lost scope that is still selected in the form. */
const lostIn = (
  lost: ApiKey["lost"],
  form: { datasets: readonly DatasetRef[]; filesets: readonly string[]; ecosystems: readonly string[] },
) => ({
  datasets: lost.datasets.filter((ref) => form.datasets.some((dataset) => sameDataset(ref, dataset))),
  filesets: lost.filesets.filter((id) => form.filesets.includes(id)),
  ecosystems: lost.ecosystems.filter((name) => form.ecosystems.includes(name)),
});

/** The only torch service that supports ecosystems. */
const ecosystemService = "halo";

/** Describes what is missing before the key can be saved; empty when nothing is. */
function missingText(hasName: boolean, hasScope: boolean, choices: string): string {
  if (hasName) return hasScope ? "" : `Choose at least one ${choices}.`;
  return hasScope ? "Enter a name." : `Enter a name and choose at least one ${choices}.`;
}

function DatasetChoice(props: { chosen: readonly DatasetRef[]; onChange: (chosen: DatasetRef[]) => void }) {
  return (
    <QueryState query={useQuery(datasetsQuery)} loading={{ label: "Loading the datasets" }} failed="Failed to load the datasets">
      {(list) => <MultiDatasetPicker list={list} {...props} />}
    </QueryState>
  );
}

function KeyForm({ edited, keys, onClose, onSaved }: Omit<Props, "opened">) {
  const { apiKeyNameCharacters } = useLimits();
  const saved: KeyDraft = {
    name: edited?.name ?? "",
    datasets: edited?.datasets ?? [],
    filesetIds: edited?.filesets ?? [],
    ecosystemNames: edited?.ecosystems ?? [],
    expiry: edited === null ? "never" : "keep",
  };
  const stored = useKeptDraft(keyDraftName, keyDraft);
  const kept = edited === null ? stored : undefined;
  const initial = kept ?? saved;
  const [name, setName] = useState(initial.name);
  const [datasets, setDatasets] = useState(initial.datasets);
  const [filesetIds, setFilesetIds] = useState(initial.filesetIds);
  const [ecosystemNames, setEcosystemNames] = useState(initial.ecosystemNames);
  const [expiry, setExpiry] = useState(initial.expiry);
  const [failure, setFailure] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const fresh = useFreshAction((error) => setFailure(messagesOf(error)));
  const lost = edited && lostText({ lost: lostIn(edited.lost, { datasets, filesets: filesetIds, ecosystems: ecosystemNames }) });
  const problemId = useId();
  const draft: KeyDraft = { name, datasets, filesetIds, ecosystemNames, expiry };
  useUnsavedChanges(!sameContent(draft, saved), edited === null ? { draft: { name: keyDraftName, value: draft } } : {});

  const offersEcosystems = usePortal(({ ui }) => ui?.availableTorchServices.includes(ecosystemService) ?? false);
  const takenNames = edited === null ? keys.map((key) => key.name) : [];
  const problem = nameProblem(name, takenNames, apiKeyNameCharacters);
  const hasScope = datasets.length + filesetIds.length + ecosystemNames.length > 0;
  const canSave = name.trim() !== "" && problem === null && hasScope;

  async function save(): Promise<void> {
    setBusy(true);
    setFailure([]);
    try {
      const scope = { name: name.trim(), datasets: [...datasets], filesetIds: [...filesetIds], ecosystemNames: [...ecosystemNames] };
      const key = await saveKey({ ...scope, ...expiryOf(expiry, Date.now()) }, edited === null);
      toastSuccess(edited === null ? "API key created" : "API key updated", edited === null ? 2000 : 1200);
      onSaved(key);
    } catch (error) {
      setBusy(false);
      throw error;
    }
  }

  function removeLost(): void {
    if (edited === null) return;
    const { lost: lostScope } = edited;
    setDatasets(datasets.filter((dataset) => !lostScope.datasets.some((ref) => sameDataset(ref, dataset))));
    setFilesetIds(filesetIds.filter((id) => !lostScope.filesets.includes(id)));
    setEcosystemNames(ecosystemNames.filter((other) => !lostScope.ecosystems.includes(other)));
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (canSave && !busy) void fresh.run(save);
  }

  return (
    <>
      <form className={`${classes["dialog"]} ${classes["editor"]}`} onSubmit={submit} noValidate>
        <RestoredNote when={kept !== undefined} />
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
            <p>{lost}. The key keeps it, and it works again if you regain access.</p>
            <Button variant="default" size="xs" onClick={removeLost}>
              Remove
            </Button>
          </div>
        )}
        <DatasetChoice chosen={datasets} onChange={setDatasets} />
        <FilesetChoice chosen={filesetIds} onChange={setFilesetIds} />
        {offersEcosystems && <EcosystemChoice chosen={ecosystemNames} onChange={setEcosystemNames} />}
        <Select
          label="Expires"
          data={[
            ...(edited === null
              ? []
              : [{ value: "keep", label: edited.expiresAtMs === null ? "Never (unchanged)" : localTime(edited.expiresAtMs) }]),
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
            {missingText(name.trim() !== "", hasScope, offersEcosystems ? "dataset, fileset or ecosystem" : "dataset or fileset")}
          </p>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canSave} loading={busy} aria-describedby={problemId}>
            Save
          </Button>
        </div>
      </form>
      {fresh.dialog}
    </>
  );
}
