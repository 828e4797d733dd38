import { fromLocalInput, toLocalInput } from '../i18n/local-time.js';
import { useMessages } from '../i18n/messages.js';
import { TextField, textOf } from './form.js';
import styles from './form.module.css';
import { uiMessages } from './messages.js';

interface LimitFieldsProps {
  expiresAt: string | null;
  /** The field that limits the count, such as `maxClicks`. */
  max: { name: string; label: string; value: number | null };
}

/** Fields for the expiry time and the maximum number of clicks or scans. */
export function LimitFields({ expiresAt, max }: LimitFieldsProps) {
  const t = useMessages(uiMessages);
  return (
    <div className={styles['pair']}>
      <TextField
        name="expiresAt"
        label={t.expiresAt}
        hint={t.expiresAtHint}
        type="datetime-local"
        defaultValue={expiresAt ? toLocalInput(expiresAt) : ''}
        optional
      />
      <TextField name={max.name} label={max.label} type="number" min={1} defaultValue={max.value ?? ''} optional />
    </div>
  );
}

/** Returns the maximum in a form, or null if the field is empty. */
export const maxIn = (values: FormData, name: string): number | null => {
  const text = textOf(values, name);
  return text === '' ? null : Number(text);
};

/**
 * Returns the `expiresAt` of a request: the expiry in a form, or null if the field is empty. It is omitted if the field
 * still shows `before`: the field has no seconds, so sending its value would change the expiry, and the API rejects
 * past times.
 */
export function expiryIn(values: FormData, before: string | null = null): { expiresAt?: string | null } {
  const text = textOf(values, 'expiresAt');
  if (before !== null && text === toLocalInput(before)) return {};
  return { expiresAt: text === '' ? null : fromLocalInput(text) };
}
