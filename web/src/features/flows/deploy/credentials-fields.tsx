import { PasswordInput, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useId } from "react";
import uiClasses from "#ui/ui.module.css";
import { problemOf, type SignIn, type TypedCredentials } from "./credentials.ts";
import classes from "./deploy.module.css";

const choices: { value: SignIn; label: string }[] = [
  { value: "password", label: "Username and password" },
  { value: "token", label: "Auth token" },
  { value: "none", label: "None" },
];

/** Keeps browsers and password managers from storing the credentials, or filling in those of the portal. */
const notStored = {
  autoCapitalize: "none",
  spellCheck: false,
  "data-1p-ignore": true,
  "data-lpignore": "true",
  "data-bwignore": true,
} as const;

interface Props {
  value: TypedCredentials;
  onChange: (value: TypedCredentials) => void;
  disabled?: boolean;
  /** Purpose of the credentials: `deployment`. */
  purpose: string;
  /** Destination of the credentials. Undefined until an environment is chosen. */
  address: string | undefined;
}

/** How to sign in to a NiFi. */
export function CredentialsFields({ value, onChange, disabled = false, purpose, address }: Props) {
  const id = useId();
  const problem = problemOf(value);
  const set = (change: Partial<TypedCredentials>) => onChange({ ...value, ...change });
  return (
    <fieldset className={uiClasses["fieldGroup"]} disabled={disabled}>
      <legend id={id}>Sign in to NiFi</legend>
      {address !== undefined && <p className={classes["help"]}>{`At ${address}`}</p>}
      <SegmentedControl
        aria-labelledby={id}
        fullWidth
        data={choices}
        value={value.signIn}
        disabled={disabled}
        onChange={(signIn) => set({ signIn })}
      />
      {value.signIn === "password" && (
        <div className={classes["pair"]}>
          <TextInput
            {...notStored}
            label="Username"
            autoComplete="off"
            value={value.username}
            onChange={(event) => set({ username: event.currentTarget.value })}
          />
          <PasswordInput
            {...notStored}
            label="Password"
            autoComplete="new-password"
            value={value.password}
            visibilityToggleButtonProps={{ "aria-label": "Show password" }}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
        </div>
      )}
      {problem !== undefined && (
        <Text role="status" size="xs" c="yellow">
          {problem}
        </Text>
      )}
      {value.signIn === "token" && (
        <PasswordInput
          {...notStored}
          label="Auth token"
          autoComplete="new-password"
          value={value.authToken}
          visibilityToggleButtonProps={{ "aria-label": "Show token" }}
          onChange={(event) => set({ authToken: event.currentTarget.value })}
        />
      )}
      <p className={classes["help"]}>
        {value.signIn === "none"
          ? "For a NiFi without authentication."
          : `Used for this ${purpose} only. The portal doesn’t store it. Leave blank if the NiFi has no authentication.`}
      </p>
    </fieldset>
  );
}
