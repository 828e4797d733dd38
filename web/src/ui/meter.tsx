import styles from './meter.module.css';

interface MeterProps {
  label: string;
  /** The value in words, for example “40 of 50”. */
  text: string;
  used: number;
  /** Null if the use is unlimited. */
  limit: number | null;
}

/** Shows how much of a limit is used: as a warning from 80%, as an alert from 100%. */
export function Meter({ label, text, used, limit }: MeterProps) {
  // Infinite if the limit is 0.
  const share = limit === null || used === 0 ? 0 : used / limit;
  const tone = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'low';
  return (
    <div className={styles['meter']}>
      <div className={styles['head']}>
        <span>{label}</span>
        <span className={styles['text']}>{text}</span>
      </div>
      {limit !== null && <progress className={styles[tone]} value={Math.min(share, 1)} aria-label={label} />}
    </div>
  );
}
