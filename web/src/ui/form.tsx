import { TautanError } from '@tautan/sdk';
import { createContext, useContext, useEffect, useId, useRef, type ComponentProps, type ReactNode } from 'react';
import { useErrorText } from '../api/errors.js';
import { useMessages } from '../i18n/messages.js';
import styles from './form.module.css';
import { uiMessages } from './messages.js';
import { Notice } from './notice.js';

/** The error of the form's last submission. */
export const FormErrorContext = createContext<unknown>(null);

/** Returns whether an error concerns a field or one of its elements: an error of `tags.2` concerns `tags`. */
export const concerns = (error: unknown, field: string): boolean =>
  error instanceof TautanError && (error.field === field || error.field?.startsWith(`${field}.`) === true);

interface FormProps {
  /** The error of the last submission. It is shown at its field, or above the form if it concerns none of `fields`. */
  error: unknown;
  /** Names of the form's fields, as the API calls them. */
  fields: readonly string[];
  onSubmit: (values: FormData) => void;
  /** Called when the user changes a value. */
  onChange?: () => void;
  children: ReactNode;
}

/** A form whose fields show the API's errors. After an error, the first invalid field receives the focus. */
export function Form({ error, fields, onSubmit, onChange, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const describe = useErrorText();
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const isGeneral = Boolean(error) && !fields.some((field) => concerns(error, field));
  return (
    <form
      ref={form}
      className={styles['form']}
      noValidate
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        const unparsed = unparsedIn(event.currentTarget);
        if (unparsed) unparsed.reportValidity();
        else onSubmit(new FormData(event.currentTarget));
      }}
    >
      {isGeneral && (
        <Notice tone="danger" role="alert">
          {describe(error)}
        </Notice>
      )}
      <FormErrorContext value={error}>{children}</FormErrorContext>
    </form>
  );
}

/**
 * Returns the first input whose text the browser cannot parse, such as an incomplete date. The form data would contain
 * an empty value for this input.
 */
const unparsedIn = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput);

interface FieldProps {
  /** The field's name in the API. */
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
}

/** The properties of a field and of its control. */
type FieldOf<Control extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Control>, keyof FieldProps>;

/**
 * Returns two values: `control` contains the attributes of a control, including those that connect it with its label,
 * hint and error; `frame` is a function that renders the label, hint and error around the control.
 */
function useField<Props extends FieldProps>({ name, label, hint, optional, ...attributes }: Props) {
  const t = useMessages(uiMessages);
  const id = useId();
  const error = useContext(FormErrorContext);
  const describe = useErrorText();
  const isInvalid = concerns(error, name);
  const describedBy = [hint && `${id}-hint`, isInvalid && `${id}-error`].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    className: styles['input'],
    'aria-invalid': isInvalid,
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...attributes,
  };
  const frame = (input: ReactNode) => (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label} {optional && <span className={styles['optional']}>({t.optional})</span>}
      </label>
      {input}
      {hint && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      {isInvalid && (
        <span id={`${id}-error`} className={styles['error']} role="alert">
          {describe(error)}
        </span>
      )}
    </div>
  );
  return { control, frame };
}

/** A text input with its label, its hint and the API's error about it. */
export function TextField(props: FieldOf<'input'>) {
  const { control, frame } = useField(props);
  return frame(<input {...control} />);
}

/** A text area with its label, its hint and the API's error about it. */
export function TextAreaField(props: FieldOf<'textarea'>) {
  const { control, frame } = useField(props);
  return frame(<textarea {...control} />);
}

/** A select with its label, its hint and the API's error about it. */
export function SelectField(props: FieldOf<'select'>) {
  const { control, frame } = useField(props);
  return frame(<select {...control} />);
}

/** The row of buttons at the end of a form. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={styles['actions']}>{children}</div>
);

/** Returns a field's text without surrounding white space. */
export const textOf = (values: FormData, name: string): string => {
  const value = values.get(name);
  // Some browsers separate the lines of a text area with CR and LF.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : '';
};
