import { createContextKey } from '@opentelemetry/api';

/**
 * Sampling of a span that does not follow its parent. `own`: by the configured sampler, like a new trace, because the caller's
 * flag is not trusted. `always`: sampled, because that was decided earlier.
 */
export type Sampling = 'own' | 'always';

/** Context key of the sampling of a new span. */
export const samplingKey = createContextKey('tautan sampling');
