import type { ApiKey } from "@fairway/contract/api-keys";
import type { DatasetRef } from "@fairway/contract/datasets";
import { opensOneOwnDataset } from "@fairway/contract/own-datasets";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { useLimits, usePortal } from "#lib/gateway/portal-settings.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { sameDataset } from "#parts/dataset-picker/picker-rows.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { SaveForm } from "#ui/kit/form-dialog.tsx";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { Select } from "#ui/select.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { EcosystemChoice, FilesetChoice, RolesChoice } from "./keys-choices.tsx";
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

const hasScope = ({ datasets, filesetIds, ecosystemNames }: KeyDraft): boolean =>
  datasets.length + filesetIds.length + ecosystemNames.length > 0;

const mayAppendTo = ({ datasets, filesetIds, ecosystemNames }: KeyDraft): boolean =>
  opensOneOwnDataset({ datasets, filesets: filesetIds, ecosystems: ecosystemNames });

const sameRoles = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted());

const saveFailure = (error: unknown) => (
  <div role="alert" className={classes["failure"]}>
    <strong>API Key Save Error</strong>
    {messagesOf(error).map((message) => (
      <p key={message}>{message}</p>
    ))}
  </div>
);

function DatasetChoice(props: { chosen: readonly DatasetRef[]; onChange: (chosen: DatasetRef[]) => void }) {
  return (
    <QueryState query={useQuery(datasetsQuery)} loading={{ label: "Loading the datasets" }} failed="Failed to load the datasets">
      {(list) => <MultiDatasetPicker list={list} {...props} />}
    </QueryState>
  );
}

function KeyForm({ edited, keys, onClose, onSaved }: Omit<Props, "opened">) {
  const { apiKeyNameCharacters } = useLimits();
  const problemId = useId();
  const fresh = useFreshAction();
  const offersEcosystems = usePortal(({ ui }) => ui?.availableTorchServices.includes(ecosystemService) ?? false);
  const { roles: owned } = useCurrentUser();
  const takenNames = edited === null ? keys.map((key) => key.name) : [];
  const problemOf = (name: string) => nameProblem(name, takenNames, apiKeyNameCharacters);
  const form = useDialogForm<KeyDraft>({
    initial: {
      name: edited?.name ?? "",
      datasets: edited?.datasets ?? [],
      filesetIds: edited?.filesets ?? [],
      ecosystemNames: edited?.ecosystems ?? [],
      roles: edited?.roles ?? null,
      mayAppend: edited?.mayAppend ?? false,
      expiry: edited === null ? "never" : "keep",
    },
    draft: edited === null ? { name: keyDraftName, schema: keyDraft } : undefined,
    canSave: (typed) => typed.name.trim() !== "" && problemOf(typed.name) === null && hasScope(typed),
    attempt: fresh.run,
    save: async (typed) => {
      const { name, datasets, filesetIds, ecosystemNames, roles, expiry } = typed;
      const scope = { name: name.trim(), datasets: [...datasets], filesetIds: [...filesetIds], ecosystemNames: [...ecosystemNames] };
      const append = edited === null && typed.mayAppend && mayAppendTo(typed) ? { mayAppend: true } : {};
      const acting = sameRoles(roles, edited?.roles ?? null) ? {} : { roles: roles === null ? null : [...roles] };
      const key = await saveKey({ ...scope, ...acting, ...append, ...expiryOf(expiry, Date.now()) }, edited === null);
      toastSuccess(edited === null ? "API key created" : "API key updated", edited === null ? 2000 : 1200);
      onSaved(key);
    },
  });
  const { set, values } = form;
  const { datasets, filesetIds, ecosystemNames } = values;
  const lost = edited && lostText({ lost: lostIn(edited.lost, { datasets, filesets: filesetIds, ecosystems: ecosystemNames }) });

  function removeLost({ lost: lostScope }: ApiKey): void {
    set({
      datasets: datasets.filter((dataset) => !lostScope.datasets.some((ref) => sameDataset(ref, dataset))),
      filesetIds: filesetIds.filter((id) => !lostScope.filesets.includes(id)),
      ecosystemNames: ecosystemNames.filter((other) => !lostScope.ecosystems.includes(other)),
    });
  }

  return (
    <>
      <SaveForm
        form={form}
        onCancel={onClose}
        className={`${classes["dialog"]} ${classes["editor"]}`}
        renderFailure={saveFailure}
        saveDescribedBy={problemId}
        aside={
          <p id={problemId} className={classes["missing"]}>
            {missingText(
              values.name.trim() !== "",
              hasScope(values),
              offersEcosystems ? "dataset, fileset or ecosystem" : "dataset or fileset",
            )}
          </p>
        }
      >
        <TextInput
          label="Name"
          {...form.field("name")}
          readOnly={edited !== null}
          required
          data-autofocus={edited === null || undefined}
          error={problemOf(values.name)}
          autoComplete="off"
        />
        {edited !== null && lost !== null && (
          <div className={classes["warning"]}>
            <p>{lost}. The key keeps it, and it works again if you regain access.</p>
            <Button variant="default" size="xs" onClick={() => removeLost(edited)}>
              Remove
            </Button>
          </div>
        )}
        <DatasetChoice chosen={datasets} onChange={(chosen) => set({ datasets: chosen })} />
        <FilesetChoice chosen={filesetIds} onChange={(chosen) => set({ filesetIds: chosen })} />
        {offersEcosystems && <EcosystemChoice chosen={ecosystemNames} onChange={(chosen) => set({ ecosystemNames: chosen })} />}
        {(owned.length > 0 || values.roles !== null) && (
          <RolesChoice owned={owned} chosen={values.roles} onChange={(roles) => set({ roles })} />
        )}
        {edited === null && mayAppendTo(values) && (
          <Checkbox
            label="May add files to this dataset"
            description="Whoever has the key can add rows to the dataset, or replace them. This cannot be allowed later."
            checked={values.mayAppend}
            onChange={({ currentTarget }) => set({ mayAppend: currentTarget.checked })}
          />
        )}
        {edited?.mayAppend === true && (
          <p className={classes["muted"]}>
            The key may add files to its dataset. Once anything else is chosen, it can only read, and stays so.
          </p>
        )}
        <Select
          label="Expires"
          data={[
            ...(edited === null
              ? []
              : [{ value: "keep", label: edited.expiresAtMs === null ? "Never (unchanged)" : localTime(edited.expiresAtMs) }]),
            ...expiryChoices.filter(({ value }) => value !== "never" || edited?.expiresAtMs !== null),
          ]}
          value={values.expiry}
          allowDeselect={false}
          onChange={(expiry) => set({ expiry: expiry ?? "never" })}
        />
      </SaveForm>
      {fresh.dialog}
    </>
  );
}
