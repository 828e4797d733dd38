import { Download } from 'lucide-react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { saveFile } from '../../ui/save-file.js';
import { Table } from '../../ui/table.js';
import styles from './import-page.module.css';
import { problemsCsv, type RowProblem } from './import-run.js';
import { transferMessages } from './messages.js';

const SHOWN = 100;

/** The rows that are refused and why, to read and to download. */
export function Problems({ problems }: { problems: readonly RowProblem[] }) {
  const t = useMessages(transferMessages);
  if (problems.length === 0) return null;
  const save = (): void => saveFile(new Blob([problemsCsv(problems)], { type: 'text/csv' }), 'import-problems.csv');
  return (
    <>
      <div className={styles['buttons']}>
        <h2>{t.problems}</h2>
        <Button onClick={save}>
          <Download aria-hidden />
          {t.saveProblems}
        </Button>
      </div>
      <Table
        label={t.problems}
        rows={problems.slice(0, SHOWN)}
        keyOf={({ line, field, message }) => `${line} ${field} ${message}`}
        columns={[
          { header: t.line, cell: ({ line }) => line },
          { header: t.field, cell: ({ field }) => field },
          { header: t.problem, cell: ({ message }) => message },
        ]}
      />
      {problems.length > SHOWN && <p>{t.onlyFirst(SHOWN)}</p>}
    </>
  );
}
