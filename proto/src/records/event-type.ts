import { z } from 'zod';
import { exampleId, text } from './fields.js';

export const eventTypeRecord = z
  .object({
    type: text('Name of the type.', 'link.created'),
    description: text('What the event reports.', 'A link was created.'),
    trigger: text('What causes the event.', 'POST /links, or a row of an import'),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Example of a webhook body.', examples: [{ id: exampleId('evt'), type: 'link.created' }] }),
  })
  .meta({ id: 'EventType', description: 'A type of event that webhook endpoints can subscribe to.' });
export type EventTypeRecord = z.infer<typeof eventTypeRecord>;
