import { noticeSeverities } from "@fairway/contract/notices";
import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { localTimeOrEmpty } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { LocalTimeInput } from "#parts/filters/local-time-input.tsx";
import { localTimeExamples, parseLocalTime } from "#parts/filters/local-time-text.ts";
import { Select } from "#ui/select.tsx";
import type { EditDialog, EntityDialogProps } from "../entities/entity-dialog.ts";
import type { EntityDraft } from "../entities/entity.ts";
import { plainText } from "../entities/entity-kind.ts";
import { EntityFormDialog } from "./form-dialog.tsx";
import { RolePicker } from "../accounts/role-picker.tsx";
import classes from "./editor.module.css";

interface NoticeFields {
  faIcon: string;
  title: string;
  message: string;
  severity: string;
  roles: string[];
  start: string;
  end: string;
}

function fieldsOf(entity: EntityDraft | null): NoticeFields {
  return {
    faIcon: entity === null ? "bullhorn" : plainText(entity["faIcon"]),
    title: plainText(entity?.["title"]),
    message: plainText(entity?.["message"]),
    severity: entity === null ? "info" : plainText(entity["severity"]),
    roles: Array.isArray(entity?.["roles"]) ? entity["roles"].map(plainText) : [],
    start: localTimeOrEmpty(entity?.["startMs"]),
    end: localTimeOrEmpty(entity?.["endMs"]),
  };
}

const toDraft = ({ faIcon, title, message, severity, roles, start, end }: NoticeFields, edited: EntityDraft | null): EntityDraft => ({
  ...(edited === null ? {} : { id: edited["id"], createdDateMs: edited["createdDateMs"] }),
  faIcon: faIcon.trim(),
  title,
  message,
  severity,
  roles: roles.map((roleName) => ({ roleName })),
  startMs: parseLocalTime(start) ?? null,
  endMs: parseLocalTime(end, "end") ?? null,
});

const severityNames: Record<string, string> = { info: "Information", warning: "Warning", critical: "Critical" };

/** The form of a notice. */
export default function NoticeForm({ kind, dialog, opened, onClose }: EntityDialogProps<EditDialog>) {
  const [fields, setFields] = useState(() => fieldsOf(dialog.kind === "new" ? null : dialog.entity));
  const update = (changes: Partial<NoticeFields>) => setFields({ ...fields, ...changes });
  const { faIcon, title, message, severity, roles, start, end } = fields;
  const blank = [
    ["icon", faIcon],
    ["title", title],
    ["message", message],
  ].find(([, text]) => text?.trim() === "");
  const unread = [
    ["start", start],
    ["end", end],
  ].find(([, text = ""]) => parseLocalTime(text) === undefined);
  return (
    <EntityFormDialog
      kind={kind}
      dialog={dialog}
      opened={opened}
      onClose={onClose}
      name={title}
      draft={toDraft(fields, dialog.kind === "edit" ? dialog.entity : null)}
      draftOf={(entity) => toDraft(fieldsOf(entity), entity)}
      problem={
        blank
          ? `Enter ${blank[0] === "icon" ? "an" : "a"} ${blank[0]}.`
          : unread
            ? `Enter the ${unread[0]} as a time, such as ${localTimeExamples}.`
            : null
      }
      onFill={(entity) => setFields(fieldsOf(entity))}
    >
      <TextInput label="Title" value={title} onChange={(event) => update({ title: event.currentTarget.value })} data-autofocus />
      <div className={classes["pair"]}>
        <TextInput
          label="Icon"
          description="A Font Awesome icon, such as bullhorn"
          value={faIcon}
          onChange={(event) => update({ faIcon: event.currentTarget.value })}
        />
        <Select
          label="Severity"
          description="How urgent it is"
          data={noticeSeverities.map((value) => ({ value, label: severityNames[value] ?? value }))}
          value={severity}
          allowDeselect={false}
          onChange={(value) => update({ severity: value ?? "info" })}
        />
      </div>
      <Textarea
        label="Message"
        description="Markdown, without HTML"
        rows={6}
        value={message}
        onChange={(event) => update({ message: event.currentTarget.value })}
      />
      <RolePicker
        label="Roles"
        description="Only people with these roles see it. Leave empty for everyone."
        value={roles}
        onChange={(chosen) => update({ roles: chosen })}
      />
      <div className={classes["pair"]}>
        <LocalTimeInput
          label="Start"
          description={`Leave empty to publish now (${browserZone()})`}
          value={start}
          onChange={(text) => update({ start: text })}
        />
        <LocalTimeInput
          label="End"
          edge="end"
          description="Leave empty for no end"
          value={end}
          onChange={(text) => update({ end: text })}
        />
      </div>
    </EntityFormDialog>
  );
}
