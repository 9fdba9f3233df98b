import { Button } from "@mantine/core";
import { useState } from "react";
import { FormSection } from "#parts/dataset-form/form-fields.tsx";
import { IconBraces } from "#ui/icons/braces.ts";
import { island } from "#ui/island.tsx";

const DatasetJsonDialog = island(async () => ({ default: (await import("../code-dialogs.ts")).DatasetJsonDialog }), { isLarge: true });

/** All fields of the dataset as JSON, also those that no section has. */
export function AdvancedSection() {
  const [opening, setOpening] = useState(0);
  const [isOpen, setOpen] = useState(false);
  return (
    <FormSection
      id="advanced"
      about="Everything of the dataset as JSON, also what has no field here. What you change there is in the form afterwards."
    >
      <Button
        variant="default"
        leftSection={<IconBraces size={16} aria-hidden />}
        onClick={() => {
          setOpening(opening + 1);
          setOpen(true);
        }}
      >
        Show the JSON
      </Button>
      {opening > 0 && <DatasetJsonDialog key={opening} opened={isOpen} onClose={() => setOpen(false)} />}
    </FormSection>
  );
}
