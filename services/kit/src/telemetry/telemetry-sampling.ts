import { createContextKey } from '@opentelemetry/api';

/**
 * How a span is sampled that does not follow its parent: `own` by the configured sampler, as a new trace is, because the
 * flag of the caller is not trusted; `always` because it was decided before.
 */
export type Sampling = 'own' | 'always';

/** Where the context of a new span says so. */
export const samplingKey = createContextKey('tautan sampling');
