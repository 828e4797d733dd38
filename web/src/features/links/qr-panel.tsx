import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMessages } from '../../i18n/messages.js';
import { buttonClass } from '../../ui/button.js';
import { Loaded } from '../../ui/states.js';
import styles from './link-dialogs.module.css';
import type { Link } from './links.js';
import { linkMessages } from './messages.js';

const PNG_PX = 1_024;
/** Width of the quiet zone, in modules. */
const MARGIN = 4;

async function drawQrCode(text: string): Promise<{ png: string; svg: string }> {
  // Loaded on demand, because users of the list of links rarely open a QR code.
  const { default: QRCode } = await import('qrcode');
  const png = await QRCode.toDataURL(text, { width: PNG_PX, margin: MARGIN });
  const svg = await QRCode.toString(text, { type: 'svg', margin: MARGIN });
  return { png, svg: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` };
}

/** A downloadable QR code of a link's short URL, rendered by the browser. */
export function QrPanel({ link: { slug, shortUrl } }: { link: Link }) {
  const t = useMessages(linkMessages);
  const query = useQuery({
    queryKey: ['qr', shortUrl],
    queryFn: () => drawQrCode(shortUrl),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={query}>
      {({ png, svg }) => (
        <div className={styles['qr']}>
          <img src={svg} alt={t.qrCodeOf(shortUrl)} />
          <div className={styles['buttons']}>
            <a className={buttonClass()} href={png} download={`${slug}.png`}>
              <Download aria-hidden />
              {t.downloadPng}
            </a>
            <a className={buttonClass()} href={svg} download={`${slug}.svg`}>
              <Download aria-hidden />
              {t.downloadSvg}
            </a>
          </div>
        </div>
      )}
    </Loaded>
  );
}
