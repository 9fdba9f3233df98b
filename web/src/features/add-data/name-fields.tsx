import { passesRole } from "@fairway/contract/access";
import { NativeSelect, TextInput } from "@mantine/core";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { selectAll } from "#ui/kit/form-dialog.tsx";
import type { ImportScreen as Screen } from "./use-import.ts";
import classes from "./add-data.module.css";

/** The name, prefilled; administrators also choose whose dataset it is, and the category of one for everyone. */
export function NameFields({ screen: { name, setName, category, setCategory, refusal } }: { screen: Screen }) {
  const { roles } = useCurrentUser();
  return (
    <>
      {passesRole(roles, "admin") && (
        <NativeSelect
          aria-label="Kind of dataset"
          className={classes["kind"] ?? ""}
          value={category === null ? "own" : "everyone"}
          data={[
            { value: "own", label: "Own dataset" },
            { value: "everyone", label: "Dataset for everyone in category …" },
          ]}
          onChange={(event) => setCategory(event.currentTarget.value === "own" ? null : "")}
        />
      )}
      {category !== null && (
        <TextInput
          aria-label="Category"
          placeholder="Category"
          className={classes["name"] ?? ""}
          maxLength={200}
          value={category}
          onChange={(event) => setCategory(event.currentTarget.value)}
        />
      )}
      <TextInput
        aria-label="Name of the dataset"
        placeholder="Name"
        className={classes["name"] ?? ""}
        maxLength={200}
        autoComplete="off"
        value={name}
        error={refusal?.isName ? refusal.messages.join(" ") : undefined}
        onFocus={selectAll}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </>
  );
}
