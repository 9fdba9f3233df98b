// @ts-check
// The health check of the container image: exits with 0 if the portal in this container is alive.
const port = process.env["PORT"] || "8080";
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/api/health/live`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
