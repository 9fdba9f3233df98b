import { Drawer } from "@mantine/core";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import type { NavigationGroup } from "./navigation-entries.ts";
import { Panel } from "./panel.tsx";
import { setDrawer, usePanel } from "./panel-state.ts";
import { Rail } from "./rail.tsx";
import classes from "./frame.module.css";

const content = { content: classes["content"] ?? "" };

/** Rail and second panel on a phone, over the page. */
export default function PhoneDrawer({ groups, current }: { groups: readonly NavigationGroup[]; current: string | undefined }) {
  const { drawer, group: panelGroup } = usePanel();
  const group = groups.find(({ id }) => id === panelGroup) ?? groups[0];
  return (
    <Drawer.Root {...useDialog({ opened: drawer, onClose: () => setDrawer(false), zIndex: 250 })} size={328} classNames={content}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Rail groups={groups} current={current} panelStays />
        {group && <Panel group={group} closeLabel="Close menu" onClose={() => setDrawer(false)} />}
      </Drawer.Content>
    </Drawer.Root>
  );
}
