import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonLook = 'primary' | 'secondary' | 'danger' | 'quiet';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  /** A button without text; it needs an `aria-label`. */
  icon?: boolean;
}

/** Returns the classes of a button, for links that look like one. */
export const buttonClass = (look: ButtonLook = 'secondary', icon = false): string =>
  [styles['button'], styles[look], icon && styles['icon']].filter(Boolean).join(' ');

export const Button = ({ look, icon, type = 'button', className, ...rest }: ButtonProps) => (
  <button type={type} className={[buttonClass(look, icon), className].filter(Boolean).join(' ')} {...rest} />
);
