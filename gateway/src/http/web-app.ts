import { randomBytes } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import fastifyStatic from "@fastify/static";
import { apiBase } from "@fairway/contract/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";
import { type AllowedOrigins, pagePolicy } from "./security-headers.ts";

const noncePlaceholder = "__NONCE__";
/** Paths of the sign-in bundle; every other page is the application's. */
const signInPaths = new Set(["/login", "/setup"]);
const year = 31_536_000;

/**
 * Serves the built web app: hashed files for a year, pages freshly with a style nonce and never stored, so that a new
 * version is seen at the next load. Every path that is no file and not the API's is the application's.
 */
export async function installWebApp(app: FastifyInstance, webRoot: string, origins: AllowedOrigins): Promise<void> {
  const [application, signIn] = await Promise.all([readPage(webRoot, "index.html"), readPage(webRoot, "login.html")]);

  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString("base64");
    const page = signInPaths.has(pathOf(request)) ? signIn : application;
    return reply
      .header("content-security-policy", pagePolicy(nonce, origins))
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(noncePlaceholder, nonce));
  };

  await app.register(fastifyStatic, {
    root: webRoot,
    serve: false,
    preCompressed: true,
    index: false,
    dotfiles: "ignore",
    cacheControl: false,
  });
  app.get("/assets/*", { compress: false }, (request, reply) => {
    const file = new URL(request.url, "http://page").pathname.slice(1);
    return reply.header("cache-control", `public, max-age=${year}, immutable`).sendFile(file);
  });
  for (const file of await plainFiles(webRoot)) {
    app.get(`/${file}`, { compress: false }, (_request, reply) => reply.header("cache-control", "no-cache").sendFile(file));
  }
  app.get("/*", (request, reply) => {
    const pathname = pathOf(request);
    if (pathname === apiBase || pathname.startsWith(`${apiBase}/`) || pathname.startsWith("/static/")) {
      throw new Refusal("not-found", `There is nothing at GET ${pathname}.`);
    }
    return sendPage(request, reply);
  });
}

/** Files with a name of their own beside the pages: asked for again each time, answered with 304 while they are the same. */
async function plainFiles(webRoot: string): Promise<string[]> {
  const entries = await readdir(webRoot, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(webRoot, join(parentPath, name)));
  return paths.filter((path) => !path.startsWith("assets/") && /\.(js|svg|png|webmanifest)$/.test(path));
}

async function readPage(webRoot: string, name: string): Promise<string> {
  return readFile(join(webRoot, name), "utf8");
}

/** Not by URL: scanners ask for what is no address, such as `//`. */
const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0] ?? "/";
