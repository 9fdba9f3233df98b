import type { Column } from "@fairway/contract/columns";
import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";

export const profiled = (name: string): ProfiledColumn => {
  const type: Column["type"] = name === "wind" ? "integer" : "STRING";
  const histogram = name === "wind" ? [20, 90].map((from) => ({ from, to: from + 70, rows: 34 })) : [];
  const top = name === "status" ? [{ value: "hurricane", rows: 40 }] : [];
  return { name, type, isApproximate: false, empty: 0, distinct: 7, min: 20, max: 155, top, histogram };
};
