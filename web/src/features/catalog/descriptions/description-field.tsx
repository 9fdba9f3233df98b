import { Button, Textarea } from "@mantine/core";
import classes from "./descriptions.module.css";

/** Mantine's autosize measures every field by itself, too slowly for scrolling through a thousand of them. */
const sizing = CSS.supports("field-sizing", "content")
  ? { classNames: { input: classes["sized"] ?? "" } }
  : { autosize: true, minRows: 2, maxRows: 12 };

export interface DescriptionFieldProps {
  /** Names the field. */
  label: string;
  placeholder?: string;
  maxLength: number;
  stored: string;
  /** The text being edited. */
  text: string;
  isConflict: boolean;
  /** Null drops the edit. */
  onChange: (text: string | null) => void;
}

/** A description that is being edited. */
export default function DescriptionField({ label, placeholder, maxLength, stored, text, isConflict, onChange }: DescriptionFieldProps) {
  return (
    <div className={classes["field"]}>
      <Textarea
        aria-label={label}
        placeholder={placeholder}
        {...sizing}
        maxLength={maxLength}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isConflict ? (
        <div role="note" className={classes["conflict"]}>
          <p>Someone else changed this since you started. Saving again replaces their text:</p>
          <blockquote>{stored === "" ? "No description" : stored}</blockquote>
          <Button variant="default" size="compact-sm" onClick={() => onChange(null)}>
            Use the stored text
          </Button>
        </div>
      ) : (
        text !== stored && <span className={classes["changed"]}>Changed</span>
      )}
    </div>
  );
}
