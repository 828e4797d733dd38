import { addHeaders, statusHeader } from '../protocol/headers.js';
import type { Message, Router, Subscriber } from '../routing/router.js';
import { SubjectFilter } from '../routing/subject.js';
import type { Slot } from '../store/slot.js';
import { findMessage } from './api-messages.js';
import { JetStreamError } from './errors.js';
import { parseFields } from './fields.js';
import { directFields } from './stream-views.js';
import type { Stream } from './stream.js';

const empty = Buffer.alloc(0);

/** Returns the subscribers for `$JS.API.DIRECT.GET.<stream>[.<subject>]`: none for a stream without `allow_direct`. */
export function directGet(stream: Stream, router: Router): Subscriber[] {
  if (!stream.config.allow_direct) return [];
  const subject = `$JS.API.DIRECT.GET.${stream.config.name}`;
  return [
    { subject, deliver: (message) => answer(stream, router, message, () => requested(stream, message)) },
    {
      subject: `${subject}.>`,
      deliver: (message) =>
        answer(stream, router, message, () =>
          stream.store.last(new SubjectFilter([message.subject.slice(subject.length + 1)])),
        ),
    },
  ];
}

/**
 * Sends the message that `find` returns, with its stream, subject, sequence and time in the headers. Sends a status if
 * there is no message or an error occurs.
 */
function answer(stream: Stream, router: Router, { reply }: Message, find: () => Slot | undefined): void {
  if (reply === undefined) return;
  const send = (header: Buffer, payload: Buffer = empty): boolean =>
    router.publish({ subject: reply, header, payload });
  try {
    const slot = find();
    if (!slot) return void send(statusHeader('404 Message Not Found'));
    const message = stream.store.read(slot);
    send(addHeaders(message.header, directFields(stream.config.name, message)), message.payload);
  } catch (error) {
    send(statusHeader(error instanceof JetStreamError ? `408 ${statusOf(error)}` : '500 Store Failed'));
  }
}

function requested(stream: Stream, { payload }: Message): Slot | undefined {
  const fields = parseFields(payload);
  // Batch gets are not supported.
  if (fields['batch'] || fields['multi_last']) throw new JetStreamError('badRequest');
  return findMessage(stream, fields);
}

const statusOf = ({ kind }: JetStreamError): string => (kind === 'invalidJson' ? 'Malformed Request' : 'Bad Request');
