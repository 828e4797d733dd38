import { Copy } from 'lucide-react';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { uiMessages } from './messages.js';
import { toast } from './toast.js';

/** Copies text to the clipboard. `label` is the accessible name and tooltip of the button. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useMessages(uiMessages);
  const copy = (): void => {
    // The clipboard is missing on pages that are not served over HTTPS.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('There is no clipboard.'));
    written.then(
      () => toast(t.copied),
      () => toast(t.copyFailed),
    );
  };
  return (
    <Button variant="quiet" icon aria-label={label} title={label} onClick={copy}>
      <Copy aria-hidden />
    </Button>
  );
}
