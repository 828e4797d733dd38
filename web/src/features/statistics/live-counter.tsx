import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { statisticsMessages } from './messages.js';
import { useClicksToday, type Subject } from './statistics.js';
import styles from './statistics.module.css';

interface LiveCounterProps {
  subject: Subject;
  tz: string;
  unit: 'clicks' | 'scans';
}

/** A button that shows today's clicks or scans as they arrive, and pauses and resumes the updates. */
export function LiveCounter({ subject, tz, unit }: LiveCounterProps) {
  const t = useMessages(statisticsMessages);
  const [isLive, setLive] = useState(true);
  const count = useClicksToday(subject, { tz, isLive });
  const Icon = isLive ? Pause : Play;
  return (
    <button
      type="button"
      className={styles['live']}
      aria-pressed={isLive}
      title={t.liveHint}
      onClick={() => setLive(!isLive)}
    >
      <span className={styles['dot']} aria-hidden />
      {t.live}
      <span className={styles['today']}>{count !== undefined && t.today[unit](count)}</span>
      <Icon aria-hidden />
    </button>
  );
}
