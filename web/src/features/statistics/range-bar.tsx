import { useMessages } from '../../i18n/messages.js';
import { DateField } from '../../ui/date-field.js';
import { statisticsMessages } from './messages.js';
import {
  dateIn,
  granularities,
  presetOf,
  presets,
  type Granularity,
  type Range,
  type SearchChange,
  type StatisticsSearch,
} from './range.js';
import styles from './statistics.module.css';

interface RangeBarProps {
  search: StatisticsSearch;
  range: Range;
  onChange: (part: SearchChange) => void;
}

const zones = (current: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current])].toSorted();

/** Lets the user choose the range of statistics: a preset or two dates, the time zone, and the granularity. */
export function RangeBar({ search, range, onChange }: RangeBarProps) {
  const t = useMessages(statisticsMessages);
  const preset = presetOf(search);
  return (
    <div className={styles['range']} role="group" aria-label={t.range}>
      <div className={styles['segments']}>
        {presets.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === preset}
            onClick={() => onChange({ range: each, from: undefined, to: undefined, by: undefined })}
          >
            {t.presets[each]}
          </button>
        ))}
      </div>
      <Dates range={range} onChange={onChange} />
      <label className={styles['choice']}>
        <span>{t.by}</span>
        <select value={range.granularity} onChange={({ target }) => onChange({ by: target.value as Granularity })}>
          {granularities.map((each) => (
            <option key={each} value={each}>
              {t.granularities[each]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles['choice']}>
        <span>{t.timeZone}</span>
        <select value={range.tz} onChange={({ target }) => onChange({ tz: target.value })}>
          {zones(range.tz).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

/**
 * The first and last day of the range. If the new first day is after the last day, or the new last day is before the
 * first day, the new day becomes both.
 */
function Dates({ range, onChange }: Pick<RangeBarProps, 'range' | 'onChange'>) {
  const t = useMessages(statisticsMessages);
  const today = dateIn(range.tz, new Date());
  const to = range.to ?? today;
  const choose = (from: string, until: string): void => onChange({ from, to: until, range: undefined, by: undefined });
  const fields = [
    { label: t.from, value: range.from, change: (date: string) => choose(date, date > to ? date : to) },
    { label: t.to, value: to, change: (date: string) => choose(range.from > date ? date : range.from, date) },
  ];
  return fields.map(({ label, value, change }) => (
    <DateField
      key={label}
      label={label}
      className={styles['choice']}
      value={value}
      max={today}
      required
      onChange={change}
    />
  ));
}
