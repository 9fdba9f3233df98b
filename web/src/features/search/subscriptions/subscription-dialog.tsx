import type { DatasetRef } from "@fairway/contract/datasets";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import type { Subscription, SubscriptionDraft } from "@fairway/contract/subscriptions";
import { Checkbox, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { browserZone } from "#lib/time/time-zone.ts";
import { findSaved, savedSearchesQuery, saveSearch } from "#features/search/saved-searches/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { NameInput, SaveForm, selectAll } from "#ui/kit/form-dialog.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { Select } from "#ui/select.tsx";
import { toastAction, toastSuccess } from "#ui/toast/toast.ts";
import { saveSubscription, subscriptionsQuery } from "./queries.ts";
import { clockText, dayNames } from "./subscription-text.ts";
import classes from "./subscriptions.module.css";

/** The content of a new subscription: a board, or a search that is saved together with it unless it is already. */
export type ToSend = { boardId: string; name: string } | { dataset: DatasetRef; query: string; name: string };

interface Props {
  opened: boolean;
  /** An existing one, or what a new one sends. */
  subject: { subscription: Subscription } | { toSend: ToSend };
  onClose: () => void;
}

/** Creates or edits a subscription. */
export default function SubscriptionDialog({ opened, subject, onClose }: Props) {
  const isNew = "toSend" in subject;
  return (
    <Dialog opened={opened} onClose={onClose} title={isNew ? "Send by email" : "Edit email"}>
      <Form key={isNew ? "new" : subject.subscription.id} subject={subject} onClose={onClose} />
    </Dialog>
  );
}

interface Values {
  name: string;
  /** `08:00`. */
  time: string;
  /** Numbers of days as texts. */
  weekdays: string[];
  zone: string;
  onlyIfChanged: boolean;
  withRows: boolean;
}

const initialOf = (subject: Props["subject"]): Values => {
  if ("toSend" in subject) {
    const { name } = subject.toSend;
    return { name, time: "08:00", weekdays: ["1", "2", "3", "4", "5"], zone: browserZone(), onlyIfChanged: false, withRows: false };
  }
  const { name, at, onlyIfChanged, withRows } = subject.subscription;
  return { name, time: clockText(at), weekdays: at.weekdays.map(String), zone: at.zone, onlyIfChanged, withRows };
};

const timeOf = (text: string): { hour: number; minute: number } | null => {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? null : { hour: Number(hour), minute: Number(minute) };
};

const zones = (current: string): string[] => [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current])];

function Form({ subject, onClose }: Omit<Props, "opened">) {
  const navigate = useNavigate();
  const { data: all } = useQuery(subscriptionsQuery);
  const { data: saved } = useQuery(savedSearchesQuery);
  const isOfBoard = "toSend" in subject ? "boardId" in subject.toSend : subject.subscription.of.boardId !== undefined;
  const obstacle = all === undefined ? null : obstacleOf(all);
  const subscribedOf = async (name: string): Promise<SubscriptionDraft["of"] | null> => {
    if ("subscription" in subject) return subject.subscription.of;
    const { toSend } = subject;
    if ("boardId" in toSend) return { boardId: toSend.boardId };
    const { dataset, query } = toSend;
    const isOfDataset = (search: DatasetRef) =>
      search.datasetCategory === dataset.datasetCategory && search.datasetId === dataset.datasetId;
    const same = saved?.find((search) => search.query === query && isOfDataset(search));
    if (same) return { savedSearchId: same.id };
    await saveSearch({ ...dataset, queryName: name, query, description: "" });
    const found = await findSaved(dataset, name);
    return found ? { savedSearchId: found.id } : null;
  };
  const form = useDialogForm<Values>({
    initial: initialOf(subject),
    canSave: ({ name, time, weekdays }) => name.trim() !== "" && timeOf(time) !== null && weekdays.length > 0 && obstacle === null,
    save: async ({ name: typed, time, weekdays, zone, onlyIfChanged, withRows }) => {
      const name = typed.trim();
      const clock = timeOf(time);
      const of = await subscribedOf(name);
      if (clock === null || of === null) return;
      const at = { ...clock, weekdays: weekdays.map(Number), zone };
      await saveSubscription("subscription" in subject ? subject.subscription.id : null, { name, of, at, onlyIfChanged, withRows });
      if ("subscription" in subject) toastSuccess("Email saved");
      else toastAction("Email created", { label: "View emails", run: () => void navigate({ to: "/alerts/emails" }) });
      onClose();
    },
  });
  const { field, set, values } = form;
  return (
    <SaveForm form={form} onCancel={onClose}>
      <NameInput {...field("name")} maxLength={savedSearchLimits.nameCharacters} onFocus={selectAll} />
      <div className={classes["fields"]}>
        <TextInput label="Time" type="time" required {...field("time")} />
        <Select
          label="Time zone"
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage="No time zone matches"
          data={zones(values.zone)}
          {...field("zone")}
          onChange={(zone) => zone !== null && set({ zone })}
        />
      </div>
      <Checkbox.Group label="Days" value={values.weekdays} onChange={(weekdays) => set({ weekdays })}>
        <Group gap="sm" mt={4}>
          {dayNames.map((day, index) => (
            <Checkbox key={day} value={String(index + 1)} label={day} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label="Only if something changed"
        description="Compares figures and the first 10,000 rows with those of the last email."
        checked={values.onlyIfChanged}
        onChange={(event) => set({ onlyIfChanged: event.currentTarget.checked })}
      />
      {!isOfBoard && all !== undefined && (all.allowsRows || values.withRows) && (
        <Checkbox
          label="Attach the rows as CSV"
          description="Up to 10,000 rows and 5 MB."
          checked={values.withRows}
          onChange={(event) => set({ withRows: event.currentTarget.checked })}
        />
      )}
      {all !== undefined && (
        <p className={classes["hint"]} role={obstacle === null ? undefined : "alert"}>
          {obstacle ?? `Sent to ${all.emailAddress}.`}
        </p>
      )}
    </SaveForm>
  );
}

/** The reason why no email can be sent. */
function obstacleOf({ sendsEmail, emailAddress }: { sendsEmail: boolean; emailAddress: string | null }): string | null {
  if (!sendsEmail) return "This portal sends no emails.";
  return emailAddress === null ? "Your account has no email address." : null;
}
