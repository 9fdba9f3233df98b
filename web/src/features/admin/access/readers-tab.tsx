import { RolePicker } from "../accounts/role-picker.tsx";
import { Stack } from "@mantine/core";
import { useAccessForm } from "./access-context.ts";
import classes from "./access.module.css";

/** The roles that may know of the dataset. */
export function ReadersTab() {
  const { draft, update, roles, problemAt } = useAccessForm();
  const missing = roles === undefined ? [] : draft.roles.filter((role) => !roles.includes(role));
  const problem = problemAt("roles");
  return (
    <Stack gap="md" maw="var(--form-max)">
      <RolePicker
        label="Roles"
        description="Whoever has one of these roles finds the dataset. To everyone else, it does not exist."
        value={draft.roles}
        onChange={(names) => update(() => ({ roles: names }))}
      />
      <p>
        {draft.roles.length === 0
          ? "Everyone who is signed in"
          : `Only people with ${draft.roles.length === 1 ? "this role" : "one of these roles"}`}
      </p>
      {problem !== undefined && (
        <p role="alert" className={classes["problem"]}>
          {problem}
        </p>
      )}
      {missing.length > 0 && <p className={classes["problem"]}>{`There is no role with this name: ${missing.join(", ")}`}</p>}
      <p className={classes["about"]}>
        Rows and Columns say what these readers see of it. More roles never take anything away from a reader, and administrators are readers
        like all others.
      </p>
    </Stack>
  );
}
