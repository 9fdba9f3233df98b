import type { DatasetDescription } from "@fairway/contract/datasets";
import { Button, Group, Textarea } from "@mantine/core";
import { useId, useState } from "react";
import type { FormFilter } from "#parts/search-model/form-filter.ts";
import { withSetting } from "#parts/search-model/form-filter.ts";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { addTyped, maxTypedCharacters, parseTyped, readTyped, typedFields, typedText } from "./typed-filter.ts";
import classes from "./filters.module.css";

interface Props {
  description: DatasetDescription;
  edited: FormFilter;
  onClose: () => void;
  onDone: (filter: FormFilter) => void;
}

/** Edits alternatives as they are typed, such as `(delay >= 60 and origin = ORD) or distance < 200`. */
export function AlternativesForm({ description, edited, onClose, onDone }: Props) {
  const id = useId();
  const fields = typedFields(description, []);
  const [initial] = useState(() => typedText(edited, fields));
  const [text, setText] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  useUnsavedChanges(text !== initial);
  const read = (): FormFilter | string => {
    const parsed = parseTyped(text, fields, description);
    if ("problem" in parsed) return parsed.problem;
    const [doubt] = parsed.doubtful;
    if (doubt) return `This reads like a list. Type ${[doubt.asList, doubt.asValue].filter((one) => one !== undefined).join(", or ")}.`;
    const [setting, ...more] = parsed.filters;
    if (!setting || more.length > 0) return 'Join the alternatives with "or".';
    if (setting.operator === "any") {
      const result = readTyped(description, withSetting(edited, setting));
      return "problem" in result ? result.problem : result.filter;
    }
    // One condition is left, of a column.
    const added = addTyped(description, [], [setting]);
    return "problem" in added ? added.problem : (added.added[0] ?? edited);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        const result = read();
        if (typeof result === "string") setProblem(result);
        else {
          onDone({ ...result, id: edited.id });
          onClose();
        }
      }}
    >
      <Textarea
        label="Alternatives"
        description='Conditions with "or" between them. Those in parentheses have to hold together: (a and b) or c.'
        inputWrapperOrder={["label", "input", "description", "error"]}
        classNames={{ input: classes["alternatives"] ?? "" }}
        value={text}
        maxLength={Math.max(maxTypedCharacters, initial.length)}
        error={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
        onChange={(event) => {
          setText(event.currentTarget.value.replaceAll(/\r?\n/g, " "));
          setProblem(null);
        }}
      />
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className={classes["filterDialogProblem"]}>
          {problem}
        </p>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={text.trim() === ""}>
          Save filter
        </Button>
      </Group>
    </form>
  );
}
