import { Menu, type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconDots, IconKeyboard, IconMoon, IconSearch, IconSun } from "@tabler/icons-react";
import { openOverlay } from "./overlays.ts";
import { paletteKeys } from "./shortcuts.ts";

export const themes: readonly { scheme: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { scheme: "light", label: "Light", icon: IconSun },
  { scheme: "dark", label: "Dark", icon: IconMoon },
  { scheme: "auto", label: "System", icon: IconDeviceDesktop },
];

/** What has no place of its own: the palette, the shortcuts, the theme. */
export function MoreMenu({ className }: { className: string | undefined }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="right-end" offset={8} zIndex={310}>
      <Menu.Target>
        <button type="button" className={className}>
          <IconDots size={20} stroke={1.6} aria-hidden />
          More
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSearch size={16} aria-hidden />} rightSection={paletteKeys} onClick={() => openOverlay("palette")}>
          Search everything
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} rightSection="?" onClick={() => openOverlay("shortcuts")}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {themes.map(({ scheme, label, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={colorScheme === scheme && <IconCheck size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
