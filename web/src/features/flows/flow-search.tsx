import { Kbd, TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { IconX } from "#ui/icons/x.ts";
import { useRef } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./flows.module.css";

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** The filter of a list of flows or requests. */
export function FlowSearch({ label, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      ref={input}
      className={classes["search"] ?? ""}
      aria-label={label}
      placeholder={label}
      maxLength={maxSearchCharacters}
      data-page-filter
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        value === "" ? (
          <Kbd aria-hidden>/</Kbd>
        ) : (
          <IconButton
            label="Clear the filter"
            onClick={() => {
              onChange("");
              input.current?.focus();
            }}
          >
            <IconX size={16} aria-hidden />
          </IconButton>
        )
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || value === "") return;
        event.stopPropagation();
        onChange("");
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

const maxSearchCharacters = 200;
