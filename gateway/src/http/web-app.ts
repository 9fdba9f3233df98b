import { randomBytes } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, normalize, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { systemCode } from "#process/system-code.ts";
import { anyPage, isPage } from "./known-paths.ts";
import { type AllowedOrigins, pagePolicy, scriptPolicy } from "./security-headers.ts";
import { isAssetName } from "./shared-assets.ts";
import { applicationPage, buildOf } from "./web-build.ts";

const noncePlaceholder = "__NONCE__";
/** By which an open page learns that the gateway serves another version by now. */
const buildPlaceholder = "__BUILD__";
/** Paths of the sign-in bundle; all other pages belong to the application bundle. */
const signInPaths = new Set(["/login", "/setup"]);
const year = 31_536_000;

/**
 * Serves the built web app. Hashed files are cached for a year; pages get a style nonce and are not cached, so that a new
 * version is used on the next load. Every path that is neither a file nor part of the API is a page. `sharedAssets` is the folder with
 * the hashed files of other versions.
 */
export async function installWebApp(
  app: FastifyInstance,
  webRoot: string,
  origins: () => AllowedOrigins,
  sharedAssets?: string,
): Promise<void> {
  const [page, signIn, build] = await Promise.all([readPage(webRoot, applicationPage), readPage(webRoot, "login.html"), buildOf(webRoot)]);
  const application = page.replaceAll(buildPlaceholder, build);

  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString("base64");
    const page = signInPaths.has(pathOf(request)) ? signIn : application;
    return reply
      .header("content-security-policy", pagePolicy(nonce, origins()))
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(noncePlaceholder, nonce));
  };

  const assets = join(webRoot, "assets", sep);
  await app.register(fastifyStatic, {
    root: webRoot,
    serve: false,
    preCompressed: true,
    index: false,
    dotfiles: "ignore",
    cacheControl: false,
    // Set only when a file is sent, so that a 404 is not cached for a year.
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(assets) || (sharedAssets !== undefined && path.startsWith(join(sharedAssets, sep)));
      if (isHashed && /\.js(?:\.br|\.gz)?$/.test(path)) void reply.header("content-security-policy", scriptPolicy);
      void reply.header("cache-control", isHashed ? `public, max-age=${year}, immutable` : "no-cache");
    },
  });
  const own = new Set(await assetsIn(assets));
  app.get<{ Params: { "*": string } }>("/assets/*", { compress: false }, (request, reply) => {
    const name = request.params["*"];
    if (sharedAssets !== undefined && !own.has(name) && isAssetName(name)) return reply.sendFile(name, sharedAssets);
    const file = `assets/${name}`;
    // A path that leaves the folder would reach the pages without their nonce and policy.
    return normalize(file) === file && !/[\\\0]|\/$/.test(file) ? reply.sendFile(file) : reply.callNotFound();
  });
  for (const file of await unhashedFiles(webRoot)) {
    app.get(`/${file}`, { compress: false }, (_request, reply) => reply.sendFile(file));
  }
  app.get(anyPage, (request, reply) => (isPage(pathOf(request)) ? sendPage(request, reply) : reply.callNotFound()));
}

/** None if the web app has no such folder, such as one that was assembled manually. */
async function assetsIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Files without a hash in their name, which browsers revalidate each time. */
async function unhashedFiles(webRoot: string): Promise<string[]> {
  const entries = await readdir(webRoot, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(webRoot, join(parentPath, name)));
  return paths.filter((path) => !path.startsWith("assets/") && /\.(js|svg|png|webmanifest)$/.test(path));
}

async function readPage(webRoot: string, name: string): Promise<string> {
  return readFile(join(webRoot, name), "utf8");
}

/** Does not use `URL`, which throws for targets such as `//`. */
const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0] ?? "/";
