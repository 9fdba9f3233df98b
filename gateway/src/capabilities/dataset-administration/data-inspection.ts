import type { DatasetSource, EngineCall, QueryEngine } from "#query/engine.ts";
import { type FoundDataset, inspectSource } from "./inspect-source.ts";
import { requireConsistent, requireFitting } from "./reading-choices.ts";

/** Inspects data as for the datasets of administrators, for other capabilities. */
export const dataInspection = {
  requireConsistent,
  requireFitting,
  propose: (
    engine: Pick<QueryEngine, "columns" | "sample" | "suggest">,
    readAs: DatasetSource,
    { sampleRows, isSwapped }: { readonly sampleRows: number; readonly isSwapped: boolean },
    call: EngineCall,
  ): Promise<FoundDataset> => {
    const name = { id: "import", category: "", categoryIs: "folder" as const };
    // The proposal is taken without its source.
    const source = { kind: "table" as const, name: "import" };
    return inspectSource(engine, { name, source, readAs, sampleRows, isSwapped }, call);
  },
};
