import type { Tool } from "@fairway/contract/tools";

/** A tool with one file to download. */
export const pythonClient: Tool = {
  display: "Python Client",
  name: "pythonclient",
  version: "1.2.0",
  description: "Search into pandas.",
  files: [
    {
      filename: "fairway-1.2.0-py3-none-any.whl",
      url: "/tools/pythonclient/files/fairway-1.2.0-py3-none-any.whl",
      size: 24_500,
      sha256: "0123456789abcdef".repeat(4),
      description: "For Python 3.9 and later",
    },
  ],
};
