import type { FlowFormat } from "@fairway/contract/flow-requests";

/** The part of the request that is shown, as it is in the address. */
export interface RequestView {
  mode: "single" | "diff";
  /** Checks are about one iteration, changes and drawing compare two: another mode shows the text instead. */
  view: "text" | "checks" | "changes" | "drawing";
  /** The number of the iteration; null for the newest. */
  iteration: number | null;
  /** The other side of the comparison: the number of another iteration or the accepted state; null for the default. */
  base: number | "accepted" | null;
  /** A line of the iteration to go to. */
  line: number | null;
  /** A component of the iteration to go to. */
  component: string | null;
}

/** The view of this mode. */
export function viewOf({ mode, view }: Pick<RequestView, "mode" | "view">): RequestView["view"] {
  return (view === "checks") === (mode === "single") ? view : "text";
}

const views: readonly RequestView["view"][] = ["text", "checks", "changes", "drawing"];

/** Initial view of a request: its changes, compared with the accepted state. */
export const startView: RequestView = { mode: "diff", view: "changes", iteration: null, base: "accepted", line: null, component: null };

const fields = ["mode", "view", "iteration", "base", "line", "component"] as const;

/** Unknown values are the defaults of an address that names anything: the text of one iteration. Otherwise it is the start. */
export function readView(search: Readonly<Record<string, unknown>>): RequestView {
  if (fields.every((field) => search[field] === undefined)) return startView;
  const { mode, view, iteration, base, line, component } = search;
  return {
    mode: mode === "diff" ? "diff" : "single",
    view: views.find((one) => one === view) ?? "text",
    iteration: positive(iteration),
    base: base === "accepted" ? base : positive(base),
    line: positive(line),
    component: typeof component === "string" && component !== "" ? component : null,
  };
}

function positive(value: unknown): number | null {
  return typeof value === "string" && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null;
}

/** The query of the address, without defaults. */
export function viewSearch(shown: RequestView): Record<string, string> {
  if (fields.every((field) => shown[field] === startView[field])) return {};
  const { mode, view, iteration, base, line, component } = shown;
  const isPlain = view === "text" && iteration === null && line === null && component === null;
  return {
    ...(mode === "single" && !isPlain ? {} : { mode }),
    ...(view === "text" ? {} : { view }),
    ...(iteration === null ? {} : { iteration: String(iteration) }),
    ...(base === null || mode === "single" ? {} : { base: String(base) }),
    ...(line === null ? {} : { line: String(line) }),
    ...(component === null ? {} : { component }),
  };
}

/** Formats whose differences can be shown as components: others have none to show. */
const comparable: ReadonlySet<FlowFormat> = new Set(["json", "xml"]);

/** Initial view of the other mode. */
export function viewInMode(mode: RequestView["mode"], format: FlowFormat | undefined): Partial<RequestView> {
  if (mode === "single") return { mode, view: "text" };
  return { mode, view: format !== undefined && comparable.has(format) ? "changes" : "text", base: "accepted" };
}

/** A view of iterations that exist. */
export interface ShownView extends RequestView {
  iteration: number;
  base: number | "accepted";
}

/**
 * Replaces what the address leaves open or what does not exist: the newest iteration, compared with the one before it; the first
 * one is compared with the accepted state.
 */
export function shownView(address: RequestView, newest: number): ShownView {
  const iteration = address.iteration !== null && address.iteration <= newest ? address.iteration : newest;
  const { base } = address;
  const isBase = base === "accepted" || (base !== null && base <= newest && base !== iteration);
  return { ...address, iteration, base: isBase ? base : iteration > 1 ? iteration - 1 : "accepted" };
}
