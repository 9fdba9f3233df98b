import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { ErrorState } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast.ts";
import { createEntity, entitiesQuery } from "./entity-calls.ts";
import { entityKindOf } from "./entity-kind-of.ts";

const rolesKind = entityKindOf("roles");

const creating = "create\0";

interface RolePickerProps {
  label: string;
  description?: string;
  /** Names. */
  value: readonly string[];
  onChange: (names: string[]) => void;
}

/** Chooses roles by name. One that does not exist yet is made right here. */
export function RolePicker({ label, description, value, onChange }: RolePickerProps) {
  const roles = useQuery(entitiesQuery(rolesKind));
  const [search, setSearch] = useState("");
  if (roles.isError && roles.data === undefined) {
    return <ErrorState message="Error Loading Roles" details={messagesOf(roles.error)} onRetry={() => void roles.refetch()} />;
  }
  const names = (roles.data ?? []).map(({ name }) => String(name));
  const wanted = search.trim();
  const isNew = wanted !== "" && roles.data !== undefined && !names.some((name) => name.toLowerCase() === wanted.toLowerCase());

  const change = async (chosen: string[]) => {
    const asked = chosen.find((one) => one.startsWith(creating));
    if (asked === undefined) return onChange(chosen);
    const name = asked.slice(creating.length);
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
        // One that is gone meanwhile may stay until it is taken out.
        ...new Set([...names, ...value]),
        ...(isNew ? [{ value: creating + wanted, label: `Create role “${wanted}”` }] : []),
      ].map((one) => (typeof one === "string" ? { value: one, label: one } : one))}
      value={[...value]}
      onChange={(chosen) => void change(chosen)}
      nothingFoundMessage="No role of this name"
      placeholder={value.length === 0 ? "None" : ""}
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      hidePickedOptions
    />
  );
}
