import { X } from 'lucide-react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Toolbar } from '../../ui/page.js';
import { SearchField } from '../../ui/search-field.js';
import { sorts, statuses, type LinkSearch } from './link-search.js';
import styles from './links-page.module.css';
import { useTagNames } from './links.js';
import { linkMessages } from './messages.js';

interface FiltersProps {
  search: LinkSearch;
  /** Called with the parameters that change; undefined removes one. */
  onChange: (change: { [K in keyof LinkSearch]: LinkSearch[K] | undefined }) => void;
  onText: (text: string) => void;
}

/** Search, filters and order of the list. */
export function Filters({ search, onChange, onText }: FiltersProps) {
  const t = useMessages(linkMessages);
  const { data: tagNames = [] } = useTagNames();
  const { q, tag = [], status, sort } = search;
  return (
    <Toolbar>
      <SearchField label={t.search} value={q ?? ''} onSearch={onText} />
      <Choice
        label={t.status}
        value={status ?? ''}
        options={[['', t.anyStatus], ...statuses.map((each) => [each, t.statuses[each]] as const)]}
        onChange={(value) => onChange({ status: statuses.find((each) => each === value) })}
      />
      <Choice
        label={t.tags}
        value=""
        options={[
          ['', t.anyTag],
          ...tagNames.filter((name) => !tag.includes(name)).map((name) => [name, name] as const),
        ]}
        onChange={(name) => onChange({ tag: [...tag, name] })}
      />
      <Choice
        label={t.sort}
        value={sort ?? 'newest'}
        options={sorts.map((each) => [each, t.sorts[each]] as const)}
        onChange={(value) => onChange({ sort: sorts.find((each) => each === value) })}
      />
      {tag.map((name) => (
        <Button
          key={name}
          aria-label={t.removeFilter(name)}
          onClick={() => onChange({ tag: tag.filter((other) => other !== name) })}
        >
          {name}
          <X aria-hidden />
        </Button>
      ))}
    </Toolbar>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <select
    aria-label={label}
    className={styles['choice']}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    {options.map(([option, text]) => (
      <option key={option} value={option}>
        {text}
      </option>
    ))}
  </select>
);
