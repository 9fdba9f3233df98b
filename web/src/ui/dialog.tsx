import { Modal, type ModalProps } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useDialog } from "./open-dialogs.ts";

type DialogProps = Omit<ModalProps, "fullScreen"> & {
  zIndex?: number;
  /** Takes the whole screen of a phone. */
  fillsPhone?: boolean;
};

/** A modal dialog. What lies below it is out of reach; closed, it gives the focus back. */
export function Dialog({ opened, onClose, closeOnEscape, zIndex, fillsPhone = false, ...rest }: DialogProps) {
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  return <Modal {...rest} {...useDialog({ opened, onClose, closeOnEscape, zIndex })} fullScreen={fillsPhone && phone} />;
}
