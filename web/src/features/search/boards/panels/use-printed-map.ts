import { type RefObject, useEffect } from "react";
import { type DrawnMap, reportCanvas } from "#features/search/map/recording/report-frame.ts";
import classes from "./panels.module.css";

/** A WebGL canvas is not printed, a picture of it in the frame is. */
export function usePrintedMap(frame: RefObject<HTMLElement | null>, canvas: DrawnMap | null): void {
  useEffect(() => {
    const element = frame.current;
    if (!canvas || !element) return undefined;
    let picture: HTMLCanvasElement | null = null;
    const remove = () => picture?.remove();
    const draw = () => {
      remove();
      const report = reportCanvas(canvas);
      canvas.drawInto(report.context);
      report.canvas.className = classes["printedMap"] ?? "";
      picture = report.canvas;
      element.append(picture);
    };
    addEventListener("beforeprint", draw);
    addEventListener("afterprint", remove);
    return () => {
      remove();
      removeEventListener("beforeprint", draw);
      removeEventListener("afterprint", remove);
    };
  }, [frame, canvas]);
}
