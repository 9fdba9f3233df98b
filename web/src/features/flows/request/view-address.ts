/** What of the request is shown, as it is in the address. */
export interface RequestView {
  mode: "single" | "diff";
  /** Checks are about one iteration, changes and drawing compare two: another mode shows the text instead. */
  view: "text" | "checks" | "changes" | "drawing";
  /** The number of the iteration; null for the newest. */
  iteration: number | null;
  /** What the iteration is compared with: the number of another one or the accepted state; null for what suggests itself. */
  base: number | "accepted" | null;
  /** A line of the iteration to go to. */
  line: number | null;
  /** A component of the iteration to go to. */
  component: string | null;
}

/** What is shown in this mode. */
export function viewOf({ mode, view }: Pick<RequestView, "mode" | "view">): RequestView["view"] {
  return (view === "checks") === (mode === "single") ? view : "text";
}

const views: readonly RequestView["view"][] = ["text", "checks", "changes", "drawing"];

/** Unknown values are the defaults. */
export function readView(search: Readonly<Record<string, unknown>>): RequestView {
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
export function viewSearch({ mode, view, iteration, base, line, component }: RequestView): Record<string, string> {
  return {
    ...(mode === "single" ? {} : { mode }),
    ...(view === "text" ? {} : { view }),
    ...(iteration === null ? {} : { iteration: String(iteration) }),
    ...(base === null || mode === "single" ? {} : { base: String(base) }),
    ...(line === null ? {} : { line: String(line) }),
    ...(component === null ? {} : { component }),
  };
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
