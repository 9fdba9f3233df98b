import { settings } from "@fairway/contract/settings";
import { tools } from "@fairway/contract/tools";
import { gateway, uiConfig } from "#testing/open-screen.tsx";
import { type ScreenState, title, failing } from "#testing/screen-state.ts";
import { pythonClient } from "#testing/tools.ts";

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
  gateway.answer(tools.list, [pythonClient]);
  gateway.answer(tools.guide, guide);
}

export const states: readonly ScreenState[] = [
  { name: "tools", answers: serve, open: "/tools?name=pythonclient", shows: title("Python Client"), phone: true },
  failing("tools-failed", "/tools?name=pythonclient", tools.list, serve),
];
