import { Button } from "@mantine/core";
import { openSearches } from "#parts/open-searches/store.ts";
import { ErrorState } from "#ui/states.tsx";

/** Stands in place of a map of rows that have no place. */
export function Unmappable({ searchId }: { searchId: string }) {
  return (
    <ErrorState
      message="Error Loading Map"
      details={["This set of Search Results cannot be displayed on a map. You may view these results in Raw or Table mode."]}
      action={
        <Button variant="default" onClick={() => openSearches.setViewMode(searchId, "table")}>
          Show Table
        </Button>
      }
    />
  );
}
