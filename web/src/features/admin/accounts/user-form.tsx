import { isJsonObject } from "@fairway/contract/json";
import { adminPasswordMinCharacters } from "@fairway/contract/accounts";
import { Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { MultiSelect } from "#ui/select.tsx";
import { ErrorState } from "#ui/states.tsx";
import { entitiesQuery } from "../entities/entity-calls.ts";
import type { EditDialog, EntityDialogProps } from "../entities/entity-dialog.ts";
import { plainText } from "../entities/entity-kind.ts";
import { type EntityDraft } from "../entities/entity.ts";
import { EntityFormDialog } from "../editor/form-dialog.tsx";
import { RolePicker } from "./role-picker.tsx";
import { type UserFields, toUserDraft, userProblem, userProblems } from "./user-fields.ts";
import classes from "../editor/editor.module.css";

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isJsonObject).map(({ name }) => plainText(name)) : []);

function fieldsOf(entity: EntityDraft | null): UserFields {
  const password = isJsonObject(entity?.["password"]) ? entity["password"] : {};
  return {
    username: plainText(entity?.["username"]),
    email: plainText(entity?.["email"]),
    firstName: plainText(entity?.["firstName"]),
    lastName: plainText(entity?.["lastName"]),
    groups: namesOf(entity?.["groups"]),
    roles: namesOf(entity?.["roles"]),
    setPassword: entity === null,
    password: "",
    requirePasswordChange: password["requirePasswordChange"] === true,
  };
}

/** The form of a user's account. */
export default function UserForm({ kind, dialog, opened, onClose }: EntityDialogProps<EditDialog>) {
  const edited = dialog.kind === "edit" ? dialog.entity : null;
  const [fields, setFields] = useState<UserFields>(() => {
    const initial = fieldsOf(dialog.kind === "new" ? null : dialog.entity);
    return dialog.kind === "copy" ? { ...initial, username: "", setPassword: true } : initial;
  });
  // A field's problem is shown after the field lost focus.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const touch = (name: string) => runAfterPointerUp(() => setTouched((previous) => new Set([...previous, name])));
  const groups = useQuery(entitiesQuery({ type: "groups" }));
  const problems = userProblems(fields, Math.max(adminPasswordMinCharacters, useLimits().passwordMinCharacters));
  const update = (changes: Partial<UserFields>) => setFields({ ...fields, ...changes });
  const text = (name: "username" | "email" | "firstName" | "lastName", label: string) => ({
    label,
    value: fields[name],
    error: touched.has(name) ? problems[name] : undefined,
    onBlur: () => touch(name),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => update({ [name]: event.currentTarget.value }),
  });

  return (
    <EntityFormDialog
      kind={kind}
      dialog={dialog}
      opened={opened}
      onClose={onClose}
      name={fields.username}
      draft={toUserDraft(fields, edited)}
      problem={userProblem(problems)}
      draftOf={(entity) => toUserDraft(fieldsOf(entity), entity)}
      onFill={(entity, isMine) => {
        const { setPassword, password } = fields;
        setFields({ ...fieldsOf(entity), ...(isMine ? { setPassword, password } : {}) });
      }}
    >
      <div className={classes["pair"]}>
        <TextInput
          {...text("username", "Username")}
          disabled={edited !== null}
          description={edited === null ? "You can't change it later." : "You can't change a username."}
          autoComplete="off"
          data-autofocus={edited === null || undefined}
        />
        <TextInput
          {...text("email", "Email")}
          description="Optional"
          type="email"
          autoComplete="off"
          data-autofocus={edited !== null || undefined}
        />
        <TextInput {...text("firstName", "First name")} autoComplete="off" />
        <TextInput {...text("lastName", "Last name")} autoComplete="off" />
      </div>
      {groups.isError && groups.data === undefined ? (
        <ErrorState message="Error Loading Groups" details={messagesOf(groups.error)} onRetry={() => void groups.refetch()} />
      ) : (
        <MultiSelect
          label="Groups"
          description="The user gets the roles of these groups"
          searchable
          data={[...new Set([...(groups.data ?? []).map(({ name }) => String(name)), ...fields.groups])]}
          value={fields.groups}
          onChange={(chosen) => update({ groups: chosen })}
          placeholder={fields.groups.length === 0 ? "None" : ""}
          nothingFoundMessage="No group with this name"
          hidePickedOptions
        />
      )}
      <RolePicker
        label="Roles given directly"
        description="Prefer groups: they're easier to manage as people come and go"
        value={fields.roles}
        onChange={(roles) => update({ roles })}
      />
      <fieldset className={classes["group"]}>
        <legend>Password</legend>
        <Checkbox
          label="Set a password"
          checked={fields.setPassword}
          onChange={(event) => update({ setPassword: event.currentTarget.checked })}
        />
        {fields.setPassword && (
          <PasswordInput
            label="Password"
            value={fields.password}
            error={touched.has("password") ? problems.password : undefined}
            onBlur={() => touch("password")}
            onChange={(event) => update({ password: event.currentTarget.value })}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
          />
        )}
        <Checkbox
          label="Require a password change at the next login"
          checked={fields.requirePasswordChange}
          onChange={(event) => update({ requirePasswordChange: event.currentTarget.checked })}
        />
      </fieldset>
    </EntityFormDialog>
  );
}
