import {
  formats,
  importDelimiters,
  importFields,
  importFormats,
  type ImportOptions,
  type ParsedImport,
} from '@tautan/sdk/import-formats';
import { useMessages } from '../../i18n/messages.js';
import { Table } from '../../ui/table.js';
import styles from './import-page.module.css';
import { transferMessages } from './messages.js';

interface RecognitionProps {
  parsed: ParsedImport | undefined;
  /** Column titles of a text that was not recognized; otherwise empty, because `parsed` has the columns. */
  titles: readonly string[];
  options: ImportOptions;
  onChange: (options: ImportOptions) => void;
}

const dateOrders = ['dmy', 'mdy'] as const;
const delimiterNames = Object.keys(importDelimiters) as (keyof typeof importDelimiters)[];

/** Shows the recognized format, separator and columns, which the user can change. */
export function Recognition({ parsed, titles, options, onChange }: RecognitionProps) {
  const t = useMessages(transferMessages);
  return (
    <>
      <div className={styles['options']}>
        <Choice
          label={t.format}
          value={options.format ?? parsed?.format ?? ''}
          options={importFormats.map((name) => [name, formats[name].label])}
          onChange={(value) => onChange({ ...options, format: importFormats.find((name) => name === value) })}
        />
        <Choice
          label={t.delimiter}
          value={options.delimiter ?? parsed?.delimiter ?? ''}
          options={delimiterNames.map((name) => [name, t.delimiters[name]])}
          onChange={(value) => onChange({ ...options, delimiter: delimiterNames.find((name) => name === value) })}
        />
        <Choice
          label={t.dateOrder}
          value={options.dateOrder ?? ''}
          options={dateOrders.map((name) => [name, t.dateOrders[name]])}
          onChange={(value) => onChange({ ...options, dateOrder: dateOrders.find((name) => name === value) })}
        />
      </div>
      <Columns parsed={parsed} titles={titles} options={options} onChange={onChange} />
    </>
  );
}

/** The columns with their fields. In a text that was not recognized, a column is ignored until its field is chosen. */
function Columns({ parsed, titles, options, onChange }: RecognitionProps) {
  const t = useMessages(transferMessages);
  const chosen = options.fields ?? {};
  const columns =
    parsed?.columns ?? titles.map((title) => ({ title, field: chosen[title] ?? null, example: undefined }));
  const ignored = parsed ? {} : Object.fromEntries(titles.map((title) => [title, null]));
  const choose = (title: string, value: string): void => {
    const field = importFields.find((name) => name === value) ?? null;
    onChange({ ...options, fields: { ...ignored, ...chosen, [title]: field } });
  };
  if (columns.length === 0) return null;
  return (
    <Table
      label={t.columns}
      rows={columns}
      keyOf={({ title }) => title}
      columns={[
        { header: t.column, cell: ({ title }) => <strong>{title}</strong> },
        {
          header: t.field,
          cell: ({ title, field }) => (
            <select
              aria-label={t.fieldOf(title)}
              className={styles['field']}
              value={field ?? ''}
              onChange={(event) => choose(title, event.target.value)}
            >
              <option value="">{t.ignored}</option>
              {importFields.map((name) => (
                <option key={name} value={name}>
                  {t.fields[name]}
                </option>
              ))}
            </select>
          ),
        },
        { header: t.example, cell: ({ example }) => example, onNarrow: 'hidden' },
      ]}
    />
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

/** A select with an option to detect the value automatically. */
function Choice({ label, value, options, onChange }: ChoiceProps) {
  const t = useMessages(transferMessages);
  return (
    <label className={styles['option']}>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t.recognize}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
