import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway-error.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { ecosystemsQuery } from "./keys-queries.ts";
import classes from "./keys.module.css";

interface Props {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Selects the ecosystems of a key. Ecosystems that the key lost access to are not offered, but stay selected. */
export function EcosystemChoice({ chosen, onChange }: Props) {
  const { data, error, isFetching, refetch } = useQuery(ecosystemsQuery);
  const toggle = (name: string) => onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <fieldset className={classes["ecosystems"]}>
      <legend>Ecosystems</legend>
      {data ? (
        data.length === 0 ? (
          <p className={classes["muted"]}>Your roles open no ecosystem.</p>
        ) : (
          data.map(({ name }) => <Checkbox key={name} label={name} checked={chosen.includes(name)} onChange={() => toggle(name)} />)
        )
      ) : error && !isFetching ? (
        <ErrorState message="Failed to load the ecosystems" details={messagesOf(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows label="Loading the ecosystems" rows={2} />
      )}
    </fieldset>
  );
}
