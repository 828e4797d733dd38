import { Link } from '@tanstack/react-router';
import { useMessages } from '../../i18n/messages.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { qrMessages } from './messages.js';
import { useImage, type QrCode } from './qr-codes.js';
import styles from './qr.module.css';
import type { Status } from './routes.js';

const tones: Record<Status, Tone> = { active: 'success', expired: 'warning', archived: 'neutral' };

/** QR codes with their images and links to their pages. */
export const QrGrid = ({ codes }: { codes: readonly QrCode[] }) => (
  <ul className={styles['grid']}>
    {codes.map((code) => (
      <QrCard key={code.id} code={code} />
    ))}
  </ul>
);

function QrCard({ code }: { code: QrCode }) {
  const t = useMessages(qrMessages);
  const { data: image } = useImage(code);
  const { id, title, slug, url, status, scanCount, tags } = code;
  return (
    <li className={styles['code']}>
      <span className={styles['thumbnail']}>{image && <img src={image} alt="" loading="lazy" />}</span>
      <div className={styles['facts']}>
        <Link to="/qr-codes/$id" params={{ id }} className={styles['open']}>
          {title ?? slug}
        </Link>
        <span className={styles['destination']}>{url?.replace(/^https?:\/\//, '')}</span>
        <span className={styles['badges']}>
          <Badge tone={tones[status]}>{t.statuses[status]}</Badge>
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
        <span className={styles['destination']}>{t.scans(scanCount)}</span>
      </div>
    </li>
  );
}
