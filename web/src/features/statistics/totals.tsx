import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { VisuallyHidden } from '../../ui/states.js';
import { useShareFormats } from './format.js';
import { statisticsMessages } from './messages.js';
import type { Figures, Subject } from './statistics.js';
import styles from './statistics.module.css';

interface TotalsProps {
  subject: Subject;
  figures: Figures | undefined;
  before: Figures | undefined;
  unit: 'clicks' | 'scans';
}

/** The totals of the range, compared with the previous period, and the share of bots. */
export function Totals({ subject, figures, before, unit }: TotalsProps) {
  const t = useMessages(statisticsMessages);
  const { number } = useFormats();
  const totals = figures?.totals;
  const compared = { clicks: t.counted[unit], uniques: t.uniques } as const;
  const plain = { scans: t.qrScans, links: t.links, qrCodes: t.qrCodes } as const;
  return (
    <dl className={styles['totals']}>
      {(['clicks', 'uniques'] as const).map((each) => (
        <div key={each} className={styles['total']}>
          <dt>{compared[each]}</dt>
          <dd>
            <strong>{totals ? number(totals[each]) : '–'}</strong>
            <span className={styles['change']}>
              {totals && before && <Change now={totals[each]} before={before.totals[each]} />}
            </span>
          </dd>
        </div>
      ))}
      <Bots totals={totals} />
      {subject.kind === 'workspace' &&
        (['scans', 'links', 'qrCodes'] as const).map((each) => (
          <div key={each} className={styles['total']}>
            <dt>{plain[each]}</dt>
            <dd>
              <strong>{totals?.[each] === undefined ? '–' : number(totals[each])}</strong>
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Change({ now, before }: { now: number; before: number }) {
  const t = useMessages(statisticsMessages);
  const { number } = useFormats();
  const { change } = useShareFormats();
  if (before === 0) return <span className={styles['same']}>{t.nothingBefore}</span>;
  const tone = now > before ? 'up' : now < before ? 'down' : 'same';
  const text = t.comparison(change(now / before - 1), number(before));
  return (
    <span className={styles[tone]} title={text}>
      <span aria-hidden>{`${{ up: '↑', down: '↓', same: '=' }[tone]} ${change(now / before - 1)}`}</span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
  );
}

/** Requests by bots, and their share of all requests. */
function Bots({ totals }: { totals: Figures['totals'] | undefined }) {
  const t = useMessages(statisticsMessages);
  const { number } = useFormats();
  const { share } = useShareFormats();
  const requests = totals ? totals.clicks + totals.bots : 0;
  const part = totals && requests > 0 ? totals.bots / requests : 0;
  return (
    <div className={styles['total']} title={t.botsHint}>
      <dt>{t.bots}</dt>
      <dd>
        <strong>{totals ? number(totals.bots) : '–'}</strong>
        {requests > 0 && <span className={styles['same']}>{share(part)}</span>}
      </dd>
      <dd className={styles['split']} aria-hidden>
        <span style={{ width: `${(1 - part) * 100}%` }} />
      </dd>
    </div>
  );
}
