import { NativeSelect } from "@mantine/core";
import { type PathChoice, pathChoices } from "#features/search/map/model/path-choice.ts";
import classes from "./frame/map.module.css";

interface Props {
  value: PathChoice;
  /** The part that the overview leaves out. */
  note: string | null;
  onChange: (choice: PathChoice) => void;
}

const labels: Readonly<Record<PathChoice, string>> = { none: "None", overview: "Overview", exact: "Exact" };

/** The drawn part of where the items went. */
export function PathsSelect({ value, note, onChange }: Props) {
  return (
    <>
      <NativeSelect
        size="xs"
        label="Paths"
        classNames={{ root: classes["order"] ?? "", wrapper: classes["orderInput"] ?? "" }}
        value={value}
        data={pathChoices.map((choice) => ({ value: choice, label: labels[choice] }))}
        onChange={({ currentTarget }) => {
          const choice = pathChoices.find((one) => one === currentTarget.value);
          if (choice) onChange(choice);
        }}
      />
      {note !== null && <p className={classes["pathsNote"]}>{note}</p>}
    </>
  );
}
