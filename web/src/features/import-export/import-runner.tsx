import type { ParsedImport } from '@tautan/sdk/import-formats';
import { useMutation } from '@tanstack/react-query';
import { Link as RouterLink } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useApi, useRefresh } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button, buttonClass } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { ConfirmLeaving } from '../../ui/unsaved-changes.js';
import styles from './import-page.module.css';
import { noProgress, randomKey, runImport } from './import-run.js';
import { transferMessages } from './messages.js';
import { Problems } from './problems.js';

/** A check or an import of all rows. Starting it again after an error continues where it stopped. */
function useRun(rows: ParsedImport['rows'], dryRun: boolean) {
  const api = useApi();
  const refresh = useRefresh();
  const [progress, setProgress] = useState(noProgress);
  const [key] = useState(randomKey);
  const { mutate, status, error } = useMutation({
    mutationFn: () => runImport(api, rows, { key, dryRun, from: progress, onProgress: setProgress }),
    onSettled: () => (dryRun ? undefined : refresh('links', 'tags')),
  });
  return { progress, status, error, start: () => mutate() };
}

type Run = ReturnType<typeof useRun>;

interface RunnerProps {
  parsed: ParsedImport;
  /** Called when the import, not the check, starts or ends. */
  onRunning: (isRunning: boolean) => void;
  onAnother: () => void;
}

/** Checks the rows, imports them, and shows the results. */
export function ImportRunner({ parsed, onRunning, onAnother }: RunnerProps) {
  const t = useMessages(transferMessages);
  const check = useRun(parsed.rows, true);
  const real = useRun(parsed.rows, false);
  const run = real.status === 'idle' ? check : real;
  const isRunning = real.status === 'pending';
  useEffect(() => {
    onRunning(isRunning);
    return () => onRunning(false);
  }, [isRunning, onRunning]);
  const problems = [...parsed.problems, ...run.progress.problems];
  const total = parsed.rows.length;
  return (
    <section className={styles['runner']}>
      <ConfirmLeaving when={isRunning} title={t.leave} text={t.leaveText} action={t.leaveAction} />
      <Progress run={run} total={total} label={run === real ? t.importing : t.checking} />
      <p role="status">
        {run.status === 'idle' && t.rows(total)}
        {run.status === 'success' && (run === real ? t.imported : t.checked)(run.progress.accepted, problems.length)}
      </p>
      <div className={styles['buttons']}>
        {run.status === 'idle' && total > 0 && (
          <Button variant="primary" onClick={check.start}>
            {t.check}
          </Button>
        )}
        {run === check && check.status === 'success' && check.progress.accepted > 0 && (
          <Button variant="primary" onClick={real.start}>
            {t.start(check.progress.accepted)}
          </Button>
        )}
        {run === real && real.status === 'success' && (
          <>
            <RouterLink to="/links" className={buttonClass('primary')}>
              {t.showLinks}
            </RouterLink>
            <Button onClick={onAnother}>{t.another}</Button>
          </>
        )}
      </div>
      <Problems problems={problems} />
    </section>
  );
}

function Progress({
  run: { status, progress, error, start },
  total,
  label,
}: {
  run: Run;
  total: number;
  label: string;
}) {
  const t = useMessages(transferMessages);
  const describe = useErrorText();
  if (status === 'idle' || status === 'success') return null;
  return (
    <div className={styles['progress']}>
      <progress aria-label={label} value={progress.done} max={total} />
      <span role="status">
        {label}: {t.progress(progress.done, total)}
      </span>
      {status === 'error' && (
        <Notice tone="danger" role="alert">
          {describe(error)} <Button onClick={start}>{t.continue}</Button>
        </Notice>
      )}
    </div>
  );
}
