import { type ColorScale, paletteColors } from "#features/search/map/model/color-scale.ts";
import { rangeText, type ScaleText, scaleSteps } from "#features/search/map/model/scale-text.ts";

const [widthPx, padPx, rampPx, linePx] = [264, 12, 12, 18];

/** Draws the legend of a scale into the upper right corner of a picture, whose pixels are `ratio` times those of the page. */
export function drawLegend(
  context: CanvasRenderingContext2D,
  { title, scale, textOf }: { title: string; scale: ColorScale; textOf: ScaleText },
  ratio: number,
): void {
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string) => styles.getPropertyValue(name).trim();
  const { fontFamily } = getComputedStyle(document.body);
  context.save();
  context.scale(ratio, ratio);
  context.translate(context.canvas.width / ratio - widthPx - 16, 16);
  context.fillStyle = color("--bg");
  context.globalAlpha = 0.92;
  context.fillRect(0, 0, widthPx, 2 * padPx + 2 * linePx + rampPx);
  context.globalAlpha = 1;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = color("--text");
  context.font = `500 12px ${fontFamily}`;
  context.fillText(title, padPx, padPx + linePx / 2, widthPx - 2 * padPx);
  const steps = scaleSteps(scale);
  const colors = paletteColors(scale.palette).map((name) => color(name.slice(4, -1)));
  const stepPx = (widthPx - 2 * padPx) / steps.length;
  context.font = `400 10px ${fontFamily}`;
  const top = padPx + linePx;
  for (const [index, step] of steps.entries()) {
    const left = padPx + index * stepPx;
    context.fillStyle = colors[step.color - 1] ?? "";
    context.fillRect(left, top, stepPx, rampPx);
    context.fillStyle = color("--text-2");
    const isLast = index === steps.length - 1;
    context.textAlign = isLast ? "right" : "left";
    // Only what has room is written; both ends always have.
    const text = isLast ? rangeText(step, textOf) : textOf(step.low);
    if (isLast || index === 0 || (context.measureText(text).width < stepPx - 4 && index < steps.length - 2)) {
      context.fillText(text, isLast ? widthPx - padPx : left, top + rampPx + linePx / 2);
    }
  }
  context.restore();
}
