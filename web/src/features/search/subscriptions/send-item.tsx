import type { Menu, MenuItemProps } from "@mantine/core";
import { IconMail } from "#ui/icons/mail.ts";
import { useQuery } from "@tanstack/react-query";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { subscriptionsQuery } from "./queries.ts";
import classes from "./subscriptions.module.css";

interface Props extends Pick<MenuItemProps, "disabled"> {
  /** The item of the menu that it is in. */
  item: typeof Menu.Item;
  onSend: () => void;
}

/** The entry of a menu that opens the dialog. Where the portal sends no emails, it says so. */
export function SendByEmailItem({ item: Item, disabled = false, onSend }: Props) {
  const isDisabledScreen = useIsScreenDisabled("Emails");
  const { data } = useQuery({ ...subscriptionsQuery, enabled: !isDisabledScreen });
  if (isDisabledScreen) return null;
  const isOff = data?.sendsEmail === false;
  return (
    <Item leftSection={<IconMail size={16} aria-hidden />} disabled={disabled || isOff} onClick={onSend}>
      Send by email …{isOff && <span className={classes["note"]}>This portal sends no emails.</span>}
    </Item>
  );
}
