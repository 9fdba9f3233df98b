import { flowLimits, type FlowMember } from "@fairway/contract/flows";
import { Button, Flex, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { matchingMembers, mentionAt, type TypedMention, withMention } from "./mention-text.ts";
import { MentionList, mentionOptionId } from "./mention-list.tsx";
import { membersQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import { pressed } from "#ui/shortcut-keys.ts";

interface Props {
  /** Names the field. */
  label: string;
  text: string;
  onText: (text: string) => void;
  submitLabel: string;
  isSending: boolean;
  onSubmit: () => void;
  /** Shows Cancel, also for Escape. */
  onCancel?: () => void;
  takesFocus?: boolean;
}

/** A field for a comment with its buttons. Ctrl or Cmd with Enter submits, and `@` offers members to mention. */
export function CommentBox({ label, text, onText, submitLabel, isSending, onSubmit, onCancel, takesFocus = false }: Props) {
  const canSubmit = text.trim() !== "" && !isSending;
  return (
    <Flex
      component="form"
      gap="sm"
      direction="column"
      onSubmit={(event) => {
        event.preventDefault();
        // In React's tree, it may be inside another form.
        event.stopPropagation();
        if (canSubmit) onSubmit();
      }}
    >
      <MentionField
        label={label}
        text={text}
        onText={onText}
        readOnly={isSending}
        takesFocus={takesFocus}
        onSubmit={() => canSubmit && onSubmit()}
        {...(onCancel ? { onEscape: onCancel } : {})}
      />
      <Flex gap="sm" justify="flex-end">
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={isSending}>
            Cancel
          </Button>
        )}
        <Button type="submit" variant="default" disabled={!canSubmit} loading={isSending}>
          {submitLabel}
        </Button>
      </Flex>
    </Flex>
  );
}

interface FieldProps {
  label: string;
  /** Shows the label above the field. */
  hasLabel?: boolean;
  description?: ReactNode;
  text: string;
  onText: (text: string) => void;
  readOnly?: boolean;
  takesFocus?: boolean;
  onSubmit: () => void;
  onEscape?: () => void;
}

/** A text with mentions of members. */
export function MentionField({
  label,
  hasLabel = false,
  description,
  text,
  onText,
  readOnly = false,
  takesFocus = false,
  onSubmit,
  onEscape,
}: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const mentions = useMentions(text, onText, field);
  const { members, active, listId, onKey, choose, update, close } = mentions;
  useLayoutEffect(() => {
    const element = field.current;
    if (!takesFocus || !element) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [takesFocus]);
  const handleKey = (event: KeyboardEvent) => {
    if (onKey(event)) return;
    if (pressed(event, "comment.send")) {
      event.preventDefault();
      onSubmit();
    } else if (event.key === "Escape" && onEscape) {
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    }
  };
  return (
    <>
      <Textarea
        ref={field}
        {...(hasLabel ? { label } : { "aria-label": label, placeholder: label })}
        description={description}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={flowLimits.commentCharacters}
        value={text}
        readOnly={readOnly}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(members.length > 0 ? { "aria-controls": listId, "aria-activedescendant": mentionOptionId(listId, active) } : {})}
        {...(takesFocus ? { "data-autofocus": true } : {})}
        onChange={(event) => {
          onText(event.currentTarget.value);
          update(event.currentTarget);
        }}
        onClick={(event) => update(event.currentTarget)}
        onBlur={close}
        onKeyDown={handleKey}
      />
      {members.length > 0 && <MentionList id={listId} target={field} members={members} active={active} onChoose={choose} />}
    </>
  );
}

function useMentions(text: string, onText: (text: string) => void, field: React.RefObject<HTMLTextAreaElement | null>) {
  const { ids } = useRequest();
  const [mention, setMention] = useState<TypedMention | null>(null);
  const [activeIndex, setActive] = useState(0);
  const listId = useId();
  const caretAfter = useRef<number | null>(null);
  // A failure only means that nobody is offered: names can be typed.
  const { data = [] } = useQuery({ ...membersQuery(ids.group), enabled: mention !== null });
  const members = mention === null ? [] : matchingMembers(data, mention.query);
  const active = Math.min(activeIndex, Math.max(0, members.length - 1));
  const close = () => setMention(null);
  const update = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    setMention(selectionStart === selectionEnd ? mentionAt(value, selectionStart) : null);
    setActive(0);
  };
  const choose = ({ username }: FlowMember) => {
    if (mention === null) return;
    const next = withMention(text, mention, username);
    caretAfter.current = next.caret;
    onText(next.text);
    close();
  };
  useLayoutEffect(() => {
    if (caretAfter.current === null) return;
    field.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });
  /** Whether the key was for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = members[active];
    if (!chosen) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setActive((active + (event.key === "ArrowDown" ? 1 : members.length - 1)) % members.length);
    } else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") choose(chosen);
    else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else return false;
    event.preventDefault();
    return true;
  };
  return { members, active, listId, onKey, choose, update, close };
}
