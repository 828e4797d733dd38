import { useContext, useId } from 'react';
import { useErrorText } from '../api/errors.js';
import { concerns, FormErrorContext } from './form.js';
import styles from './checklist-field.module.css';

interface ChecklistProps {
  /** The field's name in the API. Each checked option is a value of this name. */
  name: string;
  label: string;
  groups: readonly { title: string; options: readonly { value: string; text?: string; hint?: string }[] }[];
  defaultValues?: readonly string[];
}

/** Checkboxes in groups, with the API's error about the field. */
export function ChecklistField({ name, label, groups, defaultValues = [] }: ChecklistProps) {
  const id = useId();
  const error = useContext(FormErrorContext);
  const describe = useErrorText();
  const isInvalid = concerns(error, name);
  return (
    <fieldset className={styles['list']} aria-describedby={isInvalid ? `${id}-error` : undefined}>
      <legend>{label}</legend>
      <div className={styles['groups']} tabIndex={0} role="group" aria-label={label}>
        {groups.map(({ title, options }) => (
          <div key={title}>
            <strong>{title}</strong>
            {options.map(({ value, text = value, hint }) => (
              <label key={value} className={styles['option']}>
                <input
                  type="checkbox"
                  name={name}
                  value={value}
                  defaultChecked={defaultValues.includes(value)}
                  aria-invalid={isInvalid}
                />
                <span>
                  {text}
                  {hint && <small>{hint}</small>}
                </span>
              </label>
            ))}
          </div>
        ))}
      </div>
      {isInvalid && (
        <span id={`${id}-error`} className={styles['error']} role="alert">
          {describe(error)}
        </span>
      )}
    </fieldset>
  );
}
