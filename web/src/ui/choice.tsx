import styles from './choice.module.css';

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

/** A choice in a toolbar, such as a filter. Its label is for screen readers. */
export const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <select
    aria-label={label}
    className={styles['choice']}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    {options.map(([option, text]) => (
      <option key={option} value={option}>
        {text}
      </option>
    ))}
  </select>
);
