import { eventCatalogue, exampleWebhookBody, type EventDefinition } from '@tautan/proto';

/** Returns the page of the event catalogue: every type that webhooks can subscribe to, with what causes it and an example. */
export function eventsPage(): string {
  const types = Object.entries<EventDefinition>(eventCatalogue).filter(([, { webhook }]) => webhook !== undefined);
  const sections = types.map(
    ([type, { description, trigger, webhook }]) =>
      `## \`${type}\`\n\n${description}\n\nCause: ${trigger}.\n\n\`\`\`json\n${JSON.stringify(exampleWebhookBody(type, webhook), null, 2)}\n\`\`\`\n`,
  );
  return `# Events

Every event that a [webhook endpoint](guides/webhooks.md) can subscribe to. The body of a delivery is \`{id, type, createdAt, workspaceId,
data}\`; \`data\` is the resource as the API shows it, and events of updates also have \`changes\`, with \`before\` and \`after\` of each
changed field. Deliveries can repeat and can arrive out of order: remember \`webhook-id\`. The same catalogue for tools:
[AsyncAPI 3](asyncapi.json).

${sections.join('\n')}`;
}
