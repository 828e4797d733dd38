import { useState } from 'react';
import { TextField } from '../../ui/form.js';
import styles from './qr.module.css';

interface ColourFieldProps {
  name: string;
  label: string;
  value: string;
  onChange: (colour: string) => void;
}

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A colour, to pick or to type as #rrggbb. What is being typed may be incomplete; the last valid colour stays. */
export function ColourField({ name, label, value, onChange }: ColourFieldProps) {
  const [draft, setDraft] = useState<string>();
  const type = (text: string): void => {
    setDraft(text);
    if (isColour(text)) onChange(text.toLowerCase());
  };
  return (
    <div className={styles['colour']}>
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
