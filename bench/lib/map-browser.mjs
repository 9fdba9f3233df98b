// @ts-check

/** Browser arguments for drawing maps in software, without a GPU. */
export const browserArguments = [
  "--headless=new",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--no-first-run",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
