import { createServer } from 'node:http';
import { closeHttp, listen } from '../network/listen.js';

/** A span as a collector receives it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | undefined;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  /** Whether its status is an error. */
  failed: boolean;
  /** `service.name` of the process. */
  service: string;
}

export interface TraceCollector {
  url: string;
  /** Settings that make a process export its traces to this collector every 100 ms. */
  env: Record<string, string>;
  /** The spans received so far. */
  spans: CollectedSpan[];
  stop(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}
interface Exported {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        attributes?: Attribute[];
        links?: { traceId: string; spanId: string }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

const kinds = [undefined, 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2;

/** Starts a collector for OTLP over HTTP with JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as Exported));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  return { url, env, spans, stop: () => closeHttp(server, 100) };
}

const spansOf = ({ resourceSpans }: Exported): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes = [], links = [], status }) => ({
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        name,
        kind: kinds[kind],
        attributes: valuesOf(attributes),
        links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        failed: status?.code === ERROR,
        service: String(valuesOf(resource.attributes)['service.name']),
      })),
    ),
  );

const valuesOf = (attributes: Attribute[]): CollectedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue, doubleValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (boolValue ?? doubleValue ?? '') : Number(intValue)),
    ]),
  );

/** Returns the received ancestors of a span, the farthest first, and then the span itself. */
export function spansTo(span: CollectedSpan, spans: readonly CollectedSpan[]): CollectedSpan[] {
  const parent = spans.find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId);
  return parent ? [...spansTo(parent, spans), span] : [span];
}
