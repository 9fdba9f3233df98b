import { datasetKey } from "@fairway/contract/datasets";
import type { Entity } from "@fairway/contract/entities";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { announcementTexts, type DatasetText, qualityTexts } from "../datasets/dataset-texts.ts";
import { type EntityKind, plainText } from "../entities/entity-kind.ts";

type TextOf = (entity: Entity) => string;

/** The texts of columns that are fetched separately. Empty while loading. */
export function useSeparateTexts(kind: EntityKind): (entity: Entity, column: string) => string {
  const reachable = useReachability(kind);
  const announcement = useAnnouncementTexts(kind);
  const quality = useQualityTexts(kind);
  return useMemo(() => {
    const texts: Partial<Record<string, TextOf>> = { reachable, announcement, quality };
    return (entity, column) => texts[column]?.(entity) ?? "";
  }, [reachable, announcement, quality]);
}

/** Whether a service is reachable. */
function useReachability({ type }: EntityKind): TextOf {
  const { data, error } = useQuery({
    queryKey: ["admin", type, "reachability"],
    queryFn: ({ signal }) => call(torchServiceChecks.reachability, {}, { signal }),
    enabled: type === "torch-service",
    staleTime: 0,
  });
  return useMemo(() => {
    const texts = new Map(
      data?.map(({ name, reachable, answeredMs, problem }) => [
        name,
        reachable ? `yes, in ${Math.round(answeredMs ?? 0)} ms` : `no: ${problem}`,
      ]),
    );
    const unknown = notKnown(data, error);
    return ({ name }) => texts.get(plainText(name)) ?? unknown;
  }, [data, error]);
}

/** Announcements on a dataset, or on those of an external service. */
function useAnnouncementTexts({ type }: EntityKind): TextOf {
  const { data, error } = useQuery({
    queryKey: ["admin", type, "announcements"],
    queryFn: ({ signal }) => announcementTexts(signal),
    enabled: isDatasetType(type),
    staleTime: 0,
  });
  return useMemo(() => datasetTexts(type, data, notKnown(data, error)), [type, data, error]);
}

/** Quality issues of an internal dataset. */
function useQualityTexts({ type }: EntityKind): TextOf {
  const { data, error } = useQuery({
    queryKey: ["admin", type, "quality"],
    queryFn: ({ signal }) => qualityTexts(signal),
    enabled: type === "datasets/internal",
    staleTime: 0,
  });
  return useMemo(() => datasetTexts(type, data, notKnown(data, error)), [type, data, error]);
}

const isDatasetType = (type: string): boolean => type === "datasets/internal" || type === "datasets/external";

/** An external service is the category of its datasets, which its text names. */
function datasetTexts(type: string, texts: readonly DatasetText[] = [], unknown: string): TextOf {
  if (type === "datasets/internal") {
    const byDataset = new Map(texts.map(({ dataset, text }) => [datasetKey(dataset), text]));
    return ({ category, id }) => byDataset.get(datasetKey({ datasetCategory: plainText(category), datasetId: plainText(id) })) ?? unknown;
  }
  return ({ name }) =>
    texts
      .filter(({ dataset }) => dataset.datasetCategory === plainText(name))
      .map(({ dataset, text }) => `${dataset.datasetId}: ${text}`)
      .join("; ") || unknown;
}

const notKnown = (data: unknown, error: Error | null): string =>
  data === undefined && error ? `not known: ${messagesOf(error).join(" ")}` : "";
