import type { Column } from "@fairway/contract/columns";

/** The figures over all rows of a dataset that a reader may have. The architecture test names who may make one. */
export class FigureView {
  /** Of a dataset without rules. */
  static readonly whole = new FigureView("all", null);
  /** Of a source that may give each of its readers other rows. */
  static readonly unknown = new FigureView("unknown", null);

  /** Whether the rows of the figures are the reader's. `unknown`: nobody can tell. */
  readonly rows: "all" | "some" | "unknown";
  readonly #asStored: ViewedColumns | null;

  private constructor(rows: FigureView["rows"], asStored: ViewedColumns | null) {
    this.rows = rows;
    this.#asStored = asStored;
  }

  static of(rows: "all" | "some", asStored: ViewedColumns): FigureView {
    return new FigureView(rows, asStored);
  }

  /** Whether the reader has every column as it was measured. */
  get hasAllColumns(): boolean {
    return this.#asStored === null;
  }

  /** Whether the reader has the column, with the values that were measured. */
  isAsStored(column: string): boolean {
    return this.#asStored === null || this.#asStored.columns.has(column);
  }

  get hasTimes(): boolean {
    return this.#asStored?.hasTimes !== false;
  }

  get hasPositions(): boolean {
    return this.#asStored?.hasPositions !== false;
  }
}

/** The columns of a reader that are as they were measured. */
interface ViewedColumns {
  readonly columns: ReadonlySet<Column["name"]>;
  /** Whether the temporal field is one of them. */
  readonly hasTimes: boolean;
  /** Whether those of the position are. */
  readonly hasPositions: boolean;
}

/** Figures of all rows and columns of a dataset. No answer takes them: they have to be unwrapped for their reader. */
export class WholeFigures<Figures> {
  readonly #figures: Figures;
  readonly #inPart: (view: FigureView) => Figures;

  private constructor(figures: Figures, inPart: (view: FigureView) => Figures) {
    this.#figures = figures;
    this.#inPart = inPart;
  }

  /** `without`: leaves out what tells of columns that are not as stored in a view. */
  static of<Figures>(figures: Figures, without: (figures: Figures, view: FigureView) => Figures): WholeFigures<Figures> {
    return new WholeFigures(figures, (view) => without(figures, view));
  }

  /** Null unless the reader has all rows. */
  shownTo(view: FigureView): Figures | null {
    if (view.rows !== "all") return null;
    return view.hasAllColumns ? this.#figures : this.#inPart(view);
  }

  /** For the portal's own work, and for what administrators are told of sources. */
  forPortal(): Figures {
    return this.#figures;
  }
}
