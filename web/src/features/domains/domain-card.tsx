import { useErrorText } from '../../api/errors.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card, Facts } from '../../ui/card.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/toast.js';
import styles from './domains.module.css';
import { useVerifyDomain, type DnsRecord, type Domain } from './domains.js';
import { domainMessages } from './messages.js';

/** An open dialog of a domain: `pages` edits the pages that visitors of the domain see. */
export interface DomainDialog {
  kind: 'pages' | 'delete';
  domain: Domain;
}

const tones: Record<Domain['status'], Tone> = { pending: 'warning', verified: 'success', failed: 'danger' };

/** A custom domain: its state, and its DNS records unless it is verified and its last check succeeded. */
export function DomainCard({ domain, onOpen }: { domain: Domain; onOpen: ((open: DomainDialog) => void) | undefined }) {
  const t = useMessages(domainMessages);
  const { number, dateTime } = useFormats();
  const { status, lastError, linkCount, lastCheckedAt, verifiedAt } = domain;
  // The last check decides, not the `ok` of each record: the A record suffices even if the AAAA record is missing.
  const isFailing = lastError !== null;
  return (
    <Card
      title={domain.domain}
      actions={
        <>
          <Badge tone={tones[status]}>{t.statuses[status]}</Badge>
          {onOpen && <VerifyButton domain={domain} />}
          {onOpen && <Button onClick={() => onOpen({ kind: 'pages', domain })}>{t.editPages}</Button>}
          {onOpen && <Button onClick={() => onOpen({ kind: 'delete', domain })}>{t.delete}</Button>}
        </>
      }
    >
      {status !== 'verified' && <Notice tone={status === 'failed' ? 'danger' : 'accent'}>{t.hints[status]}</Notice>}
      {status === 'verified' && isFailing && <Notice>{t.failing}</Notice>}
      {lastError && <p className={styles['error']}>{t.lastError(lastError)}</p>}
      {(status !== 'verified' || isFailing) && <Records domain={domain} />}
      <Facts
        facts={[
          [t.links, number(linkCount)],
          [t.verifiedAt, verifiedAt ? dateTime(verifiedAt) : '–'],
          [t.lastChecked, lastCheckedAt ? dateTime(lastCheckedAt) : t.never],
        ]}
      />
    </Card>
  );
}

function VerifyButton({ domain }: { domain: Domain }) {
  const t = useMessages(domainMessages);
  const describe = useErrorText();
  const { mutate, isPending } = useVerifyDomain(domain);
  const verify = (): void =>
    mutate(undefined, {
      onSuccess: ({ status }) =>
        toast(status === 'verified' ? t.isVerified(domain.domain) : t.notVerified(domain.domain)),
      onError: (error) => toast(describe(error)),
    });
  const isVerified = domain.status === 'verified';
  const [text, label] = isVerified ? [t.checkNow, t.checkNowOf(domain.domain)] : [t.verify, t.verifyOf(domain.domain)];
  return (
    <Button {...(!isVerified && { variant: 'primary' })} disabled={isPending} onClick={verify} aria-label={label}>
      {isPending ? t.checking : text}
    </Button>
  );
}

function Records({ domain }: { domain: Domain }) {
  const t = useMessages(domainMessages);
  return (
    <ul className={styles['records']} aria-label={t.recordsOf(domain.domain)}>
      {domain.dnsRecords.map((record) => (
        <DnsRecordItem key={`${record.type} ${record.name} ${record.value}`} record={record} />
      ))}
    </ul>
  );
}

function DnsRecordItem({ record: { type, name, value, found, ok } }: { record: DnsRecord }) {
  const t = useMessages(domainMessages);
  const problem = found.length > 0 ? t.wrong : t.missing;
  return (
    <li className={styles['record']}>
      <Facts
        facts={[
          [t.type, <strong key="type">{type}</strong>],
          [t.name, <Copyable key="name" text={name} />],
          [t.value, <Copyable key="value" text={value} />],
          [t.found, found.length > 0 ? found.join(', ') : t.nothing],
        ]}
      />
      <Badge tone={ok ? 'success' : 'warning'}>{ok ? t.right : problem}</Badge>
    </li>
  );
}

function Copyable({ text }: { text: string }) {
  const t = useMessages(domainMessages);
  return (
    <span className={styles['copyable']}>
      <code>{text}</code>
      <CopyButton text={text} label={t.copy(text)} />
    </span>
  );
}
