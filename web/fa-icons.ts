import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as solidIcons from "@fortawesome/free-solid-svg-icons";
import type { Plugin } from "vite";

const { version } = createRequire(import.meta.url)("@fortawesome/free-solid-svg-icons/package.json") as { version: string };

/** Relative to the web app's base URL. Contains the version because files below `assets` are cached for a year. */
const folder = `assets/fa-solid-${version}`;

interface Definition {
  readonly icon: readonly [width: number, height: number, aliases: unknown, unicode: string, path: string | readonly string[]];
}

/** The package also exports the whole pack under a name of the same form; it is not a definition. */
const isDefinition = (value: unknown): value is Definition =>
  typeof value === "object" && value !== null && "icon" in value && Array.isArray(value.icon);

/** File name to content, for each solid icon of Font Awesome Free under every name the package exports, such as `faTruckMedical`. */
export function faIconFiles(): Map<string, string> {
  return new Map(
    Object.entries(solidIcons).flatMap(([name, exported]: [string, unknown]) => {
      if (!/^fa[A-Z0-9]/.test(name) || !isDefinition(exported)) return [];
      const [width, height, , , path] = exported.icon;
      return [[`${name}.json`, JSON.stringify({ width, height, path: typeof path === "string" ? path : path.join(" ") })]];
    }),
  );
}

/** Emits one small file per icon next to the bundle. The icons are not in the module graph because no module imports them all. */
export function faIcons(): Plugin {
  return {
    name: "fairway-fa-icons",
    config: () => ({ define: { "import.meta.env.FAIRWAY_ICONS": JSON.stringify(`/${folder}`) } }),
    configureServer(server) {
      const files = faIconFiles();
      server.middlewares.use(`/${folder}/`, (request, response, next) => {
        const content = files.get((request.url ?? "").slice(1));
        if (content === undefined) return next();
        response.setHeader("content-type", "application/json");
        response.end(content);
      });
    },
    async writeBundle({ dir }) {
      const target = join(dir ?? this.error("The build has no output folder."), folder);
      await mkdir(target, { recursive: true });
      await Promise.all([...faIconFiles()].map(([name, content]) => writeFile(join(target, name), content)));
    },
  };
}
