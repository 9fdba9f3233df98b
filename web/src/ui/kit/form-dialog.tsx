import { Button, Group, TextInput, type TextInputProps } from "@mantine/core";
import { type FocusEvent, type ReactNode, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { RestoredNote } from "#ui/kept-draft.tsx";
import type { DialogProps } from "#ui/modal-dialog.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { type DialogForm, type DialogFormOptions, type FormState, useDialogForm } from "./use-dialog-form.ts";
import classes from "./kit.module.css";

interface FrameProps {
  /** Label of the Save button. */
  saveLabel?: string;
  /** The Save button is red, for what cannot be undone. */
  isDestructive?: boolean;
  /** The element that says why Save is disabled. */
  saveDescribedBy?: string;
  /** Shown instead of `{Save} failed: …`; null where the fields say it. */
  renderFailure?: ((error: unknown) => ReactNode) | null;
  /** Instead of the distances of the kit. */
  className?: string | undefined;
}

interface SaveFormProps extends FrameProps {
  form: FormState;
  onCancel: () => void;
  /** Left of the buttons. */
  aside?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** A dialog's form: fields, the failure of the last attempt, Cancel and Save. Ctrl+Enter saves from everywhere in it. */
export function SaveForm({
  form: { canSave, saving, refusal, isRestored, submit },
  onCancel,
  saveLabel = "Save",
  isDestructive = false,
  saveDescribedBy,
  renderFailure,
  className,
  aside,
  children,
}: SaveFormProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut for the Save button within the form
    <form
      className={className ?? classes["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In React's tree, a dialog may be inside another form.
        event.stopPropagation();
        if (canSave) submit();
      }}
      onKeyDown={(event) => {
        // A dialog inside this form in React's tree is outside of it in the page. A field may have used the key itself.
        if (event.defaultPrevented || !event.currentTarget.contains(event.target as Node) || !pressed(event, "form.save")) return;
        event.preventDefault();
        if (canSave && !saving) submit();
      }}
    >
      <RestoredNote when={isRestored} />
      {children}
      {refusal !== null &&
        !saving &&
        (renderFailure === undefined ? <Failure label={saveLabel} error={refusal.error} /> : renderFailure?.(refusal.error))}
      <Group justify={aside ? "space-between" : "flex-end"} gap="sm">
        {aside}
        <Group gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={!canSave}
            loading={saving}
            aria-describedby={saveDescribedBy}
            {...(isDestructive ? { color: "red" } : {})}
          >
            {saveLabel}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

/** Says what failed, and why. */
export function Failure({ label, error }: { label: string; error: unknown }) {
  return (
    <p role="alert" className={classes["failure"]}>
      {`${label} failed: ${messagesOf(error).join(" ")}`}
    </p>
  );
}

interface FormProps<Values extends object> extends DialogFormOptions<Values>, FrameProps {
  onClose: () => void;
  /** Left of the buttons. */
  renderAside?: (form: DialogForm<Values>) => ReactNode;
  /** The fields. */
  children: (form: DialogForm<Values>) => ReactNode;
}

type ShownDialog = Pick<DialogProps, "opened" | "title" | "size" | "zIndex" | "fillsPhone" | "closeOnClickOutside">;

/** A dialog that is one form. Each opening starts with `initial`. */
export function FormDialog<Values extends object>({
  opened,
  title,
  size,
  zIndex,
  fillsPhone,
  closeOnClickOutside,
  ...form
}: ShownDialog & FormProps<Values>) {
  const [opening, setOpening] = useState({ opened, number: 0 });
  // Another form, also if the dialog is opened again while it fades out.
  if (opened !== opening.opened) setOpening({ opened, number: opening.number + (opened ? 1 : 0) });
  return (
    <Dialog {...{ opened, title, size, zIndex, fillsPhone, closeOnClickOutside }} onClose={form.onClose}>
      <Form key={opening.number} {...form} />
    </Dialog>
  );
}

function Form<Values extends object>(props: FormProps<Values>) {
  const { onClose, saveLabel, isDestructive, saveDescribedBy, renderFailure, className, renderAside, children, ...options } = props;
  const form = useDialogForm(options);
  return (
    <SaveForm
      {...{ form, saveLabel, isDestructive, saveDescribedBy, renderFailure, className }}
      onCancel={onClose}
      aside={renderAside?.(form)}
    >
      {children(form)}
    </SaveForm>
  );
}

interface NameInputProps extends Omit<TextInputProps, "label" | "required" | "autoComplete"> {
  value: string;
  maxLength: number;
}

/** For a suggested text: typing replaces it. */
export const selectAll = (event: FocusEvent<HTMLInputElement>): void => event.currentTarget.select();

/** The name field. Receives the initial focus unless it is read-only. */
export function NameInput({ readOnly = false, ...rest }: NameInputProps) {
  return <TextInput label="Name" required readOnly={readOnly} data-autofocus={!readOnly || undefined} autoComplete="off" {...rest} />;
}
