import { flowRequestStatusLabels, isFinal } from "@fairway/contract/flow-requests";
import type { FlowRequestCounts } from "@fairway/contract/flows";
import type { RequestsFilter } from "../queries.ts";

/** A choice of the Status Filter: not final, final, or one status. */
interface StatusFilter {
  /** In the address. */
  value: string;
  label: string;
  /** State of the requests to load. */
  state: "open" | "closed";
  status?: number;
}

const openRequests: StatusFilter = { value: "open", label: "Open", state: "open" };

export const statusFilters: readonly StatusFilter[] = [
  openRequests,
  { value: "closed", label: "Closed", state: "closed" },
  ...flowRequestStatusLabels.map(({ status, label }) => ({
    value: label.toLowerCase().replaceAll(" ", "-"),
    label,
    state: isFinal(status) ? ("closed" as const) : ("open" as const),
    status,
  })),
];

/** Part of the loaded requests that is shown. */
export type Shown = keyof FlowRequestCounts;

/** Filter and selection of the list of requests, besides its search. */
export interface RequestsView {
  filter: StatusFilter;
  show: Shown;
}

/** The view of an address. Parameters that are missing or invalid get the default: open requests, all of them. */
export function requestsView({ status, show }: Readonly<Record<string, unknown>>): RequestsView {
  return {
    filter: statusFilters.find(({ value }) => value === status) ?? openRequests,
    show: show === "review" || show === "mine" ? show : "all",
  };
}

/** The query parameters of a view, without those of the default. */
export const requestsSearch = ({ filter, show }: RequestsView): { status: string | undefined; show: string | undefined } => ({
  status: filter === openRequests ? undefined : filter.value,
  show: show === "all" ? undefined : show,
});

/** The filter to send to the gateway. */
export const requestsFilter = ({ filter: { state, status } }: RequestsView, search: string): RequestsFilter => ({
  ...(status === undefined ? { state } : { status }),
  ...(search === "" ? {} : { search: search.slice(0, maxSearchCharacters) }),
});

/** The gateway takes no more. */
const maxSearchCharacters = 1_000;
