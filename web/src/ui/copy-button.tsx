import { Copy } from 'lucide-react';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { uiMessages } from './messages.js';
import { toast } from './toast.js';

/** A button that copies text to the clipboard. `label` is its accessible name and tooltip. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useMessages(uiMessages);
  const copy = (): void => {
    // `navigator.clipboard` exists only on pages served over HTTPS or from localhost.
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
