import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { Notice } from '../../ui/notice.js';
import { useDebounced } from '../../ui/use-debounced.js';
import { qrMessages } from './messages.js';
import { usePreview } from './qr-codes.js';
import styles from './qr.module.css';
import { warningsOf, type Style } from './style.js';

const PAUSE_MS = 200;

interface Look {
  style: Style;
  logoRunRef: string | null;
}

/** The image that the server renders for a style, with warnings if it is hard to scan. */
export function Preview({ look, id }: { look: Look; id?: string }) {
  const t = useMessages(qrMessages);
  const settled = JSON.parse(useDebounced(JSON.stringify(look), PAUSE_MS)) as Look;
  const { data: image, error } = usePreview({ ...settled, ...(id && { id }) });
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
