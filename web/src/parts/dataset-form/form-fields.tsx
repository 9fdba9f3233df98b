import { NativeSelect, Stack, Textarea, TextInput, type NativeSelectProps, type TextareaProps, type TextInputProps } from "@mantine/core";
import type { ReactNode } from "react";
import { type FormProblem, pathKey, sectionNames, type Path, type SectionId } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import classes from "./dataset-form.module.css";

/** Fields below each other, as wide as forms are. */
export const Fields = ({ children }: { children: ReactNode }) => (
  <Stack gap="lg" maw="var(--form-max)">
    {children}
  </Stack>
);

/** A section with its heading, where the index leads. */
export function FormSection({ id, about, children }: { id: SectionId; about?: ReactNode; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className={classes["section"]}>
      <h2 id={`${id}-heading`} tabIndex={-1}>
        {sectionNames[id]}
      </h2>
      {about !== undefined && <p className={classes["about"]}>{about}</p>}
      {children}
    </section>
  );
}

/** The problem of a field, and the mark by which the list of problems finds it. */
export function useFieldProblem(path: Path): { error: string | undefined; "data-path": string } {
  const { problems } = useDatasetForm();
  return fieldProblem(problems, path);
}

/** The same for fields that are not the form's own. */
export function fieldProblem(problems: readonly FormProblem[], path: Path): { error: string | undefined; "data-path": string } {
  const key = pathKey(path);
  const problem = problems.find((one) => pathKey(one.path) === key);
  return { error: problem && sentence(problem.message), "data-path": key };
}

/** Messages follow the name of a field: "is empty." */
const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith(".") ? "" : "."}`;

interface TextProps extends Omit<TextInputProps, "value" | "onChange"> {
  path: Path;
  value: string;
  onText: (text: string) => void;
}

export function TextField({ path, onText, ...props }: TextProps) {
  return <TextInput {...useFieldProblem(path)} {...props} onChange={(event) => onText(event.currentTarget.value)} autoComplete="off" />;
}

interface ProseProps extends Omit<TextareaProps, "value" | "onChange"> {
  path: Path;
  value: string;
  onText: (text: string) => void;
}

export function ProseField({ path, onText, ...props }: ProseProps) {
  return <Textarea {...useFieldProblem(path)} {...props} onChange={(event) => onText(event.currentTarget.value)} />;
}

interface ChoiceProps extends Omit<NativeSelectProps, "value" | "onChange" | "data"> {
  path: Path;
  /** Null for none. */
  value: string | null;
  options: readonly { value: string; label: string }[];
  /** The option that stands for null; without it, one has to be chosen. */
  none?: string;
  onChoice: (value: string | null) => void;
}

/** A choice among few. A value that is no longer offered stays shown until another is chosen. */
export function ChoiceField({ path, value, options, none, onChoice, ...props }: ChoiceProps) {
  const isOffered = value === null || options.some((option) => option.value === value);
  return (
    <NativeSelect
      {...useFieldProblem(path)}
      {...props}
      value={value === null ? noChoice : `=${value}`}
      data={[
        ...(none === undefined && value !== null ? [] : [{ value: noChoice, label: none ?? "Choose" }]),
        ...(isOffered ? [] : [{ value: `=${value}`, label: value }]),
        ...options.map((option) => ({ value: `=${option.value}`, label: option.label })),
      ]}
      onChange={(event) => onChoice(event.currentTarget.value === noChoice ? null : event.currentTarget.value.slice(1))}
    />
  );
}

/** No name: all others begin with a sign. */
const noChoice = "none";

/** Options of columns, by what people read and the name. */
export const columnOptions = (columns: readonly { name: string; label?: string | undefined }[]): { value: string; label: string }[] =>
  columns.map(({ name, label }) => ({ value: name, label: label === undefined || label === name ? name : `${label} (${name})` }));
