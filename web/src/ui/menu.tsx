import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { createContext, useContext, useRef, type ReactElement, type ReactNode, type RefObject } from 'react';
import styles from './menu.module.css';

/** The action of the selected item, which runs after the menu has closed. */
type PendingAction = RefObject<(() => void) | undefined>;
const PendingActionContext = createContext<PendingAction>({ current: undefined });

/**
 * A menu that a button opens. It is rendered next to the button, so that it works within modal dialogs and stays in the
 * button's landmark. The action of an item, such as opening a dialog, runs after focus has returned to the button.
 */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  const pending: PendingAction = useRef(undefined);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        className={styles['menu']}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={() => {
          const action = pending.current;
          pending.current = undefined;
          if (action) setTimeout(action);
        }}
      >
        <PendingActionContext value={pending}>{children}</PendingActionContext>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  onSelect: () => void;
  danger?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, danger, children }: ItemProps) {
  const pending = useContext(PendingActionContext);
  return (
    <DropdownMenu.Item
      className={[styles['item'], danger && styles['danger']].filter(Boolean).join(' ')}
      onSelect={() => {
        pending.current = onSelect;
      }}
    >
      {children}
    </DropdownMenu.Item>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T | undefined;
  options: readonly { value: T; text: string }[];
  onChange: (value: T) => void;
}

/** A group of items, one of which is selected. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <DropdownMenu.RadioGroup
      {...(value !== undefined && { value })}
      onValueChange={(next) => onChange(next as T)}
      aria-label={label}
    >
      <DropdownMenu.Label className={styles['label']}>{label}</DropdownMenu.Label>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={styles['item']}>
          <span className={styles['check']}>
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden />
            </DropdownMenu.ItemIndicator>
          </span>
          {option.text}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className={styles['label']}>{children}</DropdownMenu.Label>
);

export const MenuSeparator = () => <DropdownMenu.Separator className={styles['separator']} />;
