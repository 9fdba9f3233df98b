import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState } from "#ui/states.tsx";

/** Shown in place of a screen the user may not know about. */
export default function MissingPage() {
  return (
    <>
      <PageHeader title="Page does not exist" />
      <EmptyState
        action={
          <Button component={Link} to="/search" variant="default">
            Go to Datasets
          </Button>
        }
      >
        Check the address. You may not have access to this page.
      </EmptyState>
    </>
  );
}
