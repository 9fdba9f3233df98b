import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../web/src/ui/theme/tokens.css", import.meta.url), "utf8");
const darkStart = css.indexOf('[data-mantine-color-scheme="dark"]');
const themes = { light: css.slice(0, darkStart), dark: css.slice(darkStart) };

const token = (theme: keyof typeof themes, name: string): string => themes[theme].split(`--${name}: `)[1]?.slice(0, 7) ?? "";

function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A color in OKLab, of linear red, green and blue. Björn Ottosson, 2020. */
function labOf([red, green, blue]: readonly [number, number, number]): readonly [number, number, number] {
  const [l, m, s] = [
    Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue),
    Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue),
    Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue),
  ];
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Of linear light, for people without red, green or blue cones. Machado, Oliveira and Fernandes, 2009, at full severity. */
const sights: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linear(hex: string): readonly [number, number, number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function distance(one: string, other: string, sight: string): number {
  const seen = (hex: string) => {
    const light = linear(hex);
    const [red = 0, green = 0, blue = 0] = (sights[sight] ?? []).map((row) =>
      Math.min(
        1,
        Math.max(
          0,
          row.reduce((sum, part, index) => sum + part * (light[index] ?? 0), 0),
        ),
      ),
    );
    return labOf([red, green, blue]);
  };
  const [a, b] = [seen(one), seen(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const palettes = ["ember", "tide", "balance"] as const;
const steps = (palette: string, theme: keyof typeof themes): string[] =>
  Array.from({ length: 7 }, (_, index) => token(theme, `${palette}-${index + 1}`));

/** The colors of a palette, each way from the least value: one from a middle has two. */
const ways = (palette: (typeof palettes)[number], theme: keyof typeof themes): string[][] => {
  const scale = steps(palette, theme);
  return palette === "balance" ? [scale.slice(0, 4).toReversed(), scale.slice(3)] : [scale];
};

describe.each(palettes)("the palette %s", (palette) => {
  it.each(["light", "dark"] as const)("more stands further from the ground of a %s map, and nothing vanishes in sea or land", (theme) => {
    for (const ground of ["sea", "land"]) {
      for (const way of ways(palette, theme)) {
        const contrasts = way.map((color) => contrast(color, token(theme, ground)));
        expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b));
        expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it.each(Object.keys(sights))("neighbors differ for %s sight", (sight) => {
    for (const theme of ["light", "dark"] as const) {
      const scale = steps(palette, theme);
      for (const [index, color] of scale.slice(1).entries()) {
        expect(distance(scale[index] ?? "", color, sight), `${scale[index]} and ${color}`).toBeGreaterThanOrEqual(0.045);
      }
    }
  });
});
