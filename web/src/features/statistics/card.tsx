import { useId, type ReactNode } from 'react';
import { Skeletons } from '../../ui/states.js';
import styles from './statistics.module.css';

interface CardProps<T> {
  title: string;
  /** Controls beside the title. */
  tools?: ReactNode;
  /** Undefined while loading. */
  data: T | undefined;
  wide?: boolean;
  /** Number of placeholder rows while loading. They should take up about as much height as the content. */
  rows?: number;
  children: (data: T) => ReactNode;
}

/** A titled card of the statistics page. Shows placeholders while its data is loading. */
export function Card<T>({ title, tools, data, wide, rows = 3, children }: CardProps<T>) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${styles['card']} ${wide ? styles['wide'] : ''}`}>
      <div className={styles['cardHead']}>
        <h2 id={id}>{title}</h2>
        {tools}
      </div>
      {data === undefined ? <Skeletons rows={rows} /> : children(data)}
    </section>
  );
}
