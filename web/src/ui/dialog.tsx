import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import styles from './dialog.module.css';
import { Form, FormActions } from './form.js';
import { uiMessages } from './messages.js';

interface DialogProps {
  title: string;
  /** Called when the user closes the dialog by its button or by Escape. Without it the dialog cannot be closed. */
  onClose?: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is rendered. The focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const t = useMessages(uiMessages);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser focuses the first control, which is the button to close; a field is what the user came for.
    element?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        {onClose && (
          <Button look="quiet" icon aria-label={t.close} onClick={onClose}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
}

export const DialogText = ({ children }: { children: ReactNode }) => <p className={styles['text']}>{children}</p>;

interface ConfirmProps {
  title: string;
  text: string;
  /** The label of the button that does it. */
  action: string;
  error: unknown;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, text, action, error, pending, onConfirm, onClose }: ConfirmProps) {
  const t = useMessages(uiMessages);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={error} fields={[]} onSubmit={onConfirm}>
        <DialogText>{text}</DialogText>
        <FormActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" type="submit" disabled={pending}>
            {action}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
