import { useState } from 'react';
import { TextField } from '../../ui/form.js';
import styles from './qr.module.css';

interface ColorFieldProps {
  name: string;
  label: string;
  value: string;
  onChange: (color: string) => void;
}

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A color that users pick, or type as #rrggbb. While the text is incomplete, the last valid color applies. */
export function ColorField({ name, label, value, onChange }: ColorFieldProps) {
  const [draft, setDraft] = useState<string>();
  const type = (text: string): void => {
    setDraft(text);
    if (isColor(text)) onChange(text.toLowerCase());
  };
  return (
    <div className={styles['color']}>
      {/* Hidden from keyboard and screen reader users, who use the text field. */}
      <input type="color" aria-hidden tabIndex={-1} value={value} onChange={({ target }) => onChange(target.value)} />
      <TextField
        name={name}
        label={label}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        value={draft ?? value}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setDraft(undefined)}
      />
    </div>
  );
}
