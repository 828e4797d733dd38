import { deliverableEvents } from '@tautan/proto';

/** Returns the event catalog: every type that webhooks can subscribe to, with its trigger and an example. */
export function eventsPage(): string {
  const sections = deliverableEvents.map(
    ({ type, description, trigger, example }) =>
      `## \`${type}\`\n\n${description}\n\nCause: ${trigger}.\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`,
  );
  return `# Events

Every event that a [webhook endpoint](guides/webhooks.md) can subscribe to. The body of a delivery is \`{id, type, createdAt, workspaceId,
data}\`. \`data\` is the resource as returned by the API; clicks, scans and usage thresholds have the fields of their examples. Events that report changed fields also have \`changes\`, with \`before\` and
\`after\` of each changed field. Deliveries can repeat and can arrive out of order: ignore a \`webhook-id\` that you have processed.

The catalog is also available as [AsyncAPI 3](/docs/asyncapi.json), for code generators and other tools.

${sections.join('\n')}`;
}
