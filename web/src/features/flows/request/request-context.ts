import type { FlowIteration, FlowRequest } from "@fairway/contract/flow-requests";
import { createContext, type RefObject, use } from "react";
import type { RequestIds } from "./queries.ts";
import type { RequestView, ShownView } from "./view-address.ts";

/** The request of the page, and what of it is shown. */
export interface OpenRequest {
  ids: RequestIds;
  request: FlowRequest;
  /** Without contents, oldest first. */
  iterations: readonly FlowIteration[];
  shown: ShownView;
  /** The query of an address of this request that differs from the shown one. */
  searchOf: (change: Partial<RequestView>) => Record<string, string>;
  show: (change: Partial<RequestView>) => void;
  /** The name of the control above the content that had the focus last: they are rendered anew with each content. */
  lastToolRef: RefObject<string | null>;
}

export const RequestContext = createContext<OpenRequest | null>(null);

export function useRequest(): OpenRequest {
  const open = use(RequestContext);
  if (!open) throw new Error("Used outside of the page of a flow request.");
  return open;
}
