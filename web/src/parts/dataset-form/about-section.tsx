import { NativeSelect, Stack, TagsInput } from "@mantine/core";
import { rhythmTexts } from "#parts/dataset-facts/fact-texts.ts";
import type { DatasetDraft } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { Fields, FormSection, ProseField, TextField, useFieldProblem } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

/** Null where nothing is written. */
const filled = (text: string): string | null => (text === "" ? null : text);

/** The texts of the catalog about the dataset. */
export function AboutSection() {
  const { draft, update, isOwn } = useDatasetForm();
  const set = (change: Partial<DatasetDraft>) => update(() => change);
  const tags = useFieldProblem(["tags"]);
  return (
    <FormSection id="about">
      <Fields>
        <div className={classes["pair"]}>
          <TextField
            path={["id"]}
            label="Id"
            description="It is part of addresses and does not change."
            value={draft.id}
            onText={() => undefined}
            readOnly
          />
          <TextField
            path={["category"]}
            label="Category"
            description={isOwn ? "Your own datasets all have it." : "Addresses and saved searches name it."}
            value={draft.category}
            onText={(category) => set({ category })}
            readOnly={isOwn}
          />
        </div>
        <ProseField
          path={["description"]}
          label="Description"
          rows={3}
          value={draft.description}
          onText={(description) => set({ description })}
        />
        <div className={classes["pair"]}>
          <TextField path={["owner"]} label="Owner" value={draft.owner ?? ""} onText={(text) => set({ owner: filled(text) })} />
          <TextField
            path={["contact"]}
            label="Contact"
            placeholder="An email address or an https address"
            value={draft.contact ?? ""}
            onText={(text) => set({ contact: filled(text) })}
          />
          <LinkedText field="origin" label="Origin" />
          <LinkedText field="license" label="License" />
          <NativeSelect
            label="Updates"
            value={draft.updateRhythm ?? ""}
            data={[{ value: "", label: "Not known" }, ...Object.entries(rhythmTexts).map(([value, label]) => ({ value, label }))]}
            onChange={({ currentTarget: { value } }) =>
              set({ updateRhythm: value === "" ? null : (value as NonNullable<DatasetDraft["updateRhythm"]>) })
            }
          />
          <TagsInput {...tags} label="Tags" value={draft.tags ?? []} onChange={(list) => set({ tags: list })} />
        </div>
      </Fields>
    </FormSection>
  );
}

/** A text, and the address that it leads to. */
function LinkedText({ field, label }: { field: "origin" | "license"; label: string }) {
  const { draft, update } = useDatasetForm();
  const value = draft[field] ?? null;
  const change = (text: string, link: string) =>
    update(() => ({ [field]: text === "" && link === "" ? null : { ...value, text, link: filled(link) } }));
  return (
    <Stack gap="sm">
      <TextField path={[field, "text"]} label={label} value={value?.text ?? ""} onText={(text) => change(text, value?.link ?? "")} />
      <TextField
        path={[field, "link"]}
        label={`Address of the ${field}`}
        placeholder="https://"
        value={value?.link ?? ""}
        onText={(link) => change(value?.text ?? "", link)}
      />
    </Stack>
  );
}
