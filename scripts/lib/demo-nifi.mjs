// @ts-check
import { join } from "node:path";
import { isNifiInstalled, startNifi } from "./nifi.mjs";

/**
 * Starts the NiFi of the demo's environment Staging if it is installed. It ends with this process.
 * @param {string} home the portal's folder
 */
export async function serveDemoNifi(home) {
  if (!isNifiInstalled()) return;
  const { demoNifiPort: port } = await import("@fairway/demo/flows/environments");
  try {
    await startNifi({ port, folder: join(home, "nifi") });
    console.log(`Apache NiFi is ready: flows can be deployed to Staging, and its canvas is at http://127.0.0.1:${port}/nifi.`);
  } catch (error) {
    console.log(`The demo's NiFi is not available. ${error instanceof Error ? error.message : String(error)}`);
  }
}
