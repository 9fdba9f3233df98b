import type { FlowMember } from "@fairway/contract/flows";
import { type RefObject, useEffect, useRef } from "react";
import { announce } from "#ui/announcer.tsx";
import { popoverPosition } from "#ui/popover-position.ts";
import classes from "./request.module.css";

export const mentionOptionId = (listId: string, index: number): string => `${listId}-${index}`;

interface Props {
  id: string;
  /** The field in which the mention is typed. */
  target: RefObject<HTMLElement | null>;
  members: readonly FlowMember[];
  active: number;
  onChoose: (member: FlowMember) => void;
}

/** The members that can be mentioned, above everything else. The focus stays in the field, which handles the keys. */
export function MentionList({ id, target, members, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (!element || !target.current) return;
    if (!element.matches(":popover-open")) element.showPopover();
    const { left, top } = popoverPosition(target.current.getBoundingClientRect(), element.getBoundingClientRect(), "top", {
      width: innerWidth,
      height: innerHeight,
    });
    element.style.translate = `${left}px ${top}px`;
  });
  const username = members[active]?.username;
  useEffect(() => {
    if (username !== undefined) announce(`${username}, ${active + 1} of ${members.length}`);
  }, [username, active, members.length]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Members" popover="manual" className={classes["mentions"]}>
      {members.map((member, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are handled by the field
        <div
          key={member.username}
          id={mentionOptionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(member)}
        >
          <strong>{member.username}</strong>
          {member.name !== member.username && <span>{member.name}</span>}
        </div>
      ))}
    </div>
  );
}
