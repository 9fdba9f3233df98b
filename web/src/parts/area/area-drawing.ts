import { crossesItself, type Ring } from "@fairway/contract/crossing";
import type { Map as MapLibreMap } from "maplibre-gl";
import {
  type GeoJSONStoreFeatures,
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
} from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";

/** Tool that the user draws with. */
export type DrawingTool = "polygon" | "rectangle" | "circle" | "select";

export interface DrawnShape {
  readonly id: string;
  readonly ring: Ring;
}

export interface DrawingListener {
  /** A shape was finished, moved or deleted. */
  onChange: (shapes: readonly DrawnShape[]) => void;
  /** Whether the shape being drawn crosses itself. */
  onCrossing: (isCrossing: boolean) => void;
  /** Whether a shape was started and is not closed yet. */
  onDrawing: (isDrawing: boolean) => void;
}

/** Shapes that the user draws and edits on a map. */
export class AreaDrawing {
  readonly #draw: TerraDraw;
  readonly #listener: DrawingListener;
  readonly #color: `#${string}`;

  constructor(map: MapLibreMap, listener: DrawingListener) {
    this.#listener = listener;
    this.#color = getComputedStyle(document.documentElement).getPropertyValue("--path").trim() as `#${string}`;
    const validation = this.#validate.bind(this);
    const styles = { fillColor: this.#color, fillOpacity: 0.15, outlineColor: this.#color, outlineWidth: 2 } as const;
    const editable = { feature: { draggable: true, coordinates: { midpoints: true, draggable: true, deletable: true } } };
    this.#draw = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 9 }),
      modes: [
        new TerraDrawPolygonMode({ validation, styles }),
        new TerraDrawRectangleMode({ validation, styles }),
        new TerraDrawCircleMode({ styles }),
        new TerraDrawSelectMode({
          flags: { polygon: editable, rectangle: editable, circle: editable },
          styles: { selectedPolygonColor: this.#color, selectedPolygonFillOpacity: 0.25, selectedPolygonOutlineColor: this.#color },
        }),
      ],
    });
    this.#draw.start();
    this.#draw.on("change", () => this.#listener.onDrawing(this.#draw.getModeState() === "drawing"));
    this.#draw.on("finish", () => {
      this.#listener.onCrossing(false);
      this.#listener.onChange(this.shapes);
    });
  }

  get shapes(): readonly DrawnShape[] {
    return this.#draw
      .getSnapshot()
      .flatMap((feature) =>
        feature.geometry.type === "Polygon" && feature.properties["currentlyDrawing"] !== true
          ? [{ id: String(feature.id), ring: ringOf(feature) }]
          : [],
      );
  }

  /** `static` shows the shapes without drawing. */
  use(tool: DrawingTool | "static"): void {
    this.#draw.setMode(tool);
  }

  /** Adds shapes that were typed or loaded. */
  add(rings: readonly Ring[]): void {
    this.#draw.addFeatures(
      rings.map((ring) => ({
        type: "Feature",
        properties: { mode: "polygon" },
        geometry: { type: "Polygon", coordinates: [[...ring, ...ring.slice(0, 1)].map(({ lat, lng }) => [rounded(lng), rounded(lat)])] },
      })),
    );
    this.#listener.onChange(this.shapes);
  }

  remove(id: string): void {
    this.#draw.removeFeatures([id]);
    this.#listener.onChange(this.shapes);
  }

  close(): void {
    this.#draw.stop();
  }

  #validate(feature: GeoJSONStoreFeatures, { updateType }: { updateType: string }): { valid: boolean; reason?: string } {
    if (feature.geometry.type !== "Polygon") return { valid: true };
    const ring = ringOf(feature);
    const isCrossing = ring.length > 3 && crossesItself(ring);
    this.#listener.onCrossing(isCrossing);
    // The shape may cross itself while a corner moves, but not once it is finished.
    return isCrossing && updateType === "finish" ? { valid: false, reason: "The shape crosses itself." } : { valid: true };
  }
}

const rounded = (degrees: number): number => Math.round(degrees * 1e9) / 1e9;

function ringOf({ geometry }: GeoJSONStoreFeatures): Ring {
  const points = geometry.type === "Polygon" ? (geometry.coordinates[0] ?? []).map(([lng = 0, lat = 0]) => ({ lat, lng })) : [];
  return points
    .slice(0, -1)
    .filter((point, index, all) => index === 0 || point.lat !== all[index - 1]?.lat || point.lng !== all[index - 1]?.lng);
}
