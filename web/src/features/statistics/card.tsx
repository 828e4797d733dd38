import { useId, type ReactNode } from 'react';
import { Skeletons } from '../../ui/states.js';
import styles from './statistics.module.css';

interface CardProps<T> {
  title: string;
  /** Controls beside the title. */
  tools?: ReactNode;
  /** Undefined while it is loading. */
  data: T | undefined;
  wide?: boolean;
  /** Placeholders while it is loading, as high as the content. */
  rows?: number;
  children: (data: T) => ReactNode;
}

/** A titled part of the statistics, with placeholders until its figures have arrived. */
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
