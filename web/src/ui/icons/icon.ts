import { createElement, type ReactElement, type SVGProps } from "react";

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, "stroke"> {
  /** Width and height. Default: 24. */
  readonly size?: number | string;
  /** Width of its lines. Default: 2. */
  readonly stroke?: number | string;
  /** A tooltip of the browser. */
  readonly title?: string;
}

export type IconComponent = (props: IconProps) => ReactElement;

type Element = readonly [
  tag: "path" | "circle" | "rect" | "line" | "polyline" | "ellipse" | "polygon",
  attributes: Readonly<Record<string, string>>,
];

const shared = { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 24 24" };

/*
 * The icons of this folder are from Tabler Icons 3.51.0 (MIT, see LICENSE), whose package has 17,842 files. To add one, copy the
 * elements of its SVG into a file of its name.
 */

export const outlineIcon =
  (name: string, elements: readonly Element[]): IconComponent =>
  ({ color = "currentColor", size = 24, stroke = 2, className, title, children, ...rest }) =>
    createElement(
      "svg",
      {
        ...shared,
        width: size,
        height: size,
        fill: "none",
        stroke: color,
        strokeWidth: stroke,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        className: classOf(name, className),
        ...rest,
      },
      title && createElement("title", null, title),
      ...elements.map(([tag, attributes]) => createElement(tag, attributes)),
      children,
    );

export const filledIcon =
  (name: string, elements: readonly Element[]): IconComponent =>
  ({ color = "currentColor", size = 24, stroke: _stroke, className, title, children, ...rest }) =>
    createElement(
      "svg",
      { ...shared, width: size, height: size, fill: color, stroke: "none", className: classOf(name, className), ...rest },
      title && createElement("title", null, title),
      ...elements.map(([tag, attributes]) => createElement(tag, attributes)),
      children,
    );

const classOf = (name: string, className: string | undefined) =>
  ["tabler-icon", `tabler-icon-${name}`, className].filter(Boolean).join(" ");
