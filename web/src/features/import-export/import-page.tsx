import { importTitles, parseImport, type ImportOptions, type ParsedImport } from '@tautan/sdk/import-formats';
import { Lock } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { BackLink } from '../../ui/back-link.js';
import { uiMessages } from '../../ui/messages.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { EmptyState } from '../../ui/states.js';
import styles from './import-page.module.css';
import { ImportRunner } from './import-runner.js';
import { ImportSource } from './import-source.js';
import { transferMessages } from './messages.js';
import { Recognition } from './recognition.js';

/**
 * Imports links in four steps: choose a file or paste rows, review the detected format, check all rows, import them.
 */
export function ImportPage() {
  const t = useMessages(transferMessages);
  const ui = useMessages(uiMessages);
  const canImport = useCan('member');
  return (
    <Page title={t.title} lead={t.lead}>
      <BackLink to="/links">{t.back}</BackLink>
      {canImport ? <Wizard /> : <EmptyState icon={Lock} title={ui.forbidden} text={ui.forbiddenHint} />}
    </Page>
  );
}

function Wizard() {
  const [text, setText] = useState('');
  const [options, setOptions] = useState<ImportOptions>({});
  const [isRunning, setRunning] = useState(false);
  const reset = (next: string): void => {
    setText(next);
    setOptions({});
  };
  const parsed = useMemo(() => read(text, options), [text, options]);
  return (
    <>
      <fieldset className={styles['input']} disabled={isRunning}>
        <ImportSource text={text} isLocked={isRunning} onText={reset} />
        {parsed && <Recognition parsed={parsed.data} titles={parsed.titles} options={options} onChange={setOptions} />}
      </fieldset>
      {parsed?.error !== undefined && <Invalid error={parsed.error} />}
      {parsed?.data && (
        <ImportRunner
          // A new key discards the results of the check when the text or an option changes.
          key={parsed.key}
          parsed={parsed.data}
          onRunning={setRunning}
          onAnother={() => reset('')}
        />
      )}
    </>
  );
}

let reads = 0;

interface ReadResult {
  key: number;
  /** Column titles of a text that was not recognized; otherwise empty. */
  titles: readonly string[];
  data?: ParsedImport;
  error?: unknown;
}

function read(text: string, options: ImportOptions): ReadResult | undefined {
  if (text.trim() === '') return undefined;
  reads += 1;
  try {
    return { key: reads, titles: [], data: parseImport(text, options) };
  } catch (error) {
    return { key: reads, titles: titlesOf(text, options), error };
  }
}

function titlesOf(text: string, options: ImportOptions): readonly string[] {
  try {
    return [...new Set(importTitles(text, options))].filter(Boolean);
  } catch {
    // The text is not CSV. `read` already reports this error.
    return [];
  }
}

function Invalid({ error }: { error: unknown }) {
  const t = useMessages(transferMessages);
  const describe = useErrorText();
  return (
    <Notice tone="danger" role="alert">
      <strong>{t.invalid}.</strong> {describe(error)}
    </Notice>
  );
}
