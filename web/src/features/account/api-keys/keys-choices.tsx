import { Checkbox } from "@mantine/core";
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
