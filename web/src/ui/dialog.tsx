import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import styles from './dialog.module.css';
import { Form, FormActions } from './form.js';
import { uiMessages } from './messages.js';
import { modals } from './modals.js';
import { focusHeading } from './page.js';
import { toast } from './toast.js';

interface DialogProps {
  title: string;
  /** Called when the user closes the dialog with its button or Escape. Without it the dialog cannot be closed. */
  onClose?: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is rendered. Closing it restores the previous focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const t = useMessages(uiMessages);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    const close = modals.show(element);
    // The browser focuses the first control, which is the close button. Focus the first field instead.
    element.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return close;
  }, []);
  useEscapeLock(onClose === undefined);
  // If the user presses Escape again without any other interaction, the browser closes the dialog without a `cancel`
  // event.
  const closedByBrowser = (): void => {
    if (dialog.current?.open) return;
    if (onClose) onClose();
    else dialog.current?.showModal();
  };
  return (
    <dialog
      ref={dialog}
      id={`${id}-dialog`}
      className={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={closedByBrowser}
    >
      <div className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        {onClose && (
          <Button variant="quiet" icon aria-label={t.close} onClick={onClose}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
}

/** Prevents Escape from closing any dialog, including those behind the topmost one. */
function useEscapeLock(locked: boolean): void {
  useEffect(() => {
    if (!locked) return undefined;
    const ignore = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') event.preventDefault();
    };
    document.addEventListener('keydown', ignore);
    return () => document.removeEventListener('keydown', ignore);
  }, [locked]);
}

export const DialogText = ({ children }: { children: ReactNode }) => <p className={styles['text']}>{children}</p>;

/** The part of a `useMutation` result that a dialog uses. */
interface Mutation<Variables, Result> {
  mutate: (variables: Variables, options: { onSuccess: (result: Result) => void }) => void;
  error: unknown;
  isPending: boolean;
}

/** What happens after the mutation has succeeded. */
interface Outcome<Result> {
  /** The text of the toast after success. */
  doneText?: (result: Result) => string;
  /** Reverts the change; offered as a button in the toast. */
  undo?: () => Promise<unknown>;
  onClose: () => void;
  /** Called after success instead of `onClose`. */
  onDone?: (result: Result) => void;
}

interface ChangeDialogProps<Variables, Result> extends Outcome<Result> {
  title: string;
  /** Label of the button that submits the change. */
  action: string;
  mutation: Mutation<Variables, Result>;
}

function finish<Result>(result: Result, { doneText, undo, onClose, onDone = onClose }: Outcome<Result>): void {
  onDone(result);
  if (doneText) toast(doneText(result), undo);
}

interface FormDialogProps<Variables, Result> extends ChangeDialogProps<Variables, Result> {
  /** Names of the form's fields in the API. */
  fields: readonly string[];
  /** Converts the values of the form to the variables of the mutation. */
  read: (values: FormData) => Variables;
  disabled?: boolean;
  children: ReactNode;
}

/** A dialog with a form that submits a change. A failed change does not close the dialog or clear the form. */
export function FormDialog<Variables, Result>(props: FormDialogProps<Variables, Result>) {
  const t = useMessages(uiMessages);
  const { title, action, mutation, fields, read, disabled = false, onClose, children } = props;
  const submit = (values: FormData): void =>
    mutation.mutate(read(values), { onSuccess: (result) => finish(result, props) });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={mutation.error} fields={fields} onSubmit={submit}>
        {children}
        <FormActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant="primary" type="submit" disabled={disabled || mutation.isPending}>
            {action}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

interface ConfirmProps<Variables, Result> extends ChangeDialogProps<Variables, Result> {
  text: string;
  variables?: Variables;
}

/** Asks for confirmation before a change. After the change has succeeded, focuses the page's heading. */
export function ConfirmDialog<Variables, Result>(props: ConfirmProps<Variables, Result>) {
  const t = useMessages(uiMessages);
  const { title, text, action, mutation, variables, onClose } = props;
  const confirm = (): void =>
    mutation.mutate(variables as Variables, {
      onSuccess: (result) => {
        finish(result, props);
        focusHeading();
      },
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={mutation.error} fields={[]} onSubmit={confirm}>
        <DialogText>{text}</DialogText>
        <FormActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant="danger" type="submit" disabled={mutation.isPending}>
            {action}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
