import { createContextKey } from '@opentelemetry/api';

/**
 * How to sample a span that does not follow its parent's decision. `own`: by the configured sampler, like a new trace, because
 * the caller's sampled flag is not trusted. `always`: always, because the decision was made earlier.
 */
export type Sampling = 'own' | 'always';

/** Context key of the sampling of a new span. */
export const samplingKey = createContextKey('tautan sampling');
