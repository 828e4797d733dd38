import type { ReactNode } from 'react';
import styles from './qr.module.css';

/** A titled group of fields. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles['section']}>
    <legend>{title}</legend>
    {children}
  </fieldset>
);
