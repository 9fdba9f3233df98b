import { Checkbox, Radio, Stack } from "@mantine/core";
import { compareNames } from "@fairway/contract/name-order";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { filesetsQuery } from "#parts/file-browser/queries.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import { ecosystemsQuery } from "./keys-queries.ts";
import uiClasses from "#ui/ui.module.css";
import classes from "./keys.module.css";

interface Props {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Selects the filesets of a key. */
export function FilesetChoice(props: Props) {
  const list = useQuery({ ...filesetsQuery, select: (filesets) => filesets.map(({ id }) => id) });
  return <NameChoice legend="Filesets" nouns="filesets" list={list} none="You don't have access to any filesets." {...props} />;
}

/** Selects the ecosystems of a key. */
export function EcosystemChoice(props: Props) {
  const list = useQuery({ ...ecosystemsQuery, select: (ecosystems) => ecosystems.map(({ name }) => name) });
  return <NameChoice legend="Ecosystems" nouns="ecosystems" list={list} none="Your roles don't include any ecosystem." {...props} />;
}

/** Selects the roles that a key acts with; null for all of its owner's. `owned`: the roles of the user. */
export function RolesChoice({
  owned,
  chosen,
  onChange,
}: {
  owned: readonly string[];
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
}) {
  const offered = [...new Set([...owned, ...(chosen ?? [])])].toSorted(compareNames);
  const toggle = (role: string) =>
    onChange(chosen?.includes(role) === true ? chosen.filter((other) => other !== role) : [...(chosen ?? []), role]);
  return (
    <Stack gap="xs">
      <Radio.Group label="Roles" value={chosen === null ? "all" : "some"} onChange={(which) => onChange(which === "all" ? null : owned)}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="All of your roles, now and later" />
          <Radio value="some" label="Only some of your roles" />
        </Stack>
      </Radio.Group>
      {chosen !== null && (
        <fieldset className={`${uiClasses["fieldGroup"]} ${classes["names"]}`}>
          <legend>Roles of the key</legend>
          {offered.map((role) => (
            <Checkbox
              key={role}
              label={owned.includes(role) ? role : `${role} (you no longer have it)`}
              checked={chosen.includes(role)}
              onChange={() => toggle(role)}
            />
          ))}
          {chosen.length === 0 && <p className={classes["muted"]}>Without a role, the key opens only what everyone may use.</p>}
        </fieldset>
      )}
    </Stack>
  );
}

interface NameChoiceProps extends Props {
  legend: string;
  nouns: string;
  list: UseQueryResult<string[]>;
  /** Shown if there is nothing to choose. */
  none: string;
}

/** Names that the key lost access to are not offered, but stay selected. */
function NameChoice({ legend, nouns, list, none, chosen, onChange }: NameChoiceProps) {
  const toggle = (name: string) => onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <fieldset className={`${uiClasses["fieldGroup"]} ${classes["names"]}`}>
      <legend>{legend}</legend>
      <QueryState query={list} loading={{ label: `Loading the ${nouns}`, rows: 2 }} failed={`Failed to load the ${nouns}`}>
        {(names) =>
          names.length === 0 ? (
            <p className={classes["muted"]}>{none}</p>
          ) : (
            names.map((name) => <Checkbox key={name} label={name} checked={chosen.includes(name)} onChange={() => toggle(name)} />)
          )
        }
      </QueryState>
    </fieldset>
  );
}
