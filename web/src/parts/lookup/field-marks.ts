/** The message of a form at a field, and the mark by which it finds it. */
export interface FieldMarks {
  error?: string | undefined;
  "data-path"?: string;
}
