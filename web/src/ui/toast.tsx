import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useErrorText } from '../api/errors.js';
import { useMessages } from '../i18n/messages.js';
import { uiMessages } from './messages.js';
import { modals } from './modals.js';
import styles from './toast.module.css';

interface ToastItem {
  id: number;
  text: string;
  undo?: Undo;
}

/** Reverts a change. Resolves when the change is reverted. */
type Undo = () => Promise<unknown>;

const DURATION_MS = 5_000;
const UNDO_MS = 10_000;
let items: readonly ToastItem[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly ToastItem[]): void {
  items = next;
  listeners.forEach((listener) => listener());
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a toast, with an undo button if `undo` is given. */
export function toast(text: string, undo?: Undo): void {
  lastId += 1;
  change([...items.slice(-2), { id: lastId, text, ...(undo && { undo }) }]);
}

const remove = (id: number): void => change(items.filter((item) => item.id !== id));

/**
 * Shows the toasts. F8 moves the focus to them. While a modal dialog is open, they are in the dialog, because the rest
 * of the page is inert.
 */
export function Toaster() {
  const modal = useSyncExternalStore(modals.subscribe, modals.topmost);
  return <Toasts key={modal?.id ?? ''} container={modal ?? document.body} />;
}

function Toasts({ container }: { container: HTMLElement }) {
  const t = useMessages(uiMessages);
  const describe = useErrorText();
  const toasts = useSyncExternalStore(subscribe, () => items);
  const run = (undo: Undo): void => void undo().catch((error: unknown) => toast(describe(error)));
  return (
    <Toast.Provider label={t.notifications} announcerContainer={container}>
      {toasts.map(({ id, text, undo }) => (
        <Toast.Root
          key={id}
          className={styles['toast']}
          duration={undo ? UNDO_MS : DURATION_MS}
          onOpenChange={(open) => !open && remove(id)}
        >
          <Toast.Description className={styles['text']}>{text}</Toast.Description>
          {undo && (
            <Toast.Action altText={t.undo} className={styles['button']} onClick={() => run(undo)}>
              {t.undo}
            </Toast.Action>
          )}
          <Toast.Close className={styles['button']} aria-label={t.close}>
            ✕
          </Toast.Close>
        </Toast.Root>
      ))}
      {createPortal(<Toast.Viewport className={styles['viewport']} />, container)}
    </Toast.Provider>
  );
}
