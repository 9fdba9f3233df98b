import type { ApiKey } from "@fairway/contract/api-keys";
import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime } from "#lib/local-time.ts";
import { useLimits } from "#lib/portal-settings.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { closesTopmost } from "#ui/topmost.ts";
import { useOpening } from "#ui/use-opening.ts";
import { expiryChoices, expiryOf } from "./keys-expiry.ts";
import { saveKey } from "./keys-queries.ts";
import { lostText, nameProblem } from "./keys-wording.ts";
import classes from "./keys.module.css";

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
  const { data: list, error, isFetching, refetch } = useQuery(datasetsQuery);
  return (
    <Modal
      opened={useOpening(opened)}
      onClose={closesTopmost(rest.onClose)}
      title={rest.edited === null ? "Create Key" : "Edit Key"}
      size={560}
    >
      {list ? (
        <KeyForm {...rest} list={list} />
      ) : error && !isFetching ? (
        <ErrorState message="Failed to load the datasets" details={messagesOf(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows label="Loading the datasets" />
      )}
    </Modal>
  );
}

function KeyForm({ edited, keys, list, onClose, onSaved }: Omit<Props, "opened"> & { list: AccessList }) {
  const { apiKeyNameCharacters } = useLimits();
  const [name, setName] = useState(edited?.name ?? "");
  const [datasets, setDatasets] = useState<readonly DatasetRef[]>(edited?.datasets ?? []);
  const [expiry, setExpiry] = useState(edited === null ? "never" : "keep");
  const [failure, setFailure] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const lost = edited && lostText(edited);
  const problemId = useId();

  // What this screen does not offer stays as it is.
  const filesetIds = edited?.filesets ?? [];
  const ecosystemNames = edited?.ecosystems ?? [];
  const taken = edited === null ? keys.map((key) => key.name) : [];
  const problem = nameProblem(name, taken, apiKeyNameCharacters);
  const opensSomething = datasets.length + filesetIds.length + ecosystemNames.length > 0;
  const may = name.trim() !== "" && problem === null && opensSomething;

  async function save(): Promise<void> {
    setBusy(true);
    setFailure([]);
    try {
      const scope = { name: name.trim(), datasets: [...datasets], filesetIds, ecosystemNames };
      const saved = await saveKey({ ...scope, ...expiryOf(expiry, Date.now()) }, edited === null);
      toastSuccess(edited === null ? "API key created" : "API key updated", edited === null ? 2000 : 1200);
      onSaved(saved);
      return;
    } catch (error) {
      setFailure(messagesOf(error));
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (may && !busy) void save();
  }

  return (
    <form className={classes["dialog"]} onSubmit={submit} noValidate>
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
      {lost !== null && <p className={classes["warning"]}>{lost}. Saving keeps what is not taken out.</p>}
      <MultiDatasetPicker list={list} chosen={datasets} onChange={setDatasets} />
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
          {!opensSomething && "Choose at least one dataset."}
        </p>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!may} loading={busy} aria-describedby={problemId}>
          Save
        </Button>
      </div>
    </form>
  );
}
