import styles from './shell.module.css';

export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden className={styles['logo']}>
    <path
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      d="M13 19l6-6M15.500 9.500l2.300-2.300a5 5 0 0 1 7 7l-2.300 2.300M16.500 22.500l-2.300 2.300a5 5 0 0 1-7-7l2.300-2.300"
    />
  </svg>
);
