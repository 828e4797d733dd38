import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

interface TabsProps {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
}

/** Panels of which one is shown at a time. Arrow keys move between the tabs. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <Radix.Root defaultValue={tabs[0]?.id ?? ''}>
    <Radix.List aria-label={label} className={styles['list']}>
      {tabs.map(({ id, title }) => (
        <Radix.Trigger key={id} value={id} className={styles['tab']}>
          {title}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map(({ id, content }) => (
      <Radix.Content key={id} value={id} className={styles['panel']}>
        {content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
