import { IconMessagePlus } from "#ui/icons/message-plus.ts";
import { pluralize } from "@fairway/contract/counts";
import type { ReactNode } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import type { ChangeCard } from "./change-cards.ts";
import { ChangeItem } from "./change-item.tsx";
import { componentName, kindName, shortType } from "./component-text.ts";
import type { ComparisonProps } from "./comparison-props.ts";
import { StateMark } from "./state-mark.tsx";
import classes from "./changes.module.css";

interface Props {
  card: ChangeCard;
  /** Position of the active change among all that are shown. */
  activeChange: number;
  onActive: (change: number) => void;
  onComment: ComparisonProps["onComment"];
  thread: ReactNode;
}

/** A component with its changes, and the heading of its process group above the first one. */
export function ComponentCard({ card, activeChange, onActive, onComment, thread }: Props) {
  const { component, heading, kind, changes, firstChange } = card;
  const name = componentName(component);
  const type = shortType(component.type);
  return (
    <>
      {heading !== null && <h3 className={classes["heading"]}>{heading}</h3>}
      <section className={classes["card"]} aria-label={`${kindName(component.kind)} ${name}`} data-component={component.id}>
        <div className={classes["cardHead"]}>
          <StateMark state={kind} />
          <h4>
            <span className={classes["kind"]}>{kindName(component.kind)} </span>
            {name}
          </h4>
          {type !== "" && type !== name && (
            <span className={classes["type"]} title={component.type}>
              {type}
            </span>
          )}
          <span className={classes["space"]} />
          {changes.length > 1 && <span className={classes["count"]}>{pluralize(changes.length, "change")}</span>}
          {onComment && (
            <IconButton label={`Comment on ${name}`} onClick={() => onComment({ id: component.id, name })}>
              <IconMessagePlus size={16} aria-hidden />
            </IconButton>
          )}
        </div>
        <ul className={classes["changes"]}>
          {changes.map((change, index) => {
            const at = firstChange + index;
            return (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a target of links
              <li
                key={`${change.kind} ${change.fields[0]?.field ?? ""} ${change.sentence}`}
                tabIndex={-1}
                data-change={at}
                aria-current={at === activeChange || undefined}
                onFocus={() => onActive(at)}
              >
                <ChangeItem change={change} />
              </li>
            );
          })}
        </ul>
        {thread !== null && thread !== undefined && <div className={classes["thread"]}>{thread}</div>}
      </section>
    </>
  );
}
