export type { DateOrder } from './dates.js';
export { formats, importFields, importFormats, type ImportField, type ImportFormat } from './formats.js';
export {
  importDelimiters,
  importTitles,
  parseImport,
  type ColumnFields,
  type ImportDelimiter,
  type ImportItem,
  type ImportOptions,
  type ParsedImport,
} from './parse.js';
