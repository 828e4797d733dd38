import { z } from 'zod';
import { choice, identifier, text } from './fields.js';

/** Who can create resources. */
export const creatorTypes = ['user', 'api_key'] as const;
/** Who can change resources: `system` is an operator, or Tautan itself, for example when a link expires. */
export const actorTypes = [...creatorTypes, 'system'] as const;
export type ActorType = (typeof actorTypes)[number];

/** The user or API key that created a resource. */
export const creatorField = (example: (typeof creatorTypes)[number], prefix: 'usr' | 'key') =>
  z
    .object({
      type: choice(creatorTypes, 'Type of the creator.', example),
      id: identifier(prefix, 'Id of the user or API key.'),
    })
    .meta({ description: 'The user or API key that created it.' });

/** Who caused a change. */
export const actorRecord = z
  .object({
    type: choice(actorTypes, 'Type of the actor.'),
    id: identifier('usr', 'Id of the user or API key; null for the system.').nullable(),
    name: text(
      'Name of the user, or label of the API key, at the time of the change; otherwise `system` or `operator`.',
      'Mira',
    ),
  })
  .meta({ id: 'Actor', description: 'Who caused the change.' });

/** The resource that was changed. */
export const targetRecord = z
  .object({
    type: text('Type of the resource.', 'link'),
    id: identifier('lnk', 'Id of the resource.'),
    label: text('Name of the resource at the time of the change.', 'spring-sale'),
  })
  .meta({ id: 'Target', description: 'The resource that was changed.' });

/** The values of changed fields before and after a change. */
export const changesRecord = z
  .record(
    z.string(),
    z.object({
      before: z.unknown().meta({ description: 'Value before the change.', examples: ['Sale'] }),
      after: z.unknown().meta({ description: 'Value after the change.', examples: ['Spring sale'] }),
    }),
  )
  .meta({
    id: 'Changes',
    description: 'Values of each changed field before and after the change, as the API returns them.',
    examples: [{ title: { before: 'Sale', after: 'Spring sale' } }],
  });
export type Changes = z.infer<typeof changesRecord>;
