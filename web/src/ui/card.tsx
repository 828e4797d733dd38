import { useId, type ReactNode } from 'react';
import styles from './card.module.css';

interface CardProps {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A titled section of a page. */
export function Card({ title, lead, actions, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <div className={styles['head']}>
        <div>
          <h2 id={id} className={styles['title']}>
            {title}
          </h2>
          {lead && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Names and values of a record. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles['facts']}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Preformatted text, such as code. It scrolls instead of widening the page. */
export const Code = ({ children, label }: { children: string; label: string }) => (
  <pre className={styles['code']} tabIndex={0} aria-label={label} role="region">
    {children}
  </pre>
);
