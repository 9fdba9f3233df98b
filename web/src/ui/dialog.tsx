import { Modal, type ModalProps } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useDialog } from "./open-dialogs.ts";
import { DialogFormsContext, useDialogForms } from "./unsaved-changes.tsx";

type DialogProps = Omit<ModalProps, "fullScreen"> & {
  zIndex?: number;
  /** Takes the whole screen of a phone. */
  fillsPhone?: boolean;
};

/**
 * A modal dialog. What lies below it is out of reach; closed, it gives the focus back. Escape, the scrim and the close button ask
 * first if a form in it holds unsaved changes.
 */
export function Dialog({ opened, onClose, closeOnEscape, zIndex, fillsPhone = false, ...rest }: DialogProps) {
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const { forms, close } = useDialogForms(opened, onClose);
  return (
    <DialogFormsContext value={forms}>
      <Modal {...rest} {...useDialog({ opened, onClose: close, closeOnEscape, zIndex })} fullScreen={fillsPhone && phone} />
    </DialogFormsContext>
  );
}
