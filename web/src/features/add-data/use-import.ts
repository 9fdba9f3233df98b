import type { DatasetRef } from "@fairway/contract/datasets";
import { type DataImport, type DriftKind, type ImportChoices, imports } from "@fairway/contract/imports";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { importQuery, importsQuery } from "#parts/add-data/queries.ts";
import { stopSending } from "#parts/add-data/sending.ts";
import { announce } from "#ui/announcer.tsx";
import { toastError } from "#ui/toast/toast.ts";

/** The columns that are the time, the position and the item; null without. */
export type ImportFields = NonNullable<DataImport["fields"]>;

const noFields: ImportFields = { temporalField: null, latitude: null, longitude: null, itemField: null };

/** Why creating was refused. */
interface Refusal {
  readonly messages: readonly string[];
  readonly isName: boolean;
}

export type ImportScreen = ReturnType<typeof useImport>;

const schemaOf = ({ datasetCategory, datasetId }: DatasetRef) =>
  ({ to: "/data-catalog/$datasetCategory/$datasetId", params: { datasetCategory, datasetId } }) as const;

/** An import, and what is chosen about it. */
export function useImport(id: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { category: addressed }: Record<string, unknown> = useSearch({ strict: false });
  const query = useQuery(importQuery(id));
  const { data } = query;
  /** Null while the suggested one stays. */
  const [typedName, setName] = useState<string | null>(null);
  const [category, setCategory] = useState(typeof addressed === "string" ? addressed : null);
  const [chosenFields, setFields] = useState<Partial<ImportFields>>({});
  const [accepted, setAccepted] = useState<ReadonlySet<DriftKind>>(new Set());
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const name = typedName ?? data?.suggestedName ?? "";
  const fields: ImportFields = { ...(data?.fields ?? noFields), ...chosenFields };

  /** Resolves with whether it was accepted. Rejects never: what was refused is a toast, unless the caller takes it. */
  const choose = async (choices: ImportChoices, said?: string): Promise<void> => {
    setChoosing(true);
    try {
      queries.setQueryData(importQuery(id).queryKey, await call(imports.choose, { params: { id }, body: choices }));
      if (said !== undefined) announce(said);
    } finally {
      setChoosing(false);
    }
  };
  const chooseOrTell = (choices: ImportChoices, said?: string) =>
    void choose(choices, said).catch((error: unknown) => toastError("The choice was not applied", messagesOf(error).join(" ")));

  const create = async () => {
    if (data === undefined || isCreating) return;
    setCreating(true);
    setRefusal(null);
    try {
      const body = {
        ...(data.into === null ? { name: name.trim(), fields } : {}),
        ...(category === null ? {} : { category: category.trim() }),
        ...(accepted.size > 0 ? { acceptDrift: [...accepted] } : {}),
      };
      queries.setQueryData(importQuery(id).queryKey, await call(imports.create, { params: { id }, body }));
    } catch (error) {
      const isName = error instanceof GatewayError && error.errors.some(({ code, path }) => code === "name-taken" || path === "name");
      setRefusal({ messages: messagesOf(error), isName });
      void queries.invalidateQueries(importQuery(id));
    }
    setCreating(false);
  };
  const discard = async () => {
    stopSending(id);
    // An import that is gone already needs no more.
    await call(imports.discard, { params: { id } }).catch(() => undefined);
    void queries.invalidateQueries(importsQuery);
    const { into } = data ?? {};
    if (into?.mode === "read-again") void navigate({ ...schemaOf(into), search: { form: "settings" } });
    else void navigate({ to: "/add-data" });
  };
  return {
    id,
    query,
    name,
    setName: (typed: string) => {
      setName(typed);
      setRefusal(null);
    },
    category,
    setCategory,
    fields,
    setFields: (changed: Partial<ImportFields>) => setFields((before) => ({ ...before, ...changed })),
    accepted,
    accept: (kind: DriftKind, isAccepted: boolean) =>
      setAccepted((before) => new Set([...before].filter((one) => one !== kind).concat(isAccepted ? [kind] : []))),
    refusal,
    isChoosing,
    isCreating: isCreating || data?.status === "creating",
    choose,
    chooseOrTell,
    create,
    discard,
  };
}
