import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { Dialog, DialogText } from './dialog.js';
import { FormActions } from './form.js';
import { uiMessages } from './messages.js';

/** Asks for confirmation before the user leaves a page with unsaved changes. The browser asks before the tab closes. */
export function UnsavedChanges({ exist }: { exist: boolean }) {
  const t = useMessages(uiMessages);
  return <ConfirmLeaving when={exist} title={t.unsaved} text={t.unsavedText} action={t.discard} />;
}

interface ConfirmLeavingProps {
  when: boolean;
  title: string;
  text: string;
  /** Label of the button that leaves the page. */
  action: string;
}

/** Asks for confirmation before the user leaves the page. The browser asks before the tab closes. */
export function ConfirmLeaving({ when, title, text, action }: ConfirmLeavingProps) {
  const t = useMessages(uiMessages);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title={title} onClose={reset}>
      <DialogText>{text}</DialogText>
      <FormActions>
        <Button onClick={reset}>{t.stay}</Button>
        <Button variant="danger" onClick={proceed}>
          {action}
        </Button>
      </FormActions>
    </Dialog>
  );
}
