import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useApi } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { saveFile } from '../../ui/save-file.js';
import { toast } from '../../ui/toast.js';
import { qrMessages } from './messages.js';
import { imageFile, type QrCode } from './qr-codes.js';
import styles from './qr.module.css';
import { MAX_PIXELS, MIN_PIXELS, pixelsFor } from './style.js';

const resolutions = [150, 300, 600];

interface DownloadProps {
  code: QrCode;
  /** Whether the form has unsaved changes, which the image would lack. */
  isChanged: boolean;
}

/** Downloads the image of the saved QR code as a PNG for a given print size, or as an SVG. */
export function DownloadCard({ code: { id, title, slug }, isChanged }: DownloadProps) {
  const t = useMessages(qrMessages);
  const { number } = useFormats();
  const [mm, setMm] = useState(40);
  const [dpi, setDpi] = useState(300);
  const pixels = pixelsFor(mm, dpi);
  const sizeProblem = pixels > MAX_PIXELS ? t.tooLarge : pixels >= MIN_PIXELS ? undefined : t.tooSmall;
  const problem = isChanged ? t.saveToDownload : sizeProblem;
  const download = useDownload(id, title ?? slug);
  return (
    <section className={styles['download']} aria-label={t.download}>
      <h2>{t.download}</h2>
      <div className={styles['pair']}>
        <label>
          {t.printSize}
          <input
            type="number"
            min={5}
            max={2_000}
            value={mm}
            onChange={({ target }) => setMm(target.valueAsNumber || 0)}
          />
        </label>
        <label>
          {t.dpi}
          <select value={dpi} onChange={({ target }) => setDpi(Number(target.value))}>
            {resolutions.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      <p className={styles['hint']} role="status">
        {problem ?? t.pixels(number(pixels))}
      </p>
      <div className={styles['buttons']}>
        <Button disabled={problem !== undefined} onClick={() => download({ format: 'png', size: pixels })}>
          <Download aria-hidden />
          {t.downloadPng}
        </Button>
        <Button disabled={isChanged} onClick={() => download({ format: 'svg', size: MAX_PIXELS })}>
          <Download aria-hidden />
          {t.downloadSvg}
        </Button>
      </div>
    </section>
  );
}

/** Returns a function that saves the image as a file. */
function useDownload(id: string, name: string): (query: { format: 'png' | 'svg'; size: number }) => void {
  const api = useApi();
  const describe = useErrorText();
  const { mutate } = useMutation({
    mutationFn: (query: { format: 'png' | 'svg'; size: number }) => imageFile(api, id, query),
    onSuccess: (file, { format }) => saveFile(file, `${name}.${format}`),
    onError: (error) => toast(describe(error)),
  });
  return mutate;
}
