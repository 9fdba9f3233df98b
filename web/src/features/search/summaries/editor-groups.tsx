import { type BreakdownGrouping, breakdownLimits } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { Button, Checkbox, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { ConditionsField } from "./conditions-field.tsx";
import classes from "./summaries.module.css";

type Groups = Extract<BreakdownGrouping, { kind: "groups" }>;

interface Props {
  grouping: Groups;
  description: DatasetDescription;
  onChange: (grouping: BreakdownGrouping) => void;
}

/** Groups made by the user: each a name and conditions. */
export function GroupsFields({ grouping, description, onChange }: Props) {
  const { groups, match = "all", other = false } = grouping;
  const setGroups = (next: Groups["groups"]) => onChange({ ...grouping, groups: next });
  // Fields keep what is typed, so a group keeps its key when another one is removed.
  const [keys, setKeys] = useState(() => groups.map(() => crypto.randomUUID()));
  return (
    <>
      {groups.map((group, index) => (
        <div key={keys[index] ?? index} role="group" aria-label={`group ${index + 1}`} className={classes["ownGroup"]}>
          <TextInput
            aria-label={`Name of group ${index + 1}`}
            placeholder="Name"
            autoComplete="off"
            maxLength={breakdownLimits.labelCharacters}
            value={group.label}
            onChange={(event) => setGroups(groups.with(index, { ...group, label: event.currentTarget.value }))}
          />
          <ConditionsField
            description={description}
            label={`Rows of group ${index + 1}`}
            filters={group.filters}
            onChange={(filters) => setGroups(groups.with(index, { ...group, filters }))}
          />
          <IconButton
            label={`Remove group ${index + 1}`}
            disabled={groups.length === 1}
            onClick={() => {
              setKeys(keys.toSpliced(index, 1));
              setGroups(groups.toSpliced(index, 1));
            }}
          >
            <IconX size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      {groups.length < breakdownLimits.groups && (
        <div>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              setKeys([...keys, crypto.randomUUID()]);
              setGroups([...groups, { label: `Group ${groups.length + 1}`, filters: [] }]);
            }}
          >
            Add group
          </Button>
        </div>
      )}
      <Group gap="md">
        <Checkbox
          label="Each row in its first group only"
          checked={match === "first"}
          onChange={(event) => onChange({ ...grouping, match: event.currentTarget.checked ? "first" : undefined })}
        />
        <Checkbox
          label="Other"
          checked={other}
          onChange={(event) => onChange({ ...grouping, other: event.currentTarget.checked || undefined })}
        />
      </Group>
    </>
  );
}
