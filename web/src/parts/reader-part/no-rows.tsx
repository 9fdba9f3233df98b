import { noRowsText } from "@fairway/contract/dataset-access";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { ContactLink } from "#parts/dataset-facts/contact-link.tsx";
import { factsQuery } from "#parts/dataset-facts/queries.ts";
import { IconShieldLock } from "#ui/icons/shield-lock.ts";
import { EmptyState } from "#ui/states.tsx";

export interface NoRowsProps {
  dataset: Pick<DatasetDescription, "category" | "datasetId">;
}

/** In place of the rows of a dataset of which its rules leave the reader none, with whom to ask. */
export function NoRows({ dataset: { category, datasetId } }: NoRowsProps) {
  const { data: facts } = useQuery(factsQuery(category.id, datasetId));
  const contact = facts?.contact ?? null;
  return (
    <EmptyState
      icon={<IconShieldLock size={24} stroke={1.5} aria-hidden />}
      action={
        contact === null ? undefined : (
          <span>
            {"Contact: "}
            <ContactLink contact={contact} />
          </span>
        )
      }
    >
      {noRowsText}
    </EmptyState>
  );
}
