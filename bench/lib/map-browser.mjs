// @ts-check

/** Of a browser that draws maps, on the processor where there is no graphics card. */
export const browserArguments = [
  "--headless=new",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--no-first-run",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
