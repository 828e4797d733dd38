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

/** A color, to pick or to type as #rrggbb. What is being typed may be incomplete; the last valid color stays. */
export function ColorField({ name, label, value, onChange }: ColorFieldProps) {
  const [draft, setDraft] = useState<string>();
  const type = (text: string): void => {
    setDraft(text);
    if (isColor(text)) onChange(text.toLowerCase());
  };
  return (
    <div className={styles['color']}>
      {/* The text field beside it is the same control for the keyboard and for screen readers. */}
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
