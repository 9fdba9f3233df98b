import { type Alert, type AlertCondition, alertLimits } from "@fairway/contract/alerts";
import { pluralize } from "@fairway/contract/counts";
import type { ReaderAccess } from "@fairway/contract/dataset-access";
import type { DatasetRef } from "@fairway/contract/datasets";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { copyText } from "#lib/text/copy.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { findSaved, savedSearchesQuery, saveSearch } from "#features/search/saved-searches/queries.ts";
import type { FigureToWatch } from "#features/search/figure-to-watch.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { NameInput, SaveForm, selectAll } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { Select } from "#ui/select.tsx";
import { toastAction, toastSuccess } from "#ui/toast/toast.ts";
import {
  type AlertForm,
  canEnd,
  draftOf,
  formOf,
  hasFixedEnd,
  type IntervalUnit,
  intervalUnits,
  proposedName,
  settingsOf,
} from "./alert-form.ts";
import { FigureFields } from "./figure-fields.tsx";
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
  /** The part that the reader sees of the dataset of that search. */
  access?: ReaderAccess | undefined;
  /** Of a new alert. Default: new rows. */
  figure?: FigureToWatch | undefined;
  onClose: () => void;
  zIndex?: number;
}

/** Creates or edits an alert. */
export default function AlertDialog({ opened, zIndex, ...rest }: AlertDialogProps) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={rest.alert === null ? "New Alert" : "Edit Alert"} zIndex={zIndex}>
      <Form key={rest.alert?.id} {...rest} />
    </Dialog>
  );
}

const conditions: readonly { value: AlertCondition["kind"]; label: string }[] = [
  { value: "new-rows", label: "New rows" },
  { value: "above", label: "More rows than" },
  { value: "below", label: "Fewer rows than" },
  { value: "changed", label: "A change by percent" },
  { value: "measure", label: "A figure of all rows" },
  { value: "groups", label: "A figure of each group" },
];

const unsaved = "unsaved";

function Form({ alert, search, access, figure, onClose }: Omit<AlertDialogProps, "opened" | "zIndex">) {
  const navigate = useNavigate();
  const { alertLeastMinutes: leastMinutes } = useLimits();
  const { data: saved } = useQuery(savedSearchesQuery);
  const { data: all } = useQuery(alertsQuery);
  const emailAddress = all?.emailAddress ?? null;
  const [isNamed, setNamed] = useState(alert !== null);
  const [secret, setSecret] = useState<string | null>(null);
  const toSave = search !== null && "query" in search ? search : null;
  // A search that is on the screen may have been saved already.
  const same = toSave && saved?.find(({ query, ...ref }) => query === toSave.query && isSameDataset(ref, toSave.dataset));
  const chosenOf = ({ savedSearchId }: AlertForm) => (savedSearchId === unsaved && same ? same.id : savedSearchId);
  const chosenSearch = (values: AlertForm) => saved?.find(({ id }) => id === chosenOf(values));
  // Named after its figure, or else its search, until its owner says otherwise.
  const nameOf = (values: AlertForm) => {
    if (isNamed) return values.name;
    return (figure && proposedName(values)) ?? chosenSearch(values)?.queryName ?? search?.name ?? "";
  };
  const choices = [
    ...(toSave && !same ? [{ value: unsaved, label: "This search (saved automatically)" }] : []),
    ...(saved ?? []).map(({ id, queryName, datasetId }) => ({ value: id, label: `${queryName} (${datasetId})` })),
  ];
  const form = useDialogForm<AlertForm>({
    initial: {
      ...formOf(alert, leastMinutes, figure),
      ...(search === null ? {} : { savedSearchId: "savedSearchId" in search ? search.savedSearchId : unsaved, name: search.name }),
    },
    isTyped: secret === null ? undefined : () => false,
    canSave: (values) => {
      const { condition, everyMinutes } = settingsOf(values, leastMinutes);
      return chosenOf(values) !== null && nameOf(values).trim() !== "" && condition !== null && everyMinutes !== null;
    },
    save: async (values) => {
      const name = nameOf(values);
      let savedSearchId = chosenOf(values);
      if (savedSearchId === unsaved && toSave) {
        const queryName = isNamed ? name.trim() : toSave.name;
        await saveSearch({ ...toSave.dataset, queryName, query: toSave.query, description: "" });
        savedSearchId = (await findSaved(toSave.dataset, queryName))?.id ?? null;
        // A second attempt must not save it again.
        form.set({ savedSearchId });
      }
      const draft = savedSearchId === null ? null : draftOf({ ...values, name }, savedSearchId, leastMinutes);
      if (draft === null) return;
      const newSecret = await saveAlert(alert?.id ?? null, draft);
      if (alert !== null) toastSuccess("Alert saved");
      else if (search === null) toastSuccess("Alert created");
      else toastAction("Alert created", { label: "View alerts", run: () => void navigate({ to: "/alerts" }) });
      if (newSecret === null) onClose();
      else setSecret(newSecret);
    },
  });
  const { field, set, values } = form;
  const settings = settingsOf(values, leastMinutes);
  const watchedQuery = chosenOf(values) === unsaved ? toSave?.query : chosenSearch(values)?.query;
  if (secret !== null) return <WebhookSecret secret={secret} onClose={onClose} />;
  return (
    <SaveForm form={form} onCancel={onClose}>
      <NameInput
        {...field("name")}
        value={nameOf(values)}
        maxLength={savedSearchLimits.nameCharacters}
        {...(isNamed ? {} : { onFocus: selectAll })}
        onChange={(event) => {
          setNamed(true);
          set({ name: event.currentTarget.value });
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
        {...field("savedSearchId")}
        value={chosenOf(values)}
      />
      {access?.rows === "some" && watchedQuery === toSave?.query && (
        <div>
          <PartOfRows access={access} />
        </div>
      )}
      {watchedQuery !== undefined && hasFixedEnd(watchedQuery) && (
        <p className={classes["hint"]}>
          This search has a fixed time range, so rows after its end are not watched. A range such as the last 30 days moves with the time.
        </p>
      )}
      <div className={classes["fields"]}>
        <NativeSelect
          label="Tell me about"
          data={[...conditions]}
          value={values.kind}
          onChange={(event) => {
            const found = conditions.find(({ value }) => value === event.currentTarget.value);
            if (found) set({ kind: found.value });
          }}
        />
        {(values.kind === "above" || values.kind === "below" || values.kind === "changed") && (
          <TextInput
            label={values.kind === "changed" ? "Percent" : "Rows"}
            required
            inputMode={values.kind === "changed" ? "decimal" : "numeric"}
            {...field("limit")}
            error={values.limit.trim() !== "" && settings.condition === null ? limitProblem(values.kind) : undefined}
            autoComplete="off"
          />
        )}
      </div>
      {(values.kind === "measure" || values.kind === "groups") && <FigureFields form={form} />}
      {values.kind === "changed" && <p className={classes["hint"]}>Change in rows since the last message.</p>}
      {canEnd(values.kind) && (
        <Checkbox
          label="Also tell me when it is over"
          checked={values.tellWhenOver}
          onChange={(event) => set({ tellWhenOver: event.currentTarget.checked })}
        />
      )}
      <div className={classes["fields"]}>
        <TextInput
          label="Check every"
          required
          inputMode="numeric"
          {...field("every")}
          error={
            settings.everyMinutes === null
              ? `From ${pluralize(leastMinutes, "minute")} to ${pluralize(alertLimits.everyMinutes / intervalUnits.days, "day")}`
              : undefined
          }
          autoComplete="off"
        />
        <NativeSelect
          label="Unit"
          data={Object.keys(intervalUnits)}
          value={values.unit}
          onChange={(event) => set({ unit: event.currentTarget.value as IntervalUnit })}
        />
      </div>
      <Checkbox
        label={emailAddress === null ? "By email" : `By email to ${emailAddress}`}
        description={emailAddress === null ? noEmailText(all?.sendsEmail) : "In addition to a notification in the portal."}
        disabled={emailAddress === null && !values.email}
        checked={values.email}
        onChange={(event) => set({ email: event.currentTarget.checked })}
      />
      <TextInput
        label="Webhook address"
        description="Sends each alert as signed JSON (Standard Webhooks)."
        placeholder="https://example.org/hook"
        inputMode="url"
        {...field("webhookUrl")}
        maxLength={alertLimits.webhookUrlCharacters}
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
