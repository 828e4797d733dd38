import { createLog } from '@tautan/kit';
import { fastCost, startIdentity } from '@tautan/local-identity';

/**
 * Runs an identity provider as a separate process, so that a test can stop, suspend or kill it. The first argument
 * contains its options as JSON.
 */
const identity = await startIdentity({
  ...(JSON.parse(process.argv[2]!) as Omit<Parameters<typeof startIdentity>[0], 'log'>),
  passwordCost: fastCost,
  log: createLog('identity', 'silent'),
});
process.on('SIGTERM', () => void identity.stop().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(0));
process.send?.({ url: identity.url });
