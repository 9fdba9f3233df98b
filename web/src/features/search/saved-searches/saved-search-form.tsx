import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, Group, MultiSelect, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { sameContent, useUnsavedChanges } from "#ui/unsaved-changes.tsx";
import classes from "./saved-dialogs.module.css";

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
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<readonly string[]>([]);
  // The name that the server has refused as taken.
  const [taken, setTaken] = useState<string | null>(null);
  const queryName = said.queryName.trim();
  useUnsavedChanges(!sameContent(said, begin));

  const save = async (by: (said: SavedSearchValues) => Promise<void>) => {
    if (queryName === "" || saving) return;
    setSaving(true);
    setFailure([]);
    try {
      await by({ ...said, queryName, description: said.description.trim() });
    } catch (error) {
      setFailure(messagesOf(error));
      const isTaken = error instanceof GatewayError && error.errors.some(({ code }) => code === "name-taken");
      setTaken(isTaken ? queryName : null);
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className={classes["dialog"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In React's tree the list of saved searches and the dataset's form are around it.
        event.stopPropagation();
        void save(onSave);
      }}
    >
      <TextInput
        label="Name"
        value={said.queryName}
        required
        data-autofocus
        maxLength={savedSearchLimits.nameCharacters}
        onChange={(event) => setSaid({ ...said, queryName: event.currentTarget.value })}
        autoComplete="off"
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
      {failure.length > 0 && (
        <p role="alert" className={classes["failure"]}>
          {`Save failed: ${failure.join(" ")}`}
        </p>
      )}
      <Group justify="flex-end" gap="sm">
        {onReplace && taken !== null && taken === queryName && (
          <Button variant="default" mr="auto" disabled={saving} onClick={() => void save(onReplace)}>
            Replace
          </Button>
        )}
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={queryName === ""} loading={saving}>
          Save
        </Button>
      </Group>
    </form>
  );
}
