import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { concerns, SelectField, TextAreaField, TextField, textOf } from '../../ui/form.js';
import { expiryIn, LimitFields, maxIn } from '../../ui/limit-fields.js';
import { destinationOf, readUtm, utmFields, writeUtm } from './campaign.js';
import styles from './link-dialogs.module.css';
import { useTagNames, type Link, type NewLink } from './links.js';
import { linkMessages } from './messages.js';
import { useVerifiedDomains, useSlugCheck } from './slug-check.js';
import { joinTags, suggestedTags, tagsIn, withSuggestedTag } from './tags-in-text.js';

/** Names of the form's fields in the API. An error that concerns none of these fields is shown above the form. */
export const linkFieldNames = ['url', 'slug', 'domain', 'title', 'description', 'tags', 'expiresAt', 'maxClicks'];

/** Returns the link that a form describes; empty optional fields are null. `link` is the link to edit, if any. */
export function linkOfForm(values: FormData, link?: Link): NewLink {
  const optional = (name: string): string | null => textOf(values, name) || null;
  return {
    url: textOf(values, 'url'),
    slug: optional('slug'),
    domain: optional('domain'),
    title: optional('title'),
    description: optional('description'),
    tags: tagsIn(textOf(values, 'tags')),
    ...expiryIn(values, link?.expiresAt),
    maxClicks: maxIn(values, 'maxClicks'),
  };
}

const collapsedFields = ['title', 'description', 'expiresAt', 'maxClicks'];

/**
 * The fields of a new link, or of `link`. For a new link, the optional details are collapsed unless `error` concerns
 * one of them.
 */
export function LinkFields({ link, error }: { link?: Link; error: unknown }) {
  const t = useMessages(linkMessages);
  const [url, setUrl] = useState(link?.url ?? '');
  return (
    <>
      <UrlField url={url} onChange={setUrl} />
      <AddressFields link={link} />
      <TagsField tags={link?.tags ?? []} />
      <details
        className={styles['more']}
        open={link !== undefined || collapsedFields.some((field) => concerns(error, field))}
      >
        <summary>{t.more}</summary>
        <div className={styles['group']}>
          <TextField name="title" label={t.linkTitle} defaultValue={link?.title ?? ''} autoComplete="off" optional />
          <TextAreaField
            name="description"
            label={t.description}
            defaultValue={link?.description ?? ''}
            autoComplete="off"
            rows={2}
            optional
          />
          <LimitFields
            expiresAt={link?.expiresAt ?? null}
            max={{ name: 'maxClicks', label: t.maxClicks, value: link?.maxClicks ?? null }}
          />
          <CampaignFields url={url} onChange={setUrl} />
        </div>
      </details>
    </>
  );
}

interface UrlProps {
  url: string;
  onChange: (url: string) => void;
}

function UrlField({ url, onChange }: UrlProps) {
  const t = useMessages(linkMessages);
  const destination = destinationOf(url);
  const warning = destination?.protocol === 'http:' ? ` ${t.insecure}` : '';
  const hint = destination ? `${t.leadsTo(destination.host, destination.pathname)}.${warning}` : t.urlHint;
  return (
    <TextField
      name="url"
      label={t.url}
      hint={hint}
      type="url"
      inputMode="url"
      autoComplete="off"
      value={url}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Slug and domain. The domain of an existing link cannot be changed. */
function AddressFields({ link }: { link: Link | undefined }) {
  const t = useMessages(linkMessages);
  const domains = useVerifiedDomains();
  const [slug, setSlug] = useState(link?.slug ?? '');
  const [domain, setDomain] = useState(link?.domain ?? '');
  const state = useSlugCheck(slug === link?.slug ? '' : slug, domain);
  const defaultHint = link ? t.slugHint : t.newSlugHint;
  const hint = state === 'free' ? t.slugFree : state === 'taken' ? t.slugTaken : defaultHint;
  return (
    <div className={styles['pair']}>
      {!link && domains.length > 0 && (
        <SelectField name="domain" label={t.domain} value={domain} onChange={(event) => setDomain(event.target.value)}>
          <option value="">{t.defaultDomain}</option>
          {domains.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        name="slug"
        label={t.slug}
        hint={hint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={slug}
        onChange={(event) => setSlug(event.target.value)}
        optional={!link}
      />
    </div>
  );
}

function TagsField({ tags }: { tags: readonly string[] }) {
  const t = useMessages(linkMessages);
  const { data: known = [] } = useTagNames();
  const [text, setText] = useState(joinTags(tags));
  const suggestions = suggestedTags(text, known);
  const add = (name: string): void => setText(withSuggestedTag(text, name, known));
  return (
    <>
      <TextField
        name="tags"
        label={t.tags}
        hint={t.tagsHint}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        optional
      />
      {suggestions.length > 0 && (
        <div className={styles['suggestions']}>
          {suggestions.map((name) => (
            <Button key={name} onClick={() => add(name)}>
              + {name}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

/** Reads and writes the campaign parameters of the destination. */
function CampaignFields({ url, onChange }: UrlProps) {
  const t = useMessages(linkMessages);
  const isDisabled = destinationOf(url) === undefined;
  return (
    <fieldset className={styles['campaign']}>
      <legend>{t.utm}</legend>
      <p className={styles['hint']}>{t.utmHint}</p>
      <div className={styles['pair']}>
        {utmFields.map((field) => (
          <TextField
            key={field}
            name={`utm_${field}`}
            label={t.utmFields[field]}
            autoComplete="off"
            disabled={isDisabled}
            value={readUtm(url, field)}
            onChange={(event) => onChange(writeUtm(url, field, event.target.value))}
          />
        ))}
      </div>
    </fieldset>
  );
}
