import type { DatasetSchema } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { IconBulb } from "#ui/icons/bulb.ts";
import { useHasBeen } from "#ui/use-has-been.ts";
import { island } from "#ui/island.tsx";
import { startSuggesting, useSuggestionDraft } from "./suggestion-draft.ts";

const SuggestDialog = island(() => import("./suggest-dialog.tsx"));

/** The button of users who may not edit community descriptions. */
export function SuggestDescription({ schema }: { schema: DatasetSchema }) {
  const [draft, setDraft] = useSuggestionDraft(schema.dataset);
  const isMounted = useHasBeen(draft !== null);
  return (
    <>
      <Button variant="default" leftSection={<IconBulb size={16} aria-hidden />} onClick={() => startSuggesting(schema.dataset, null)}>
        Suggest a description
      </Button>
      {isMounted && <SuggestDialog schema={schema} draft={draft} onDraft={setDraft} />}
    </>
  );
}
