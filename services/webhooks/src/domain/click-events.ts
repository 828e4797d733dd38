import { derivedId } from '@tautan/kit';
import type { ClickBatch } from '@tautan/proto';
import type { ClickType, WebhookEvent } from './event-types.js';

/** Returns the ids of the workspaces that the clicks of a batch belong to, each once. */
export const workspacesOf = ({ texts, clicks }: ClickBatch): string[] => [
  ...new Set(clicks.map(([, , , workspace]) => texts[workspace]!)),
];

/**
 * Returns the events for the human clicks of a batch: `link.clicked` for a click on a link, `qr_code.scanned` for a
 * scan of a standalone QR code, and both for a scan of a link's QR code. Omits events for which `wanted` returns false.
 * Event ids are derived from the batch, so that a redelivered batch produces the same events.
 */
export function clickEvents(
  { id: batchId, base, texts, clicks }: ClickBatch,
  wanted: (workspaceId: string, type: ClickType) => boolean,
): WebhookEvent[] {
  return clicks.flatMap(([offset, link, qr, workspace, visitorKind, agent, referrer, country, city, , source], i) => {
    if (visitorKind !== 'h') return [];
    const workspaceId = texts[workspace]!;
    const atMs = base + offset;
    const at = new Date(atMs).toISOString();
    const [linkId, qrCodeId] = [link === -1 ? null : texts[link]!, qr === -1 ? null : texts[qr]!];
    const data = {
      linkId,
      qrCodeId,
      source: source === 'q' ? 'qr' : 'link',
      clickedAt: at,
      country: texts[country] || null,
      city: texts[city] || null,
      referrer: texts[referrer] || null,
      userAgent: texts[agent]!,
    };
    const types: ClickType[] = [
      ...(linkId ? ['link.clicked' as const] : []),
      ...(qrCodeId ? ['qr_code.scanned' as const] : []),
    ];
    return types
      .filter((type) => wanted(workspaceId, type))
      .map((type) => ({ id: derivedId('evt', atMs, batchId, `${i}`, type), type, at, workspaceId, data }));
  });
}
