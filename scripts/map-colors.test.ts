import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync(new URL("../web/src/ui/theme/tokens.css", import.meta.url), "utf8");
const darkStart = css.indexOf('[data-mantine-color-scheme="dark"]');
const themes = { light: css.slice(0, darkStart), dark: css.slice(darkStart) };

const token = (theme: keyof typeof themes, name: string): string => themes[theme].split(`--${name}: `)[1]?.slice(0, 7) ?? "";

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it.each(["light", "dark"] as const)("numbers on a %s map go from dark to light, and none vanishes in sea or land", (theme) => {
  const scale = Array.from({ length: 7 }, (_, index) => token(theme, `scale-${index + 1}`));
  expect(scale.map(luminance)).toEqual(scale.map(luminance).toSorted((a, b) => a - b));
  for (const color of scale) {
    for (const ground of ["sea", "land"]) expect(contrast(color, token(theme, ground)), `${color} on ${ground}`).toBeGreaterThanOrEqual(3);
  }
});
