import { fingerprint, isFresh, markFresh } from './freshness.js';
import { siteFolder } from './root.js';

// Builds the site if its sources have changed.
const digest = fingerprint();
if (!isFresh(siteFolder, digest)) {
  const { buildSite } = await import('./build.js');
  buildSite(siteFolder);
  markFresh(siteFolder, digest);
}
