import { TagsInput } from "@mantine/core";
import { useDatasetForm } from "./form-context.ts";
import { Fields, FormSection, useFieldProblem } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

/** The roles that may read the dataset. `known` are those that exist; undefined while that is not known. */
export function AccessSection({ known }: { known: readonly string[] | undefined }) {
  const { draft, update } = useDatasetForm();
  const problem = useFieldProblem(["roles"]);
  const unknown = known === undefined ? [] : draft.roles.filter((role) => !known.includes(role));
  return (
    <FormSection id="access">
      <Fields>
        <TagsInput
          {...problem}
          label="Roles"
          description="Whoever has one of these roles finds the dataset and reads all of its rows and columns."
          data={[...(known ?? [])]}
          value={draft.roles}
          placeholder={draft.roles.length === 0 ? "Add a role" : ""}
          onChange={(roles) => update(() => ({ roles }))}
        />
        <p className={classes["about"]}>
          {draft.roles.length === 0
            ? "Everyone who is signed in"
            : `Only people with ${draft.roles.length === 1 ? "this role" : "one of these roles"}`}
        </p>
        {unknown.length > 0 && (
          <ul className={classes["differences"]} aria-label="Roles that do not exist">
            {unknown.map((role) => (
              <li key={role}>
                <b>{role}</b>: no such role yet
              </li>
            ))}
          </ul>
        )}
      </Fields>
    </FormSection>
  );
}
