import { sharing, type ShareCandidate } from "@fairway/contract/sharing";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import { everyoneCandidate, kindNames, recipientKey } from "./share-draft.ts";
import classes from "./sharing.module.css";

interface Props {
  label?: string;
  placeholder?: string;
  /** It is the first field of its dialog. */
  takesFocus?: boolean;
  /** Finds only people. */
  onlyPeople?: boolean;
  /** Keys of those who are in the list already. */
  taken: ReadonlySet<string>;
  mayShareWithEveryone: boolean;
  onAdd: (recipient: ShareCandidate) => void;
  /** Backspace in the empty box. */
  onRemoveLast: () => void;
}

const minCharacters = 2;
const debounceMs = 200;

/** Finds people, groups and roles by their name, and everyone. Enter adds the chosen one. */
export function ShareBox({
  label = "Share with",
  placeholder = "A person, group or role",
  takesFocus = false,
  onlyPeople = false,
  taken,
  mayShareWithEveryone,
  onAdd,
  onRemoveLast,
}: Props) {
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const wanted = text.trim();
  const { found: all, isSettled } = useCandidates(wanted, mayShareWithEveryone);
  const found = onlyPeople ? all.filter(({ kind }) => kind === "user") : all;
  const options = found.filter((candidate) => !taken.has(recipientKey(candidate)));
  const at = Math.min(active, options.length - 1);
  const add = (candidate: ShareCandidate | undefined) => {
    if (candidate === undefined) return;
    onAdd(candidate);
    setText("");
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Saves the form around it.
    if (pressed(event, "form.save")) return;
    if (event.key === "Backspace" && text === "") return onRemoveLast();
    // Enter must not send the form around it.
    if (event.key === "Enter") add(options[at]);
    else if (event.key === "ArrowDown" && options.length > 0) setActive((at + 1) % options.length);
    else if (event.key === "ArrowUp" && options.length > 0) setActive((at - 1 + options.length) % options.length);
    else if (event.key === "Escape" && text !== "") {
      event.stopPropagation();
      setText("");
    } else return;
    event.preventDefault();
  };
  const isNobody = wanted.length >= minCharacters && isSettled && found.length === 0;
  return (
    <div className={classes["box"]}>
      <TextInput
        label={label}
        placeholder={placeholder}
        data-autofocus={takesFocus || undefined}
        data-mantine-stop-propagation={text !== ""}
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length > 0 ? `${id}-${at}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label="People, groups and roles"
        className={classes["options"]}
        hidden={options.length === 0}
      >
        {options.map((candidate, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the box keeps the focus and handles the keys
          <div
            key={recipientKey(candidate)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // The box must not lose the focus to the list.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => add(candidate)}
          >
            <span>{candidate.name}</span>
            <small>{kindNames[candidate.kind]}</small>
          </div>
        ))}
      </div>
      <p role="status" className={classes["nobody"]}>
        {isNobody ? "No person or group with this name." : ""}
      </p>
    </div>
  );
}

/** Those whose names contain the text. */
function useCandidates(text: string, mayShareWithEveryone: boolean): { found: readonly ShareCandidate[]; isSettled: boolean } {
  const [searched] = useDebouncedValue(text, debounceMs);
  const isEnough = searched.length >= minCharacters;
  const { data = [], isFetching } = useQuery({
    queryKey: ["sharing", "candidates", searched],
    queryFn: ({ signal }) => call(sharing.candidates, { query: { text: searched } }, { signal }),
    enabled: isEnough,
    staleTime: 30_000,
  });
  if (text === "") return { found: [], isSettled: false };
  const isEveryone = mayShareWithEveryone && everyoneCandidate.name.toLowerCase().startsWith(text.toLowerCase());
  const others = isEnough ? data.filter(({ kind }) => kind !== "everyone") : [];
  return { found: [...(isEveryone ? [everyoneCandidate] : []), ...others], isSettled: searched === text && !isFetching };
}
