import { fingerprint, isFresh, markFresh } from './freshness.js';
import { siteFolder } from './root.js';

// Builds the site if its sources have changed.
const print = fingerprint();
if (!isFresh(siteFolder, print)) {
  const { buildSite } = await import('./build.js');
  buildSite(siteFolder);
  markFresh(siteFolder, print);
}
