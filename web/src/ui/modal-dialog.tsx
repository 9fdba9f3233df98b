import { Modal, type ModalProps } from "@mantine/core";
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
