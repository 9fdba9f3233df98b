/** What a form says of a field, and the mark by which it finds it. */
export interface FieldMarks {
  error?: string | undefined;
  "data-path"?: string;
}
