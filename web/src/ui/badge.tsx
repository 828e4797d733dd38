import type { ReactNode } from 'react';
import styles from './badge.module.css';
import tones from './tones.module.css';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`${styles['badge']} ${tones[tone]}`}>{children}</span>
);
