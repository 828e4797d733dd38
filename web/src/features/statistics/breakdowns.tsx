import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Skeletons } from '../../ui/states.js';
import { Card } from './card.js';
import { useCountryNames, useShareFormats } from './format.js';
import { statisticsMessages } from './messages.js';
import { dimensions, type Dimension, type Entry, type Figures } from './statistics.js';
import styles from './statistics.module.css';

const WorldMap = lazy(async () => ({ default: (await import('./world-map.js')).WorldMap }));
const COLLAPSED_LENGTH = 6;

/** Clicks by country, referrer, device and so on, and the top links of a workspace. */
export function Breakdowns({ figures }: { figures: Figures | undefined }) {
  const t = useMessages(statisticsMessages);
  const shown = dimensions.filter((each) => each !== 'countries' && (!figures || figures.lists[each]));
  return (
    <>
      <Countries entries={figures && (figures.lists.countries ?? [])} />
      {figures?.topLinks && (
        <Card title={t.topLinks} data={figures.topLinks}>
          {(links) => (
            <Entries
              entries={links.map(({ id, clicks }) => ({ key: id, clicks }))}
              nameOf={(id) => <SlugLink slug={links.find((link) => link.id === id)!.slug} />}
              empty={t.empty}
            />
          )}
        </Card>
      )}
      {shown.map((each) => (
        <DimensionCard key={each} dimension={each} entries={figures?.lists[each]} />
      ))}
    </>
  );
}

const SlugLink = ({ slug }: { slug: string }) => (
  <Link to="/links" search={{ q: slug }}>
    /{slug}
  </Link>
);

function Countries({ entries }: { entries: Entry[] | undefined }) {
  const t = useMessages(statisticsMessages);
  const nameOf = useNames('countries');
  return (
    <Card title={t.dimensions.countries} data={entries} wide rows={5}>
      {(countries) => (
        <div className={styles['geography']}>
          <Suspense fallback={<Skeletons />}>
            <WorldMap entries={countries} nameOf={nameOf} />
          </Suspense>
          <div>
            <Entries entries={countries} nameOf={nameOf} empty={t.noCountries} />
            <Attribution />
          </div>
        </div>
      )}
    </Card>
  );
}

/**
 * A link to the provider of the country data. The license of the data requires this link wherever the data is shown.
 */
function Attribution() {
  const t = useMessages(statisticsMessages);
  return (
    <p className={styles['attribution']}>
      <a href="https://db-ip.com" target="_blank" rel="noreferrer">
        {t.attribution}
      </a>
    </p>
  );
}

function DimensionCard({ dimension, entries }: { dimension: Dimension; entries: Entry[] | undefined }) {
  const t = useMessages(statisticsMessages);
  const nameOf = useNames(dimension);
  return (
    <Card title={t.dimensions[dimension]} data={entries}>
      {(list) => <Entries entries={list} nameOf={nameOf} empty={dimension === 'cities' ? t.noCities : t.empty} />}
    </Card>
  );
}

/** Returns a function that names the keys of a dimension in the user's language. */
function useNames(dimension: Dimension): (key: string) => string {
  const t = useMessages(statisticsMessages);
  const country = useCountryNames();
  const known: Record<string, string | undefined> = t.keys;
  return (key) => (dimension === 'countries' ? country(key) : undefined) ?? known[key] ?? key;
}

interface EntriesProps {
  entries: readonly Entry[];
  nameOf: (key: string) => React.ReactNode;
  empty: string;
}

/** A list of keys, each with its clicks, its share and a bar. Shows only the first ones until it is expanded. */
function Entries({ entries, nameOf, empty }: EntriesProps) {
  const t = useMessages(statisticsMessages);
  const { number } = useFormats();
  const { share } = useShareFormats();
  const [isFull, setFull] = useState(false);
  if (entries.length === 0) return <p className={styles['none']}>{empty}</p>;
  const sum = entries.reduce((all, { clicks }) => all + clicks, 0);
  const max = entries[0]!.clicks;
  return (
    <div className={styles['entries']}>
      <ol>
        {entries.slice(0, isFull ? entries.length : COLLAPSED_LENGTH).map(({ key, clicks }) => (
          <li key={key}>
            <span className={styles['fill']} style={{ width: `${(clicks / max) * 100}%` }} />
            <span className={styles['name']}>{nameOf(key)}</span>
            <span className={styles['count']}>{number(clicks)}</span>
            <span className={styles['share']}>{share(clicks / sum)}</span>
          </li>
        ))}
      </ol>
      {entries.length > COLLAPSED_LENGTH && (
        <Button variant="quiet" aria-expanded={isFull} onClick={() => setFull(!isFull)}>
          {isFull ? t.showLess : t.showAll(entries.length)}
        </Button>
      )}
    </div>
  );
}
