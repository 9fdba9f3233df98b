import {
  type AnnouncementDraft,
  announcementKinds,
  announcementTextCharacters,
  type DatasetAnnouncement,
  datasetAnnouncements,
} from "@fairway/contract/dataset-announcements";
import { passesRole } from "@fairway/contract/access";
import { datasetKey, datasetRef, type DatasetRef } from "@fairway/contract/datasets";
import { Button, Textarea } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { call } from "#lib/gateway/call.ts";
import { isStaleVersion, messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTimeOrEmpty } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { LocalTimeInput } from "#parts/filters/local-time-input.tsx";
import { parseLocalTime } from "#parts/filters/local-time-text.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { announcementLabel, announcementLine } from "#parts/dataset-announcements/announcement-text.ts";
import { announcementsQuery } from "#parts/dataset-announcements/queries.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { SaveForm } from "#ui/kit/form-dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { Select } from "#ui/select.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { sameContent } from "#ui/dialog/unsaved-changes.tsx";
import type { SchemaDialogProps } from "../descriptions/schema-dialog.ts";
import classes from "./schema.module.css";

const fetchStored = async (dataset: DatasetRef, signal?: AbortSignal): Promise<DatasetAnnouncement | null> => {
  const all = await call(datasetAnnouncements.listAll, {}, signal ? { signal } : {});
  return all.find((one) => datasetKey(one.dataset) === datasetKey(dataset)) ?? null;
};

interface Props {
  dataset: DatasetRef;
  onClose: () => void;
}

/** Announces something on a dataset, or changes what is announced. Renders nothing for others, whom its address may lead here. */
export default function AnnounceDialog({ schema: { dataset }, opened, onClose }: SchemaDialogProps) {
  const { roles } = useCurrentUser();
  if (!passesRole(roles, "admin")) return null;
  return (
    <Dialog opened={opened} onClose={onClose} title={`Announce on ${dataset.datasetId}`} fillsPhone>
      <Loader dataset={dataset} onClose={onClose} />
    </Dialog>
  );
}

function Loader({ dataset, onClose }: Props) {
  const query = useQuery({
    queryKey: ["admin", "dataset-announcements", dataset],
    queryFn: ({ signal }) => fetchStored(dataset, signal),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <QueryState
      query={query}
      loading={{ label: "Loading the announcement", rows: 4, rowHeight: 48 }}
      failed="Failed to load the announcement"
    >
      {(data) => <AnnounceForm dataset={dataset} initial={data} onClose={onClose} />}
    </QueryState>
  );
}

const typedFields = z.object({
  kind: z.enum(announcementKinds),
  text: z.string(),
  replacement: datasetRef.nullable(),
  end: z.string(),
  /** That was stored when it was typed; 0: none. */
  version: z.int(),
});
type Fields = z.infer<typeof typedFields>;

const fieldsOf = (stored: DatasetAnnouncement | null): Fields => ({
  kind: stored?.kind ?? "note",
  text: stored?.text ?? "",
  replacement: stored?.replacement ?? null,
  end: localTimeOrEmpty(stored?.endMs),
  version: stored?.version ?? 0,
});

const draftOf = ({ kind, text, replacement, end }: Fields, version: number): AnnouncementDraft => ({
  kind,
  text,
  replacement: kind === "deprecated" ? replacement : null,
  endMs: parseLocalTime(end, "end") ?? null,
  version,
});

const kinds = announcementKinds.map((value) => ({ value, label: announcementLabel[value] }));

function AnnounceForm({ dataset, initial, onClose }: Props & { initial: DatasetAnnouncement | null }) {
  const queries = useQueryClient();
  const [stored, setStored] = useState(initial);
  const params = { category: dataset.datasetCategory, datasetId: dataset.datasetId };
  const isChanged = (fields: Fields) => !sameContent({ ...fields, version: 0 }, { ...fieldsOf(stored), version: 0 });
  /** Someone else saved meanwhile: what is stored is shown, and the next attempt replaces that. */
  const isConflict = ({ version }: Fields) => version !== (stored?.version ?? 0);
  const finish = async (change: Promise<unknown>, message: string) => {
    try {
      await change;
    } catch (error) {
      if (!isStaleVersion(error)) throw error;
      return setStored(await fetchStored(dataset));
    }
    await queries.invalidateQueries({ queryKey: announcementsQuery.queryKey });
    toastSuccess(message);
    onClose();
  };
  const form = useDialogForm({
    initial: fieldsOf(initial),
    dialogInQuery: "dialog",
    draft: { name: `announcement ${datasetKey(dataset)}`, schema: typedFields },
    isTyped: isChanged,
    canSave: (fields) =>
      (fields.text.trim() !== "" || fields.kind === "deprecated") &&
      parseLocalTime(fields.end) !== undefined &&
      (isChanged(fields) || isConflict(fields)),
    save: (fields) =>
      finish(call(datasetAnnouncements.save, { params, body: draftOf(fields, stored?.version ?? 0) }), "Announcement saved"),
  });
  const { field, saving, set, submit, values } = form;
  const remove = async () => {
    try {
      await finish(call(datasetAnnouncements.remove, { params, query: { version: stored?.version } }), "Announcement removed");
    } catch (error) {
      toastError("Remove Failed", messagesOf(error).join(" "));
    }
  };
  return (
    <SaveForm
      form={form}
      onCancel={onClose}
      aside={
        stored && (
          <Button variant="default" color="red" onClick={() => submit(remove)} disabled={saving}>
            Remove
          </Button>
        )
      }
    >
      {isConflict(values) && (
        <div role="alert" className={classes["conflict"]}>
          <p>
            {stored === null
              ? "Someone else removed the announcement since you opened it. Save publishes yours."
              : `${stored.username} changed the announcement since you opened it. Save replaces it:`}
          </p>
          {stored && (
            <>
              <blockquote>{announcementLine(stored)}</blockquote>
              <Button variant="default" size="compact-sm" onClick={() => set(fieldsOf(stored))}>
                Use the stored announcement
              </Button>
            </>
          )}
        </div>
      )}
      <Select
        label="Kind"
        data={kinds}
        value={values.kind}
        allowDeselect={false}
        onChange={(value) => set({ kind: announcementKinds.find((one) => one === value) ?? "note" })}
      />
      <Textarea
        label="Text"
        description={`Markdown, without HTML. ${values.kind === "deprecated" ? "Optional." : "Everyone who can open the dataset sees it."}`}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={announcementTextCharacters}
        {...field("text")}
        data-autofocus
      />
      {values.kind === "deprecated" && <ReplacementField dataset={dataset} {...field("replacement")} />}
      <LocalTimeInput
        label="End"
        edge="end"
        description={`Leave empty to show it until it's removed. Times in ${browserZone()}`}
        value={values.end}
        onChange={(end) => set({ end })}
      />
    </SaveForm>
  );
}

interface ReplacementProps {
  dataset: DatasetRef;
  value: DatasetRef | null;
  onChange: (replacement: DatasetRef | null) => void;
  error: boolean;
}

function ReplacementField({ dataset, value, onChange, error }: ReplacementProps) {
  const { data: list = [] } = useQuery(datasetsQuery);
  const options = list.flatMap(({ datasets }) => datasets.map(({ datasetCategory, datasetId }) => ({ datasetCategory, datasetId })));
  // The stored one may be a dataset that this administrator may not read.
  const isListed = value === null || options.some((one) => datasetKey(one) === datasetKey(value));
  const all = (isListed ? options : [value, ...options]).filter((one) => datasetKey(one) !== datasetKey(dataset));
  const byKey = new Map(all.map((one) => [datasetKey(one), one]));
  return (
    <Select
      label="Replacement"
      description="The dataset to use instead, linked for people who can open it"
      placeholder="None"
      searchable
      clearable
      limit={100}
      data={Array.from(byKey, ([key, { datasetCategory, datasetId }]) => ({ value: key, label: `${datasetId} (${datasetCategory})` }))}
      value={value && datasetKey(value)}
      error={error}
      onChange={(key) => onChange(key === null ? null : (byKey.get(key) ?? null))}
    />
  );
}
