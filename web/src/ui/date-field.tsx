import { useEffect, useRef, type KeyboardEvent } from 'react';
import { isDate } from '../i18n/local-time.js';

/** Keys that change a part of a date, not those that open the date picker. */
const EDITING_KEY = /^(\S|ArrowUp|ArrowDown|Backspace|Delete)$/u;

interface DateFieldProps {
  label: string;
  className: string | undefined;
  /** YYYY-MM-DD, or empty. */
  value: string;
  min?: string;
  max?: string;
  /** Whether the field cannot be cleared. */
  required?: boolean;
  /** Called with the date that applies from now on; empty if the user cleared the field. */
  onChange: (date: string) => void;
}

/**
 * A field for a date. A picked date applies immediately. A typed date applies when the user presses Enter or leaves the
 * field, because an unfinished entry can be a valid but different date. If the entry is incomplete when the user leaves
 * the field, the field shows the last date that applied.
 */
export function DateField({ label, className, value, onChange, ...attributes }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const isKeyDown = useRef(false);
  const isEdited = useRef(false);
  // React must not control the input: setting its value interrupts the typing of a part, such as the year.
  useEffect(() => {
    if (!isEdited.current) input.current!.value = value;
  }, [value]);
  const apply = (): void => {
    isEdited.current = false;
    const field = input.current!;
    if (isApplicable(field) && field.value !== value) onChange(field.value);
  };
  const change = (): void => {
    isEdited.current = true;
    if (!isKeyDown.current) apply();
  };
  const press = ({ key, altKey }: KeyboardEvent): void => {
    isKeyDown.current = !altKey && EDITING_KEY.test(key);
    if (key === 'Enter') apply();
  };
  const leave = (): void => {
    isKeyDown.current = false;
    // The field keeps the focus if the user switches to another window.
    if (document.activeElement === input.current) return;
    apply();
    if (!isApplicable(input.current!)) input.current!.value = value;
  };
  return (
    <label className={className}>
      <span>{label}</span>
      <input
        ref={input}
        type="date"
        {...attributes}
        onChange={change}
        onKeyDown={press}
        onKeyUp={() => (isKeyDown.current = false)}
        onBlur={leave}
      />
    </label>
  );
}

/** Returns whether a field has a complete date of a plausible year, or was cleared. */
const isApplicable = ({ value, validity }: HTMLInputElement): boolean =>
  value === '' ? !validity.badInput && !validity.valueMissing : isDate(value) && value >= '1000';
