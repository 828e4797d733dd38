/** Fields of a link that a column can fill. */
export const importFields = [
  'url',
  'slug',
  'domain',
  'title',
  'description',
  'tags',
  'status',
  'expiresAt',
  'maxClicks',
  'createdAt',
] as const;
export type ImportField = (typeof importFields)[number];

/** Exports that can be read: Tautan's own, and those of other products. */
export type ImportFormat = 'tautan' | 'bitly' | 'kutt' | 'rebrandly' | 'shlink' | 'shortio' | 'yourls';

/**
 * The content of a column: a field, or a value that a field is derived from. `shortUrl` determines the slug, `archived`
 * the status, and a row with a `password` is rejected. Null: the column is ignored.
 */
export type Source = ImportField | 'shortUrl' | 'archived' | 'password' | null;

export interface FormatSpec {
  /** Name of the product. */
  label: string;
  /**
   * Sources by normalized column title. If several columns of a file provide a field, each row uses the first column,
   * in the order of this record, whose cell is not empty.
   */
  columns: Readonly<Record<string, Source>>;
  /** Separates the tags of a cell. Absent: the cell is one line of CSV. */
  tagSeparator?: string;
}

/**
 * Returns a column title in lower case, without spaces and punctuation: `Long URL`, `long_url` and `longUrl` become
 * equal.
 */
export const normalized = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const times = { createdat: 'createdAt', created: 'createdAt', updatedat: null } as const;

/** The known formats. `fixtures/README.md` lists where the names of their columns are documented. */
export const formats: Readonly<Record<ImportFormat, FormatSpec>> = {
  tautan: {
    label: 'Tautan',
    columns: {
      url: 'url',
      slug: 'slug',
      domain: 'domain',
      title: 'title',
      description: 'description',
      tags: 'tags',
      status: 'status',
      expiresat: 'expiresAt',
      maxclicks: 'maxClicks',
      createdat: 'createdAt',
      id: null,
      shorturl: null,
      clickcount: null,
      lastclickat: null,
      qrcodecount: null,
      createdby: null,
      updatedat: null,
    },
  },
  bitly: {
    label: 'Bitly',
    tagSeparator: ',',
    columns: {
      destinationurl: 'url',
      longurl: 'url',
      customlink: 'shortUrl',
      custombitlinks: 'shortUrl',
      link: 'shortUrl',
      bitlink: 'shortUrl',
      title: 'title',
      tags: 'tags',
      archived: 'archived',
      datecreated: 'createdAt',
      ...times,
      id: null,
      clicks: null,
      totalclicks: null,
      totalengagements: null,
    },
  },
  kutt: {
    label: 'Kutt',
    columns: {
      target: 'url',
      address: 'slug',
      link: 'shortUrl',
      description: 'description',
      expirein: 'expiresAt',
      password: 'password',
      banned: 'archived',
      ...times,
      id: null,
      domain: null,
      visitcount: null,
    },
  },
  rebrandly: {
    label: 'Rebrandly',
    tagSeparator: ',',
    columns: {
      destination: 'url',
      slashtag: 'slug',
      shorturl: 'shortUrl',
      title: 'title',
      description: 'description',
      tags: 'tags',
      ...times,
      id: null,
      domain: null,
      domainfullname: null,
      clicks: null,
      lastclickat: null,
      favourite: null,
    },
  },
  shlink: {
    label: 'Shlink',
    tagSeparator: '|',
    columns: {
      longurl: 'url',
      shortcode: 'slug',
      shorturl: 'shortUrl',
      title: 'title',
      tags: 'tags',
      validuntil: 'expiresAt',
      maxvisits: 'maxClicks',
      ...times,
      domain: null,
      visits: null,
    },
  },
  shortio: {
    label: 'Short.io',
    tagSeparator: ',',
    columns: {
      originalurl: 'url',
      path: 'slug',
      shorturl: 'shortUrl',
      secureshorturl: 'shortUrl',
      title: 'title',
      tags: 'tags',
      expiresat: 'expiresAt',
      clickslimit: 'maxClicks',
      archived: 'archived',
      password: 'password',
      ...times,
      id: null,
      idstring: null,
      domain: null,
      domainid: null,
      clicks: null,
      humanclicks: null,
    },
  },
  yourls: {
    label: 'YOURLS',
    columns: {
      url: 'url',
      target: 'url',
      keyword: 'slug',
      source: 'slug',
      title: 'title',
      timestamp: 'createdAt',
      ip: null,
      clicks: null,
      hits: null,
    },
  },
};

const { url: _url, domain: _domain, ...tautanColumns } = formats.tautan.columns;

/**
 * Returns the sources of a format by normalized column title. Titles that the format does not define have the same
 * sources as in Tautan's own format, because some files are written by hand. The titles of Tautan's destination and
 * domain columns are excluded: other formats have a destination column of their own, and their domains are ignored.
 */
export const sourcesOf = (format: ImportFormat): FormatSpec['columns'] => {
  const { columns } = formats[format];
  // The first spread puts the columns of the format first.
  return { ...columns, ...tautanColumns, ...columns };
};

/** Names of all formats. */
export const importFormats = Object.keys(formats) as ImportFormat[];

/** Returns the field that a source fills; null for none. */
export function fieldOf(source: Source): ImportField | null {
  if (source === 'shortUrl') return 'slug';
  if (source === 'archived') return 'status';
  return source === 'password' ? null : source;
}
