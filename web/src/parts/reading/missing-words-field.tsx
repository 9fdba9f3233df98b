import { Button, TagsInput } from "@mantine/core";
import { useState } from "react";

interface Props {
  words: readonly string[];
  /** Null: those that are usual. */
  onChange: (words: string[] | null) => void;
}

/** Words that are read as no value, applied together: each change reads the file again. */
export function MissingWordsField({ words, onChange }: Props) {
  const [typed, setTyped] = useState<string[]>([...words]);
  const isChanged = typed.join("\n") !== words.join("\n");
  return (
    <>
      <TagsInput
        label="Words for no value"
        description="In numbers, times and yes or no"
        value={typed}
        maxTags={100}
        splitChars={["\n", "\t"]}
        acceptValueOnBlur
        onChange={setTyped}
      />
      <Button.Group>
        <Button variant="default" disabled={!isChanged} onClick={() => onChange(typed)}>
          Apply
        </Button>
        <Button variant="default" onClick={() => onChange(null)}>
          Usual words
        </Button>
      </Button.Group>
    </>
  );
}
