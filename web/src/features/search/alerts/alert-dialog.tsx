import { type Alert, type AlertCondition, alertLimits } from "@fairway/contract/alerts";
import { pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { copyText } from "#lib/text/copy.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { findSaved, savedSearchesQuery, saveSearch } from "#features/search/saved-searches/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { NameInput, SaveForm, selectAll, useSaving } from "#ui/dialog/save-form.tsx";
import { Select } from "#ui/select.tsx";
import { toastAction, toastSuccess } from "#ui/toast/toast.ts";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { type AlertForm, draftOf, formOf, type IntervalUnit, intervalUnits, settingsOf } from "./alert-form.ts";
import { alertsQuery, saveAlert } from "./queries.ts";
import classes from "./alerts.module.css";

/** The search for a new alert: a saved one, or one that is saved together with it. */
export type SearchToWatch = { savedSearchId: string; name: string } | { dataset: DatasetRef; query: string; name: string };

export interface AlertDialogProps {
  opened: boolean;
  /** Null for a new one. */
  alert: Alert | null;
  /** Null to choose among the saved searches. */
  search: SearchToWatch | null;
  onClose: () => void;
  zIndex?: number;
}

/** Creates or edits an alert. */
export default function AlertDialog({ opened, zIndex, ...rest }: AlertDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={rest.onClose}
      title={rest.alert === null ? "New Alert" : "Edit Alert"}
      {...(zIndex === undefined ? {} : { zIndex })}
    >
      <Form key={rest.alert?.id} {...rest} />
    </Dialog>
  );
}

const conditions: readonly { value: AlertCondition["kind"]; label: string }[] = [
  { value: "new-rows", label: "New rows" },
  { value: "above", label: "More rows than" },
  { value: "below", label: "Fewer rows than" },
  { value: "changed", label: "A change by percent" },
];

const unsaved = "unsaved";

function Form({ alert, search, onClose }: Omit<AlertDialogProps, "opened" | "zIndex">) {
  const navigate = useNavigate();
  const { alertLeastMinutes: leastMinutes } = useLimits();
  const { data: saved } = useQuery(savedSearchesQuery);
  const { data: all } = useQuery(alertsQuery);
  const emailAddress = all?.emailAddress ?? null;
  const [initial] = useState((): AlertForm => ({
    ...formOf(alert, leastMinutes),
    ...(search === null ? {} : { savedSearchId: "savedSearchId" in search ? search.savedSearchId : unsaved, name: search.name }),
  }));
  const [form, setForm] = useState(initial);
  const [isNamed, setNamed] = useState(alert !== null);
  const change = (part: Partial<AlertForm>) => setForm((before) => ({ ...before, ...part }));
  const { saving, run } = useSaving();
  const [failure, setFailure] = useState<readonly string[]>([]);
  const [secret, setSecret] = useState<string | null>(null);
  useUnsavedChanges(secret === null && !sameContent({ ...form }, { ...initial }));
  const toSave = search !== null && "query" in search ? search : null;
  // A search that is on the screen may have been saved already.
  const same = toSave && saved?.find(({ query, ...ref }) => query === toSave.query && isSameDataset(ref, toSave.dataset));
  const chosen = form.savedSearchId === unsaved && same ? same.id : form.savedSearchId;
  // Named after its search until its owner says otherwise.
  const suggested = saved?.find(({ id }) => id === chosen)?.queryName ?? search?.name ?? "";
  const name = isNamed ? form.name : suggested;
  const choices = [
    ...(toSave && !same ? [{ value: unsaved, label: "This search (saved automatically)" }] : []),
    ...(saved ?? []).map(({ id, queryName, datasetId }) => ({ value: id, label: `${queryName} (${datasetId})` })),
  ];
  const settings = settingsOf(form, leastMinutes);

  const save = async () => {
    let savedSearchId = chosen;
    if (chosen === unsaved && toSave) {
      await saveSearch({ ...toSave.dataset, queryName: name.trim(), query: toSave.query, description: "", sharedWithRoles: [] });
      savedSearchId = (await findSaved(toSave.dataset, name.trim()))?.id ?? null;
      // A second attempt must not save it again.
      change({ savedSearchId });
    }
    const draft = savedSearchId === null ? null : draftOf({ ...form, name }, savedSearchId, leastMinutes);
    if (draft === null) return;
    const newSecret = await saveAlert(alert?.id ?? null, draft);
    if (alert !== null) toastSuccess("Alert saved");
    else if (search === null) toastSuccess("Alert created");
    else toastAction("Alert created", { label: "View alerts", run: () => void navigate({ to: "/alerts" }) });
    if (newSecret === null) onClose();
    else setSecret(newSecret);
  };
  if (secret !== null) return <WebhookSecret secret={secret} onClose={onClose} />;
  return (
    <SaveForm
      canSave={chosen !== null && name.trim() !== "" && settings.condition !== null && settings.everyMinutes !== null}
      saving={saving}
      failure={failure}
      onSave={() => {
        setFailure([]);
        void run(save, (error) => setFailure(messagesOf(error)));
      }}
      onCancel={onClose}
    >
      <NameInput
        value={name}
        maxLength={savedSearchLimits.nameCharacters}
        {...(isNamed ? {} : { onFocus: selectAll })}
        onChange={(typed) => {
          setNamed(true);
          change({ name: typed });
        }}
      />
      <Select
        label="Saved search"
        required
        searchable
        allowDeselect={false}
        placeholder={saved === undefined ? "Loading saved searches" : "Choose a saved search"}
        nothingFoundMessage="No saved search matches"
        {...(saved?.length === 0 && choices.length === 0
          ? { description: "You have no saved searches. Run a search, then choose Actions → Create Alert." }
          : {})}
        data={choices}
        value={chosen}
        onChange={(savedSearchId) => change({ savedSearchId })}
      />
      <div className={classes["fields"]}>
        <NativeSelect
          label="Tell me about"
          data={[...conditions]}
          value={form.kind}
          onChange={(event) => {
            const found = conditions.find(({ value }) => value === event.currentTarget.value);
            if (found) change({ kind: found.value });
          }}
        />
        {form.kind !== "new-rows" && (
          <TextInput
            label={form.kind === "changed" ? "Percent" : "Rows"}
            required
            inputMode={form.kind === "changed" ? "decimal" : "numeric"}
            value={form.limit}
            error={form.limit.trim() !== "" && settings.condition === null ? limitProblem(form.kind) : undefined}
            onChange={(event) => change({ limit: event.currentTarget.value })}
            autoComplete="off"
          />
        )}
      </div>
      {form.kind === "changed" && <p className={classes["hint"]}>Change in rows since the last message.</p>}
      {(form.kind === "above" || form.kind === "below") && (
        <Checkbox
          label="Also tell me when it is over"
          checked={form.tellWhenOver}
          onChange={(event) => change({ tellWhenOver: event.currentTarget.checked })}
        />
      )}
      <div className={classes["fields"]}>
        <TextInput
          label="Check every"
          required
          inputMode="numeric"
          value={form.every}
          error={
            settings.everyMinutes === null
              ? `From ${pluralize(leastMinutes, "minute")} to ${pluralize(alertLimits.everyMinutes / intervalUnits.days, "day")}`
              : undefined
          }
          onChange={(event) => change({ every: event.currentTarget.value })}
          autoComplete="off"
        />
        <NativeSelect
          label="Unit"
          data={Object.keys(intervalUnits)}
          value={form.unit}
          onChange={(event) => change({ unit: event.currentTarget.value as IntervalUnit })}
        />
      </div>
      <Checkbox
        label={emailAddress === null ? "By email" : `By email to ${emailAddress}`}
        description={emailAddress === null ? noEmailText(all?.sendsEmail) : "In addition to a notification in the portal."}
        disabled={emailAddress === null && !form.email}
        checked={form.email}
        onChange={(event) => change({ email: event.currentTarget.checked })}
      />
      <TextInput
        label="Webhook address"
        description="Sends each alert as signed JSON (Standard Webhooks)."
        placeholder="https://example.org/hook"
        inputMode="url"
        value={form.webhookUrl}
        maxLength={alertLimits.webhookUrlCharacters}
        onChange={(event) => change({ webhookUrl: event.currentTarget.value })}
        autoComplete="off"
      />
    </SaveForm>
  );
}

/** Why there are no emails. A gateway of an earlier version does not say. */
const noEmailText = (sendsEmail: boolean | undefined): string =>
  sendsEmail === undefined ? "Not available." : sendsEmail ? "Your account has no email address." : "This portal sends no emails.";

/** Shown once: the portal does not show it again. */
function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const copy = async () => {
    if (await copyText(secret)) toastSuccess("Copied", 1200);
  };
  return (
    <div className={classes["secret"]}>
      <p>
        The alert is saved. Its messages are signed with this secret. Copy it now for the service behind the webhook: you won’t see it
        again.
      </p>
      <div>
        <TextInput aria-label="Webhook secret" value={secret} readOnly onFocus={(event) => event.currentTarget.select()} />
        <Button data-autofocus leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
          Copy secret
        </Button>
      </div>
      <Button variant="default" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}

const limitProblem = (kind: AlertCondition["kind"]): string =>
  kind === "changed" ? `A number from 0.1 to ${alertLimits.percent}` : `A whole number of at least ${kind === "below" ? 1 : 0}`;

const isSameDataset = (one: DatasetRef, other: DatasetRef): boolean =>
  one.datasetCategory === other.datasetCategory && one.datasetId === other.datasetId;
