import { Pencil } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCan } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { BackLink } from '../../ui/back-link.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { uiMessages } from '../../ui/messages.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { TargetEntries } from '../audit-log/target-entries.js';
import { LinkQrCodes } from '../qr/link-qr-codes.js';
import { StatisticsPanel } from '../statistics/statistics-panel.js';
import { LinkStatus, withoutScheme } from './link-cells.js';
import { LinkDialogs, type LinkDialogState } from './link-dialogs.js';
import { LinkMenu } from './link-menu.js';
import styles from './link-page.module.css';
import { useLink, type Link } from './links.js';
import { linkMessages } from './messages.js';
import { QrPanel } from './qr-panel.js';
import { linkRoute } from './routes.js';

/** A link with its details, statistics, QR codes and audit entries. */
export function LinkPage() {
  const t = useMessages(linkMessages);
  const { linkId } = linkRoute.useParams();
  const navigate = linkRoute.useNavigate();
  const canEdit = useCan('member');
  const query = useLink(linkId);
  const [open, setOpen] = useState<LinkDialogState>();
  const link = query.data;
  const actions = link && (
    <>
      {canEdit && (
        <Button onClick={() => setOpen({ kind: 'edit', link })}>
          <Pencil aria-hidden />
          {t.edit}
        </Button>
      )}
      <LinkMenu link={link} canEdit={canEdit} onOpen={setOpen} />
    </>
  );
  return (
    <Page title={link ? withoutScheme(link.shortUrl) : t.link} actions={actions}>
      <BackLink to="/links">{t.back}</BackLink>
      <Loaded query={query}>{(found) => <LinkContent link={found} />}</Loaded>
      <LinkDialogs
        open={open}
        onClose={() => setOpen(undefined)}
        onOpen={setOpen}
        onDeleted={() => void navigate({ to: '/links' })}
      />
    </Page>
  );
}

function LinkContent({ link }: { link: Link }) {
  const t = useMessages(linkMessages);
  const canAudit = useCan('admin');
  const subject = useMemo(() => ({ kind: 'link', id: link.id }) as const, [link.id]);
  return (
    <>
      <div className={styles['columns']}>
        <section className={styles['card']} aria-label={t.details}>
          <LinkFacts link={link} />
        </section>
        <section className={styles['card']} aria-label={t.qrCodeOf(link.shortUrl)}>
          <QrPanel link={link} />
        </section>
      </div>
      <StatisticsPanel subject={subject} />
      <LinkQrCodes linkId={link.id} />
      {canAudit && <TargetEntries target={link.id} />}
    </>
  );
}

function LinkFacts({ link }: { link: Link }) {
  const t = useMessages(linkMessages);
  const ui = useMessages(uiMessages);
  const { number, dateTime } = useFormats();
  const time = (iso: string | null, absent: string): string => (iso === null ? absent : dateTime(iso));
  const facts = [
    [
      t.clicks,
      <strong key="clicks" className={styles['clicks']}>
        {number(link.clickCount)}
      </strong>,
    ],
    [t.lastClickAt, time(link.lastClickAt, t.never)],
    [t.link, <ShortUrl key="link" link={link} />],
    [t.url, link.url],
    [t.status, <LinkStatus key="status" status={link.status} />],
    [t.linkTitle, link.title],
    [t.description, link.description],
    [t.tags, link.tags.length > 0 && link.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)],
    [ui.expiresAt, link.expiresAt && dateTime(link.expiresAt)],
    [t.maxClicks, link.maxClicks && number(link.maxClicks)],
    [t.createdAt, dateTime(link.createdAt)],
  ] as const;
  return (
    <dl className={styles['facts']}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function ShortUrl({ link: { shortUrl } }: { link: Link }) {
  const t = useMessages(linkMessages);
  return (
    <span className={styles['short']}>
      <a href={shortUrl} target="_blank" rel="noreferrer">
        {withoutScheme(shortUrl)}
      </a>
      <CopyButton text={shortUrl} label={t.copy(shortUrl)} />
    </span>
  );
}
