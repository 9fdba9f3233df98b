import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { Button } from "@mantine/core";
import { DatasetForm, type DatasetFormProps } from "./dataset-form.tsx";

/** The form of a dataset, once it is loaded. */
export function DatasetFormScreen(props: Omit<DatasetFormProps, "loaded">) {
  const { source, title, onClose } = props;
  // Each opening reads what is stored now.
  const openingId = useId();
  const query = useQuery({
    queryKey: ["dataset-form", source.key, openingId],
    queryFn: ({ signal }) => source.load(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.data) return <DatasetForm key={source.key} {...props} loaded={query.data} />;
  return (
    <>
      <PageHeader title={title}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </PageHeader>
      <WithoutData
        query={query}
        loading={{ label: "Loading the dataset", rowHeight: 56 }}
        failed="The dataset could not be loaded."
        canRetry={canSucceedLater}
      />
    </>
  );
}
