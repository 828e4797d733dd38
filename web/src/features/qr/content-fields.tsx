import { Link as RouterLink } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { SelectField, TextField } from '../../ui/form.js';
import { SearchField } from '../../ui/search-field.js';
import { Loaded } from '../../ui/states.js';
import { joinTags } from '../links/tags-in-text.js';
import { qrMessages } from './messages.js';
import { useLinkChoices, type QrCode } from './qr-codes.js';
import styles from './qr.module.css';
import { Section } from './section.js';

interface ContentProps {
  /** The QR code with which the form was loaded. */
  code: QrCode | undefined;
  /** The current destination of an existing code. It changes with the link that the code follows. */
  url: string | null | undefined;
  /** The link that is preselected for a new code. */
  linkId: string | undefined;
}

/** The destination, title and tags of a QR code. The link of an existing code cannot be changed. */
export function ContentFields({ code, url, linkId }: ContentProps) {
  const t = useMessages(qrMessages);
  const [leadsToLink, setLeadsToLink] = useState(linkId !== undefined);
  return (
    <Section title={t.content}>
      {!code && (
        <div className={styles['segments']} role="group" aria-label={t.leadsTo}>
          {[false, true].map((toLink) => (
            <button
              key={String(toLink)}
              type="button"
              aria-pressed={toLink === leadsToLink}
              onClick={() => setLeadsToLink(toLink)}
            >
              {toLink ? t.toLink : t.toUrl}
            </button>
          ))}
        </div>
      )}
      {leadsToLink ? (
        <LinkChoice preselectedId={linkId} />
      ) : (
        <TextField
          name="url"
          label={t.url}
          hint={code?.linkId ? t.followsLink : t.urlHint}
          type="url"
          autoComplete="off"
          {...(code?.linkId ? { value: url ?? '', readOnly: true } : { defaultValue: code?.url ?? '' })}
        />
      )}
      {code?.linkId && (
        <RouterLink to="/links/$linkId" params={{ linkId: code.linkId }} className={styles['follow']}>
          {t.openLink}
        </RouterLink>
      )}
      <TextField name="title" label={t.name} autoComplete="off" defaultValue={code?.title ?? ''} optional />
      <TextField
        name="tags"
        label={t.tags}
        hint={t.tagsHint}
        autoComplete="off"
        defaultValue={code && joinTags(code.tags)}
        optional
      />
    </Section>
  );
}

function LinkChoice({ preselectedId }: { preselectedId: string | undefined }) {
  const t = useMessages(qrMessages);
  const [q, setQ] = useState('');
  const query = useLinkChoices(q, preselectedId);
  return (
    <>
      <SearchField label={t.findLink} value={q} onSearch={setQ} />
      {/* Rendered even without links, because it shows the API's error if none is chosen. */}
      <SelectField name="linkId" label={t.link} aria-busy={query.isPending}>
        {query.data?.map(({ id, shortUrl, url }) => (
          <option key={id} value={id}>{`${shortUrl.replace(/^https?:\/\//, '')} → ${url}`}</option>
        ))}
      </SelectField>
      {query.error && <Loaded query={query}>{() => null}</Loaded>}
    </>
  );
}
