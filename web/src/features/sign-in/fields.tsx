import { type ReactNode, type Ref, useId, useState } from "react";
import { Icon } from "./icons.tsx";
import classes from "./sign-in.module.css";

interface FieldProps {
  label: string;
  name: string;
  value: string;
  autoComplete: string;
  onChange: (value: string) => void;
  inputRef?: Ref<HTMLInputElement> | undefined;
  /** The on-screen keyboard of a phone. */
  inputMode?: "numeric";
  /** Called when the browser autofills the field. Scripts cannot read its value until the user interacts. */
  onAutofill?: () => void;
  invalid?: boolean;
  describedBy?: string | undefined;
  /** Receives the initial focus in a dialog. */
  hasInitialFocus?: boolean;
}

export function TextField(props: FieldProps) {
  return <Field {...props} type="text" />;
}

/** A password field with a button that reveals the text. */
export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  const label = shown ? "Hide password" : "Show password";
  return (
    <Field {...props} type={shown ? "text" : "password"}>
      <button type="button" className={classes["reveal"]} aria-label={label} title={label} onClick={() => setShown(!shown)}>
        <Icon name={shown ? "eyeOff" : "eye"} />
      </button>
    </Field>
  );
}

function Field({
  label,
  name,
  value,
  autoComplete,
  onChange,
  inputRef,
  inputMode,
  onAutofill,
  invalid,
  describedBy,
  hasInitialFocus,
  type,
  children,
}: FieldProps & { type: string; children?: ReactNode }) {
  const id = useId();
  return (
    <div>
      <label className={classes["label"]} htmlFor={id}>
        {label}
      </label>
      <span className={classes["input"]} data-invalid={invalid || undefined}>
        <input
          id={id}
          ref={inputRef}
          name={name}
          type={type}
          value={value}
          autoComplete={autoComplete}
          inputMode={inputMode}
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus={hasInitialFocus || undefined}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
          onAnimationStart={onAutofill}
        />
        {children}
      </span>
    </div>
  );
}

/** A failure, shown until the next attempt. */
export function Failure({ title, children }: { title?: string | undefined; children?: ReactNode }) {
  return (
    <div role="alert" className={classes["failure"]}>
      <Icon name="alert" />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

interface SubmitButtonProps {
  label: string;
  busyLabel: string;
  busy: boolean;
  disabled: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
}

export function SubmitButton({ label, busyLabel, busy, disabled, buttonRef }: SubmitButtonProps) {
  return (
    <button ref={buttonRef} type="submit" className={classes["submit"]} disabled={disabled || busy} aria-busy={busy}>
      {busy ? busyLabel : label}
    </button>
  );
}
