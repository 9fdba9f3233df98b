import type { FlowChange } from "@fairway/contract/flow-differences";
import { pluralize } from "@fairway/contract/counts";
import { IconLock } from "#ui/icons/lock.ts";
import { useState } from "react";
import { FieldValue, FieldValues } from "./field-values.tsx";
import { sentenceParts } from "./sentence-parts.ts";
import { StateMark } from "./state-mark.tsx";
import classes from "./changes.module.css";

/** A sentence with the values that it is about. */
export function ChangeItem({ change }: { change: FlowChange }) {
  const { kind, sentence, fields } = change;
  const [field] = fields;
  const listsSettings = kind === "added" || kind === "removed";
  const parts = listsSettings || !field || field.sensitive ? null : sentenceParts(sentence, field);
  return (
    <>
      <StateMark state={kind} />
      <div className={classes["said"]}>
        <p className={classes["sentence"]}>
          {parts
            ? parts.map(({ text, value }, index) => {
                // Parts have no identity other than their index.
                // oxlint-disable-next-line react/no-array-index-key
                if (value === null) return <span key={index}>{text}</span>;
                // oxlint-disable-next-line react/no-array-index-key
                return value === "before" ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
              })
            : sentence}
        </p>
        {!listsSettings && field?.sensitive && (
          <p className={classes["sensitive"]}>
            <IconLock size={14} stroke={1.75} aria-hidden />
            {field.label}: changed. Sensitive values are not shown.
          </p>
        )}
        {!listsSettings && field && !field.sensitive && parts === null && <FieldValues field={field} />}
        {listsSettings && fields.length > 0 && <Settings change={change} />}
      </div>
    </>
  );
}

/** Settings of an added or a removed component. */
function Settings({ change: { kind, fields } }: { change: FlowChange }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <button type="button" className={classes["unfold"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide" : "Show"} {pluralize(fields.length, "setting")}
      </button>
      {isOpen && (
        <dl className={classes["settings"]}>
          {fields.map(({ field, label, sensitive, before, after }) => (
            <div key={field}>
              <dt>{label}</dt>
              <dd>
                {sensitive ? (
                  <span className={classes["unset"]}>sensitive, not shown</span>
                ) : (
                  <FieldValue value={kind === "added" ? after : before} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
