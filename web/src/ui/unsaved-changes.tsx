import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { Dialog, DialogText } from './dialog.js';
import { FormActions } from './form.js';
import { uiMessages } from './messages.js';

/** Asks for confirmation before the user leaves a page with unsaved changes. The browser asks before the tab closes. */
export function UnsavedChanges({ exist }: { exist: boolean }) {
  const t = useMessages(uiMessages);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => exist,
    enableBeforeUnload: () => exist,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title={t.unsaved} onClose={reset}>
      <DialogText>{t.unsavedText}</DialogText>
      <FormActions>
        <Button onClick={reset}>{t.stay}</Button>
        <Button variant="danger" onClick={proceed}>
          {t.discard}
        </Button>
      </FormActions>
    </Dialog>
  );
}
