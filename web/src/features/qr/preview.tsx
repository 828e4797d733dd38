import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { concerns } from '../../ui/form.js';
import { Notice } from '../../ui/notice.js';
import { useDebounced } from '../../ui/use-debounced.js';
import { qrMessages } from './messages.js';
import { usePreview } from './qr-codes.js';
import styles from './qr.module.css';
import { warningsOf, type Style } from './style.js';

const PAUSE_MS = 200;

/** The style and logo of a QR code. */
export interface Design {
  style: Style;
  /** Id of the uploaded logo; null if the QR code has none. The property has the name that the API uses. */
  logoRunRef: string | null;
}

/**
 * The image that the server renders for a design, with warnings if the design is hard to scan. `id` identifies the QR
 * code whose short URL the image encodes. Without `id`, the image encodes an example URL.
 */
export function Preview({ design, id }: { design: Design; id?: string }) {
  const t = useMessages(qrMessages);
  const settled = JSON.parse(useDebounced(JSON.stringify(design), PAUSE_MS)) as Design;
  const { data: image, error } = usePreview({ ...settled, ...(id && { id }) });
  return (
    <section className={styles['preview']} aria-label={t.preview}>
      <span className={styles['sheet']} data-refused={error !== null}>
        {image && <img src={image} alt={t.preview} />}
      </span>
      <p className={styles['hint']}>{t.previewHint}</p>
      <Advice design={design} error={error} />
    </section>
  );
}

function Advice({ design: { style, logoRunRef }, error }: { design: Design; error: Error | null }) {
  const t = useMessages(qrMessages);
  const describe = useErrorText();
  const warnings = warningsOf(style, logoRunRef !== null);
  return (
    <div role="status" className={styles['advice']}>
      {error && (
        <Notice tone="danger" icon={CircleAlert}>
          {concerns(error, 'styleConfig') && t.refused} {describe(error)}
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
