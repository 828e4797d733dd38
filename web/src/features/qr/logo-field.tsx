import { ImagePlus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { qrMessages } from './messages.js';
import type { LogoUpload } from './qr-codes.js';
import styles from './qr.module.css';
import { Section } from './section.js';
import type { Style } from './style.js';

interface LogoFieldProps {
  /** Id of the uploaded logo; null if the QR code has none. The property has the name that the API uses. */
  logoRunRef: string | null;
  scale: number;
  upload: LogoUpload;
  onLogo: (logoRunRef: string | null) => void;
  onChange: (part: Partial<Style>) => void;
}

/** Controls that upload, resize and remove the logo in the middle of a QR code. */
export function LogoField({ logoRunRef, scale, upload, onLogo, onChange }: LogoFieldProps) {
  const t = useMessages(qrMessages);
  const describe = useErrorText();
  const id = useId();
  const { mutate, error, isPending, reset } = upload;
  const choose = (input: HTMLInputElement): void => {
    const file = input.files?.[0];
    // Without this, browsers would not report that the same file is chosen again.
    input.value = '';
    if (file) mutate(file, { onSuccess: (logo) => onLogo(logo.logoRunRef) });
  };
  const remove = (): void => {
    reset();
    onLogo(null);
  };
  return (
    <Section title={t.logo}>
      <label htmlFor={id} className={styles['upload']}>
        <ImagePlus aria-hidden />
        {t.uploadLogo}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          aria-describedby={`${id}-hint`}
          disabled={isPending}
          onChange={({ target }) => choose(target)}
        />
      </label>
      <p id={`${id}-hint`} className={styles['hint']}>
        {t.logoHint}
      </p>
      {error && (
        <p role="alert" className={styles['error']}>
          {describe(error)}
        </p>
      )}
      {logoRunRef && (
        <div className={styles['logo']}>
          <label className={styles['scale']}>
            {t.logoScale}
            <input
              type="range"
              min={0.1}
              max={0.3}
              step={0.01}
              value={scale}
              aria-valuetext={`${Math.round(scale * 100)}%`}
              onChange={({ target }) => onChange({ logoScale: target.valueAsNumber })}
            />
          </label>
          <Button variant="quiet" onClick={remove}>
            <Trash2 aria-hidden />
            {t.removeLogo}
          </Button>
        </div>
      )}
    </Section>
  );
}
