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
  /** The keys that a phone shows. */
  inputMode?: "numeric";
  /** Called when the browser fills the field by itself: scripts cannot read its value until the person acts. */
  onAutofill?: () => void;
  invalid?: boolean;
  describedBy?: string | undefined;
  /** Where a dialog around the form puts the focus. */
  first?: boolean;
}

export function TextField(props: FieldProps) {
  return <Field {...props} type="text" />;
}

/** A password box with a button that shows what was typed. */
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
  first,
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
          data-autofocus={first || undefined}
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

/** A failure that stays until the next try. */
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
