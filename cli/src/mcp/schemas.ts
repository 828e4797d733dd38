import { z } from 'zod';

const statuses = z.enum(['active', 'expired', 'archived']);
const color = z.string().regex(/^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/);
const markerShapes = z.enum(['square', 'rounded', 'circle']);

export const link = z.string().min(1).describe('Id (lnk_…) or slug of the link.');
export const domain = z.string().optional().describe('Custom domain of the slug. Omit it for the default domain.');
export const qrCode = z.string().min(1).describe('Id of the QR code (qr_…).');
export const url = z.string().describe('Destination: an absolute http(s) URL of at most 2,048 characters.');

/** Filters and pagination of a list. */
export const listInput = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe('Words that must all occur in slug, title, destination or, for links, description.'),
  tag: z.array(z.string()).optional().describe('Names or ids of tags. All of them must match.'),
  status: statuses.optional().describe('Only entries with this status.'),
  limit: z.number().int().min(1).max(200).default(20).describe('Maximum number of entries.'),
  cursor: z.string().optional().describe('nextCursor of the previous page.'),
};

/** Time range and resolution of statistics. */
export const rangeInput = {
  from: z
    .string()
    .optional()
    .describe('Start of the range: an ISO 8601 date or time. Default: 29 days before the end.'),
  to: z.string().optional().describe('End of the range, inclusive. Default: now.'),
  granularity: z.enum(['hour', 'day', 'month']).optional().describe('Interval of the time series.'),
  tz: z.string().optional().describe('IANA time zone in which days begin, such as Asia/Jakarta. Default: UTC.'),
};

/** Optional fields of a new link. */
export const linkFields = {
  slug: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe('Short path. If absent, a new link gets a generated one.'),
  title: z.string().max(200).optional().describe('Title.'),
  description: z.string().max(500).optional().describe('Notes.'),
  tags: z.array(z.string().max(50)).max(20).optional().describe('Names of tags. Missing tags are created.'),
  expiresAt: z.string().optional().describe('Time at which the link stops redirecting: ISO 8601, in the future.'),
  maxClicks: z.number().int().min(1).optional().describe('Number of clicks after which the link stops redirecting.'),
};

/** Optional fields of a new QR code. */
export const qrFields = {
  title: z.string().max(200).optional().describe('Title.'),
  tags: z.array(z.string().max(50)).max(20).optional().describe('Names of tags. Missing tags are created.'),
  expiresAt: z.string().optional().describe('Time at which scans stop being redirected: ISO 8601, in the future.'),
  maxScans: z.number().int().min(1).optional().describe('Number of scans after which the code stops redirecting.'),
  styleConfig: z
    .object({
      foreground: color.optional().describe('Color of the modules, such as #1a2b5c.'),
      background: z.string().optional().describe('Background color, or transparent.'),
      size: z.number().int().min(64).max(2_048).optional().describe('Width and height in pixels.'),
      margin: z.number().int().min(0).max(16).optional().describe('Quiet zone in modules.'),
      errorCorrection: z.enum(['L', 'M', 'Q', 'H']).optional().describe('How much damage the code tolerates.'),
      dotStyle: z.enum(['square', 'rounded', 'dots', 'classy']).optional().describe('Shape of the modules.'),
      markerBorder: markerShapes.optional().describe('Shape of the borders of the markers.'),
      markerCenter: markerShapes.optional().describe('Shape of the centers of the markers.'),
      markerColor: color.optional().describe('Color of the markers.'),
    })
    .optional()
    .describe('Style. Absent fields keep their value or use the default.'),
};

/** Makes every field accept null. */
const clearable = <Shape extends Record<string, z.ZodType>>(fields: Shape) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, schema.nullable().describe(schema.description ?? '')]),
  ) as unknown as {
    [Name in keyof Shape]: z.ZodNullable<Shape[Name]>;
  };

const status = statuses.optional().describe('archived stops the redirect, active resumes it.');
const { slug, ...optionalLinkFields } = linkFields;

/** Fields of a link update. null clears an optional field. */
export const linkChange = { url: url.optional(), slug, ...clearable(optionalLinkFields), status };

/** Fields of a QR code update. null clears an optional field. */
export const qrChange = { url: url.optional(), ...clearable(qrFields), status };
