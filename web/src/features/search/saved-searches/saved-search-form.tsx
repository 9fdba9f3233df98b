import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, MultiSelect, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { NameInput, SaveForm, useSaving } from "#ui/save-form.tsx";
import { sameContent, useUnsavedChanges } from "#ui/unsaved-changes.tsx";

/** What a person says of a saved search. */
export interface SavedSearchValues {
  queryName: string;
  description: string;
  sharedWithRoles: string[];
}

interface Props {
  begin: SavedSearchValues;
  /** Roles to share with. */
  roles: readonly string[];
  /** Rejects when it could not be saved: the form says why and stays. */
  onSave: (said: SavedSearchValues) => Promise<void>;
  /** Offered once Save was refused for a name that is in use: puts this search in the place of that one. */
  onReplace?: (said: SavedSearchValues) => Promise<void>;
  onCancel: () => void;
  /** Between the fields and the buttons. */
  children?: ReactNode;
}

/** Name, description and roles of a saved search, with Save and Cancel. */
export function SavedSearchForm({ begin, roles, onSave, onReplace, onCancel, children }: Props) {
  const [said, setSaid] = useState(begin);
  const { saving, run } = useSaving();
  const [failure, setFailure] = useState<readonly string[]>([]);
  // The name that the server has refused as taken.
  const [taken, setTaken] = useState<string | null>(null);
  const queryName = said.queryName.trim();
  useUnsavedChanges(!sameContent(said, begin));

  const save = (by: (said: SavedSearchValues) => Promise<void>) => {
    setFailure([]);
    void run(
      () => by({ ...said, queryName, description: said.description.trim() }),
      (error) => {
        setFailure(messagesOf(error));
        const isTaken = error instanceof GatewayError && error.errors.some(({ code }) => code === "name-taken");
        setTaken(isTaken ? queryName : null);
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
        taken !== null &&
        taken === queryName && (
          <Button variant="default" disabled={saving} onClick={() => save(onReplace)}>
            Replace
          </Button>
        )
      }
    >
      <NameInput
        value={said.queryName}
        maxLength={savedSearchLimits.nameCharacters}
        onChange={(name) => setSaid({ ...said, queryName: name })}
      />
      <Textarea
        label="Description"
        value={said.description}
        rows={2}
        maxLength={savedSearchLimits.descriptionCharacters}
        onChange={(event) => setSaid({ ...said, description: event.currentTarget.value })}
      />
      {roles.length > 0 && (
        <MultiSelect
          label="Share with roles"
          description="Who holds one of them can load the search, not change it."
          data={[...roles]}
          value={said.sharedWithRoles}
          onChange={(sharedWithRoles) => setSaid({ ...said, sharedWithRoles })}
          clearable
        />
      )}
      {children}
    </SaveForm>
  );
}
