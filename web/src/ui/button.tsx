import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** A button without text; it needs an `aria-label`. */
  icon?: boolean;
}

/** Returns the classes of a button, for links that look like one. */
export const buttonClass = (variant: ButtonVariant = 'secondary', icon = false): string =>
  [styles['button'], styles[variant], icon && styles['icon']].filter(Boolean).join(' ');

export const Button = ({ variant, icon, type = 'button', className, ...rest }: ButtonProps) => (
  <button type={type} className={[buttonClass(variant, icon), className].filter(Boolean).join(' ')} {...rest} />
);
