import { SlidersHorizontal, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { Toolbar } from '../../ui/page.js';
import { SearchField } from '../../ui/search-field.js';
import { sorts, statuses, usesMoreFilters, type LinkSearch } from './link-search.js';
import { useTagNames } from './links.js';
import { linkMessages } from './messages.js';
import { MoreFilters } from './more-filters.js';

interface FiltersProps {
  search: LinkSearch;
  /** Called with the changed parameters. The value undefined removes a parameter. */
  onChange: (change: { [K in keyof LinkSearch]: LinkSearch[K] | undefined }) => void;
  onText: (text: string) => void;
}

/** Search, filters and order of the list. */
export function Filters({ search, onChange, onText }: FiltersProps) {
  const t = useMessages(linkMessages);
  const { data: tagNames = [] } = useTagNames();
  const { q, tag = [], status, sort } = search;
  const [isOpenedByUser, setOpenedByUser] = useState(false);
  const isOpen = isOpenedByUser || usesMoreFilters(search);
  const id = useId();
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
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        disabled={usesMoreFilters(search)}
        onClick={() => setOpenedByUser(!isOpenedByUser)}
      >
        <SlidersHorizontal aria-hidden />
        {t.moreFilters}
      </Button>
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
      {isOpen && <MoreFilters id={id} search={search} onChange={onChange} />}
    </Toolbar>
  );
}
