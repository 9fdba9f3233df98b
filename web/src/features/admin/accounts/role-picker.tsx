import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { MultiSelect } from "#ui/select.tsx";
import { ErrorState } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { createEntity, entitiesQuery } from "../entities/entity-calls.ts";
import { entityKindOf } from "../entities/entity-kind-of.ts";

const rolesKind = entityKindOf("roles");

const createPrefix = "create\0";

interface RolePickerProps {
  label: string;
  description?: string;
  /** Role names. */
  value: readonly string[];
  onChange: (names: string[]) => void;
}

/** Selects roles by name. A role that does not exist yet can be created here. */
export function RolePicker({ label, description, value, onChange }: RolePickerProps) {
  const roles = useQuery(entitiesQuery(rolesKind));
  const [search, setSearch] = useState("");
  if (roles.isError && roles.data === undefined) {
    return <ErrorState message="Error Loading Roles" details={messagesOf(roles.error)} onRetry={() => void roles.refetch()} />;
  }
  const names = (roles.data ?? []).map(({ name }) => String(name));
  const searchedName = search.trim();
  const isNew = searchedName !== "" && roles.data !== undefined && !names.some((name) => name.toLowerCase() === searchedName.toLowerCase());

  const change = async (chosen: string[]) => {
    const createOption = chosen.find((value) => value.startsWith(createPrefix));
    if (createOption === undefined) return onChange(chosen);
    const name = createOption.slice(createPrefix.length);
    setSearch("");
    try {
      await createEntity(rolesKind, { name });
      toastSuccess(`${name} created`, 2000);
      onChange([...value, name]);
    } catch (error) {
      toastError("Failed to Save", messagesOf(error).join(" "));
    }
  };
  return (
    <MultiSelect
      label={label}
      description={description}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      data={[
        // A deleted role stays listed until it is removed from the selection.
        ...new Set([...names, ...value]),
        ...(isNew ? [{ value: createPrefix + searchedName, label: `Create role “${searchedName}”` }] : []),
      ].map((option) => (typeof option === "string" ? { value: option, label: option } : option))}
      value={[...value]}
      onChange={(chosen) => void change(chosen)}
      nothingFoundMessage="No role with this name"
      placeholder={value.length === 0 ? "None" : ""}
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      hidePickedOptions
    />
  );
}
