import { accessLimits } from "@fairway/contract/dataset-access";
import { everyone } from "@fairway/contract/access";
import { MultiSelect } from "#ui/select.tsx";
import { useAccessForm } from "./access-context.ts";

interface Props {
  label: string;
  value: readonly string[];
  /** Whether all readers of the dataset can be chosen. */
  takesEveryone: boolean;
  error: string | undefined;
  onChange: (roles: string[]) => void;
}

/** Roles whose holders are meant. One that does not exist can only be taken out. */
export function ReaderPicker({ label, value, takesEveryone, error, onChange }: Props) {
  const { roles = [] } = useAccessForm();
  const names = new Set([...(takesEveryone ? [everyone] : []), ...roles, ...value]);
  const options = [...names].map((name) => ({ value: name, label: name === everyone ? "All readers" : name }));
  return (
    <MultiSelect
      aria-label={label}
      searchable
      selectFirstOptionOnChange
      data={options}
      value={[...value]}
      onChange={onChange}
      error={error}
      maxValues={accessLimits.rolesOfGrant}
      placeholder={value.length === 0 ? "Choose roles" : ""}
      nothingFoundMessage="No role with this name"
      hidePickedOptions
    />
  );
}
