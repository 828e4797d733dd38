import { Download } from 'lucide-react';
import { useApiErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { saveFile } from '../../ui/save-file.js';
import { Table } from '../../ui/table.js';
import styles from './import-page.module.css';
import { problemsCsv, type Reason, type RowProblem } from './import-run.js';
import { transferMessages } from './messages.js';
import { problemMessages } from './problem-messages.js';

const MAX_ROWS = 100;

/** Returns a function that describes a reason in the user's language. */
function useReasonText(): (reason: Reason) => string {
  const t = useMessages(problemMessages);
  const describe = useApiErrorText();
  return (reason) => ('message' in reason ? describe(reason) : t[reason.check]);
}

/** The rejected rows and the reasons, as a table and as a CSV download. */
export function Problems({ problems }: { problems: readonly RowProblem[] }) {
  const t = useMessages(transferMessages);
  const describe = useReasonText();
  if (problems.length === 0) return null;
  const save = (): void =>
    saveFile(new Blob([problemsCsv(problems, describe)], { type: 'text/csv' }), 'import-problems.csv');
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
        rows={problems.slice(0, MAX_ROWS)}
        keyOf={(problem) => `${problem.line} ${problem.field} ${describe(problem)}`}
        columns={[
          { header: t.line, cell: ({ line }) => line },
          { header: t.field, cell: ({ field }) => field },
          { header: t.problem, cell: describe },
        ]}
      />
      {problems.length > MAX_ROWS && <p>{t.onlyFirst(MAX_ROWS)}</p>}
    </>
  );
}
