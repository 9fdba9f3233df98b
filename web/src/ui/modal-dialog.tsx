import { Drawer, type DrawerRootProps, Modal, type ModalProps } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useDialog } from "./dialog/open-dialogs.ts";
import { DialogFormsContext, useDialogForms } from "./dialog/unsaved-changes.tsx";

export type DialogProps = Omit<ModalProps, "fullScreen"> & {
  zIndex?: number;
  /** Fills the whole screen on a phone. */
  fillsPhone?: boolean;
};

/** A `Dialog`, once it is loaded. */
export function ModalDialog({ opened, onClose, closeOnEscape, zIndex, fillsPhone = false, ...rest }: DialogProps) {
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const { forms, close } = useDialogForms(opened, onClose);
  return (
    <DialogFormsContext value={forms}>
      <Modal {...rest} {...useDialog({ opened, onClose: close, closeOnEscape, zIndex })} fullScreen={fillsPhone && isPhone} />
    </DialogFormsContext>
  );
}

/** A `DetailPanel` over the content, for windows without room beside it. */
export function SideDrawer({ label, opened, position, size, onClose, children }: { label: string; opened: boolean } & DrawerRootProps) {
  return (
    <Drawer.Root {...useDialog({ opened, onClose })} position={position} size={size}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>
        <Drawer.Body p={0} h="100%">
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
