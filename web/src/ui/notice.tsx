import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from './badge.js';
import styles from './notice.module.css';
import tones from './tones.module.css';

interface NoticeProps {
  tone?: Tone;
  icon?: LucideIcon;
  /** `alert` for a notice that appears in response to a user action. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

/** A remark that stands out, such as why something failed or is disabled. */
export const Notice = ({ tone = 'warning', icon: Icon, role, children }: NoticeProps) => (
  <div role={role} className={`${styles['notice']} ${tones[tone]}`}>
    {Icon && <Icon aria-hidden />}
    <div className={styles['text']}>{children}</div>
  </div>
);
