import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { buttonClass } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { More } from '../../ui/more.js';
import { Loaded } from '../../ui/states.js';
import { qrMessages } from './messages.js';
import { useQrCodes } from './qr-codes.js';
import { QrGrid } from './qr-grid.js';

/** The QR codes of a link, and a button to create another. */
export function LinkQrCodes({ linkId }: { linkId: string }) {
  const t = useMessages(qrMessages);
  const canEdit = useCan('member');
  const query = useQrCodes({ linkId });
  const create = canEdit && (
    <Link to="/qr-codes/new" search={{ link: linkId }} className={buttonClass()}>
      <Plus aria-hidden />
      {t.create}
    </Link>
  );
  return (
    <Card title={t.title} lead={t.ofLinkLead} actions={create}>
      <Loaded query={query}>{(codes) => (codes.length > 0 ? <QrGrid codes={codes} /> : <p>{t.noneOfLink}</p>)}</Loaded>
      <More query={query} />
    </Card>
  );
}
