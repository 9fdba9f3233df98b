/** Components of Mantine that open over a screen: one part for all screens, fetched while the browser is idle. */
export { MultiSelect, Select } from "@mantine/core";
export { MenuOfButton } from "./menu-of-button.tsx";
export { ModalDialog, SideDrawer } from "./modal-dialog.tsx";
