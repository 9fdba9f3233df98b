import { Button, Group, TextInput, type TextInputProps } from "@mantine/core";
import { type FocusEvent, type ReactNode, useState } from "react";
import classes from "./save-form.module.css";

/** `run` ignores calls while one is in progress and passes a failure to `onFailed`. */
export function useSaving(): { saving: boolean; run: (work: () => Promise<void>, onFailed: (error: unknown) => void) => Promise<void> } {
  const [saving, setSaving] = useState(false);
  const run = async (work: () => Promise<void>, onFailed: (error: unknown) => void) => {
    if (saving) return;
    setSaving(true);
    try {
      await work();
    } catch (error) {
      onFailed(error);
    } finally {
      setSaving(false);
    }
  };
  return { saving, run };
}

interface SaveFormProps {
  canSave: boolean;
  saving: boolean;
  onSave: () => void;
  onCancel: () => void;
  /** Why the last attempt failed, in sentences. */
  failure?: readonly string[];
  /** Left of the buttons. */
  aside?: ReactNode;
  /** The element that says why Save is disabled. */
  saveDescribedBy?: string;
  /** Label of the Save button. */
  saveLabel?: string;
  /** The fields. */
  children: ReactNode;
}

/** A dialog's form: fields, the failure of the last attempt, Cancel and Save. */
export function SaveForm({
  canSave,
  saving,
  onSave,
  onCancel,
  failure,
  aside,
  saveDescribedBy,
  saveLabel = "Save",
  children,
}: SaveFormProps) {
  return (
    <form
      className={classes["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In React's tree, a dialog may be inside another form.
        event.stopPropagation();
        if (canSave) onSave();
      }}
    >
      {children}
      {failure !== undefined && failure.length > 0 && (
        <p role="alert" className={classes["failure"]}>
          {`${saveLabel} failed: ${failure.join(" ")}`}
        </p>
      )}
      <Group justify={aside ? "space-between" : "flex-end"} gap="sm">
        {aside}
        <Group gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canSave} loading={saving} aria-describedby={saveDescribedBy}>
            {saveLabel}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

interface NameInputProps extends Pick<TextInputProps, "readOnly" | "description" | "error" | "onBlur" | "onFocus"> {
  value: string;
  maxLength: number;
  onChange: (name: string) => void;
}

/** For a suggested text: typing replaces it. */
export const selectAll = (event: FocusEvent<HTMLInputElement>): void => event.currentTarget.select();

/** The name field. Receives the initial focus unless it is read-only. */
export function NameInput({ onChange, readOnly = false, ...rest }: NameInputProps) {
  return (
    <TextInput
      label="Name"
      required
      readOnly={readOnly}
      data-autofocus={!readOnly || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      {...rest}
    />
  );
}
