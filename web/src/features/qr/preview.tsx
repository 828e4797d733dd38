import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { Notice } from '../../ui/notice.js';
import { qrMessages } from './messages.js';
import { usePreview } from './qr-codes.js';
import styles from './qr.module.css';
import { warningsOf, type Style } from './style.js';

const PAUSE_MS = 200;

interface Look {
  style: Style;
  logoRunRef: string | null;
}

/** Returns a value once it has not changed for a moment, so that dragging a slider does not send a request per step. */
function useSettled<T>(value: T): T {
  const key = JSON.stringify(value);
  const [settled, setSettled] = useState(key);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return JSON.parse(settled) as T;
}

/** The image that the server draws for a style, and what makes it hard to scan. */
export function Preview({ look, id }: { look: Look; id?: string }) {
  const t = useMessages(qrMessages);
  const { data: image, error } = usePreview({ ...useSettled(look), ...(id && { id }) });
  return (
    <section className={styles['preview']} aria-label={t.preview}>
      <span className={styles['sheet']} data-refused={error !== null}>
        {image && <img src={image} alt={t.preview} />}
      </span>
      <p className={styles['hint']}>{t.previewHint}</p>
      <Advice look={look} error={error} />
    </section>
  );
}

function Advice({ look: { style, logoRunRef }, error }: { look: Look; error: Error | null }) {
  const t = useMessages(qrMessages);
  const describe = useErrorText();
  const warnings = warningsOf(style, logoRunRef !== null);
  return (
    <div role="status" className={styles['advice']}>
      {error && (
        <Notice tone="danger" icon={CircleAlert}>
          {t.refused} {describe(error)}
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} icon={TriangleAlert}>
          {t.warnings[warning]}
        </Notice>
      ))}
      {!error && warnings.length === 0 && (
        <Notice tone="success" icon={CircleCheck}>
          {t.scansWell}
        </Notice>
      )}
    </div>
  );
}
