import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { sharingOptions } from "#parts/sharing/sharing.ts";
import { NameInput, SaveForm, useSaving } from "#ui/dialog/save-form.tsx";
import { MultiSelect } from "#ui/select.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";

/** The editable values of a saved search. */
export interface SavedSearchValues {
  queryName: string;
  description: string;
  sharedWithRoles: string[];
}

interface Props {
  initialValues: SavedSearchValues;
  /** Roles to share with, besides everyone. */
  roles: readonly string[];
  /** Rejects if it could not be saved; the form shows why and stays open. */
  onSave: (values: SavedSearchValues) => Promise<void>;
  /** Offered after Save was refused for a duplicate name: replaces that search. */
  onReplace?: (values: SavedSearchValues) => Promise<void>;
  onCancel: () => void;
  /** Between the fields and the buttons. */
  children?: ReactNode;
}

/** Name, description and roles of a saved search, with Save and Cancel. */
export function SavedSearchForm({ initialValues, roles, onSave, onReplace, onCancel, children }: Props) {
  const [values, setValues] = useState(initialValues);
  const { saving, run } = useSaving();
  const [failure, setFailure] = useState<readonly string[]>([]);
  // The name that the server refused as taken.
  const [takenName, setTakenName] = useState<string | null>(null);
  const queryName = values.queryName.trim();
  useUnsavedChanges(!sameContent(values, initialValues));

  const save = (submit: (values: SavedSearchValues) => Promise<void>) => {
    setFailure([]);
    void run(
      () => submit({ ...values, queryName, description: values.description.trim() }),
      (error) => {
        setFailure(messagesOf(error));
        const isTaken = error instanceof GatewayError && error.errors.some(({ code }) => code === "name-taken");
        setTakenName(isTaken ? queryName : null);
      },
    );
  };
  return (
    <SaveForm
      canSave={queryName !== ""}
      saving={saving}
      failure={failure}
      onSave={() => save(onSave)}
      onCancel={onCancel}
      aside={
        onReplace &&
        takenName !== null &&
        takenName === queryName && (
          <Button variant="default" disabled={saving} onClick={() => save(onReplace)}>
            Replace
          </Button>
        )
      }
    >
      <NameInput
        value={values.queryName}
        maxLength={savedSearchLimits.nameCharacters}
        onChange={(name) => setValues({ ...values, queryName: name })}
      />
      <Textarea
        label="Description"
        value={values.description}
        rows={2}
        maxLength={savedSearchLimits.descriptionCharacters}
        onChange={(event) => setValues({ ...values, description: event.currentTarget.value })}
      />
      <MultiSelect
        label="Share with roles"
        description="People with these roles can load this search but not change it, if they have access to its dataset."
        data={sharingOptions(roles, values.sharedWithRoles)}
        value={values.sharedWithRoles}
        onChange={(sharedWithRoles) => setValues({ ...values, sharedWithRoles })}
        clearable
      />
      {children}
    </SaveForm>
  );
}
