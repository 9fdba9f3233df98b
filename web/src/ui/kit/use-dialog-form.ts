import { type ChangeEvent, useState } from "react";
import type { z } from "zod";
import { draftOf } from "#lib/browser/drafts.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { sameContent, type UnsavedOptions, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";

type TextChange = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;

/** Props of the input of one value. A text comes from an event or by itself, as inputs differ in it. */
interface FieldProps<Value> {
  value: Value;
  onChange: [Value] extends [string] ? (change: string | TextChange) => void : (change: Value) => void;
  /** The last refusal was of this value. */
  error: boolean;
}

/** The part of a form that its frame needs. */
export interface FormState {
  canSave: boolean;
  saving: boolean;
  /** The last attempt, if it failed. */
  refusal: { error: unknown } | null;
  /** The values are what was typed before the page was reloaded. */
  isRestored: boolean;
  submit: () => void;
}

export interface DialogForm<Values> extends FormState {
  values: Values;
  refusal: { error: unknown; values: Values } | null;
  set: (changed: Partial<Values>) => void;
  field: <Name extends keyof Values>(name: Name) => FieldProps<Values[Name]>;
  /** Saves in this way instead. */
  submit: (save?: (values: Values) => unknown) => void;
}

export interface DialogFormOptions<Values extends object> extends Omit<UnsavedOptions, "draft"> {
  /** Read once, when the form opens. */
  initial: Values;
  /** Default: always. */
  canSave?: (values: Values) => boolean;
  /** Runs once at a time. If it rejects, the form says why and stays open; it closes the dialog itself. */
  save: (values: Values) => unknown;
  /** Whether what was typed is worth a question before it is lost. Default: whether the values are others than the initial ones. */
  isTyped?: (values: Values) => boolean;
  /** Keeps what was typed over a reload, under this name, `without` what no reload can keep, such as a file. Never for a secret. */
  draft?: { name: string; schema: z.ZodType<Partial<Values>>; without?: keyof Values };
  /** How an attempt to save is run, such as by `useFreshAction`. */
  attempt?: (work: () => Promise<void>, onFailed: (error: unknown) => void) => Promise<void>;
}

/** The values of a form, whether they are unsaved, and saving them. Decision 0986. */
export function useDialogForm<Values extends object>({
  initial,
  canSave = () => true,
  save,
  isTyped,
  draft,
  attempt = attemptOnce,
  ...leaving
}: DialogFormOptions<Values>): DialogForm<Values> {
  const [start] = useState(initial);
  const [restored] = useState(() => draft && draftOf(draft.name, draft.schema));
  const [values, setValues] = useState({ ...start, ...restored });
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<DialogForm<Values>["refusal"]>(null);
  const changed = changesOf(start, values, draft?.without);
  const isPart = draft?.without !== undefined && changed.includes(draft.without);
  const hasDraft = draft !== undefined && changed.length > (isPart ? 1 : 0);
  const keptValues = draft?.without === undefined ? values : { ...values, [draft.without]: undefined };
  useUnsavedChanges(isTyped ? isTyped(values) : changed.length > 0, {
    ...leaving,
    ...(hasDraft ? { draft: { name: draft.name, value: keptValues, isPart } } : {}),
  });

  const set = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const submit = (work: (values: Values) => unknown = save) => {
    if (saving) return;
    const once = async () => {
      try {
        const done = work(values);
        setSaving(done instanceof Promise);
        await done;
      } finally {
        setRefusal(null);
        setSaving(false);
      }
    };
    void attempt(once, (error) => setRefusal({ error, values }));
  };
  return {
    values,
    set,
    field: (name) => ({
      value: values[name],
      onChange: (change: unknown) => set({ [name]: isEvent(change) ? change.currentTarget.value : change } as Partial<Values>),
      error: refusal !== null && refusal.values[name] === values[name] && pathsOf(refusal.error).includes(String(name)),
    }),
    canSave: canSave(values),
    saving,
    refusal,
    isRestored: restored !== undefined,
    submit,
  };
}

/** The names of the changed values. What no draft keeps may be large, and is another one if it is another object. */
function changesOf<Values extends object>(start: Values, values: Values, without: keyof Values | undefined): (keyof Values)[] {
  const names = Object.keys(start) as (keyof Values)[];
  return names.filter((name) => values[name] !== start[name] && (name === without || !sameContent(values[name], start[name])));
}

async function attemptOnce(work: () => Promise<void>, onFailed: (error: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    onFailed(error);
  }
}

const isEvent = (change: unknown): change is TextChange => typeof change === "object" && change !== null && "currentTarget" in change;

/** The fields of the request's body that were refused. */
const pathsOf = (error: unknown): readonly string[] =>
  error instanceof GatewayError ? error.errors.flatMap(({ path }) => path?.split(".")[0] ?? []) : [];
