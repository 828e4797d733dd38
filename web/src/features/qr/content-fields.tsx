import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { SelectField, TextField } from '../../ui/form.js';
import { SearchField } from '../../ui/search-field.js';
import { qrMessages } from './messages.js';
import { useLinkChoices, type QrCode } from './qr-codes.js';
import styles from './qr.module.css';
import { Section } from './section.js';

/** Where a QR code leads, its title and tags. Which link a code follows cannot change later. */
export function ContentFields({ code }: { code: QrCode | undefined }) {
  const t = useMessages(qrMessages);
  const [isOfLink, setOfLink] = useState(false);
  return (
    <Section title={t.content}>
      {!code && (
        <div className={styles['segments']} role="group" aria-label={t.leadsTo}>
          {[false, true].map((each) => (
            <button key={String(each)} type="button" aria-pressed={each === isOfLink} onClick={() => setOfLink(each)}>
              {each ? t.toLink : t.toUrl}
            </button>
          ))}
        </div>
      )}
      {isOfLink ? (
        <LinkChoice />
      ) : (
        <TextField
          name="url"
          label={t.url}
          hint={t.urlHint}
          type="url"
          autoComplete="off"
          defaultValue={code?.url ?? ''}
          readOnly={Boolean(code?.linkId)}
        />
      )}
      <TextField name="title" label={t.name} autoComplete="off" defaultValue={code?.title ?? ''} optional />
      <TextField
        name="tags"
        label={t.tags}
        hint={t.tagsHint}
        autoComplete="off"
        defaultValue={code?.tags.join(', ')}
        optional
      />{' '}
    </Section>
  );
}

function LinkChoice() {
  const t = useMessages(qrMessages);
  const [q, setQ] = useState('');
  const { data: links = [] } = useLinkChoices(q);
  return (
    <>
      <SearchField label={t.findLink} value={q} onSearch={setQ} />
      <SelectField name="linkId" label={t.link}>
        {links.map(({ id, shortUrl, url }) => (
          <option key={id} value={id}>{`${shortUrl.replace(/^https?:\/\//, '')} → ${url}`}</option>
        ))}
      </SelectField>
    </>
  );
}
