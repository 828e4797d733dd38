import { geoNaturalEarth1, geoPath } from 'd3-geo';
import codes from 'i18n-iso-countries/codes.json';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import world from 'world-atlas/countries-110m.json';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { statisticsMessages } from './messages.js';
import type { Entry } from './statistics.js';
import styles from './statistics.module.css';

const [WIDTH, HEIGHT] = [720, 360];
const ANTARCTICA = '010';

const topology = world as unknown as Topology<{ countries: GeometryCollection }>;
const shapes = feature(topology, topology.objects.countries).features.filter(({ id }) => id !== ANTARCTICA);
const draw = geoPath(geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'FeatureCollection', features: shapes }));
const alpha2 = new Map(codes.map(([two, , numeric]) => [numeric, two]));
const countries = shapes.map(({ id, ...shape }) => ({
  code: alpha2.get(String(id)) ?? '',
  path: draw({ ...shape }) ?? '',
}));

interface WorldMapProps {
  entries: readonly Entry[];
  nameOf: (code: string) => string;
}

/** World map. The more clicks a country has, the stronger its color. A list beside the map shows the same figures. */
export function WorldMap({ entries, nameOf }: WorldMapProps) {
  const t = useMessages(statisticsMessages);
  const { number } = useFormats();
  const clicks = new Map(entries.map((entry) => [entry.key, entry.clicks]));
  const maxClicks = Math.max(1, ...clicks.values());
  return (
    <svg className={styles['map']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t.map}>
      {countries.map(({ code, path }, index) => {
        const count = clicks.get(code);
        // The square root keeps countries with few clicks visible.
        const opacity = count === undefined ? undefined : 0.25 + 0.75 * Math.sqrt(count / maxClicks);
        return (
          <path
            key={index}
            d={path}
            {...(opacity && { className: styles['reached'], style: { fillOpacity: opacity } })}
          >
            {count !== undefined && <title>{`${nameOf(code)}: ${number(count)}`}</title>}
          </path>
        );
      })}
    </svg>
  );
}
