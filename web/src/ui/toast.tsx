import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useErrorText } from '../api/errors.js';
import { useMessages } from '../i18n/messages.js';
import { uiMessages } from './messages.js';
import { modals } from './modals.js';
import styles from './toast.module.css';

interface Notice {
  id: number;
  text: string;
  undo?: Undo;
}

/** Reverts a change. Resolves when the change is reverted. */
type Undo = () => Promise<unknown>;

const DURATION_MS = 5_000;
const UNDO_MS = 10_000;
let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  listeners.forEach((listener) => listener());
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a short notice, with an undo button if `undo` is given. */
export function toast(text: string, undo?: Undo): void {
  lastId += 1;
  change([...notices.slice(-2), { id: lastId, text, ...(undo && { undo }) }]);
}

const remove = (id: number): void => change(notices.filter((notice) => notice.id !== id));

/**
 * Shows the notices. F8 moves the focus to them. While a modal dialog is open, they are in the dialog, because the rest
 * of the page is inert.
 */
export function Toaster() {
  const modal = useSyncExternalStore(modals.subscribe, modals.topmost);
  return <Notices key={modal?.id ?? ''} container={modal ?? document.body} />;
}

function Notices({ container }: { container: HTMLElement }) {
  const t = useMessages(uiMessages);
  const describe = useErrorText();
  const shown = useSyncExternalStore(subscribe, () => notices);
  const run = (undo: Undo): void => void undo().catch((error: unknown) => toast(describe(error)));
  return (
    <Toast.Provider label={t.notifications} announcerContainer={container}>
      {shown.map(({ id, text, undo }) => (
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
