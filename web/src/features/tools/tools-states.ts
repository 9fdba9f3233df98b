import { settings } from "@fairway/contract/settings";
import { type Tool, tools } from "@fairway/contract/tools";
import { gateway, uiConfig } from "#testing/open-screen.tsx";
import { failure, type ScreenState, title } from "#testing/screen-state.ts";

const python: Tool = {
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

const guide = `## Install

\`\`\`sh
pip install ./fairway.whl
\`\`\`

| call | limit |
| - | - |
| search | 10,000 |
`;

function serve(): void {
  gateway.answer(settings.ui, { ...uiConfig, downloadableTools: [{ display: "Python Client", icon: { type: "fa-solid", name: "book" } }] });
  gateway.answer(tools.list, [python]);
  gateway.answer(tools.guide, guide);
}

export const states: readonly ScreenState[] = [
  { name: "tools", answers: serve, open: "/tools?name=pythonclient", shows: title("Python Client"), phone: true },
  {
    name: "tools-failed",
    answers: () => {
      serve();
      gateway.refuse(tools.list, "internal", "The disk is full.");
    },
    open: "/tools?name=pythonclient",
    shows: failure,
  },
];
