import { Button } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { ImportScreen } from "./import-screen.tsx";
import { useImport } from "./use-import.ts";

/** Files on their way to a dataset: how they are read, what is open, and Create. */
export function ImportPage() {
  const { importId = "" }: { importId?: string } = useParams({ strict: false });
  return <Import key={importId} id={importId} />;
}

function Import({ id }: { id: string }) {
  const screen = useImport(id);
  const { data } = screen.query;
  if (data !== undefined) return <ImportScreen screen={screen} data={data} />;
  return (
    <>
      <PageHeader title="Add data" />
      <WithoutData
        query={screen.query}
        loading={{ label: "Loading the data", rows: 12 }}
        failed="This import can't be shown"
        canRetry={canSucceedLater}
        otherwise={<Button renderRoot={(props) => <Link to="/add-data" {...props} />}>Add data</Button>}
      />
    </>
  );
}
