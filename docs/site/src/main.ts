import { fingerprint, isFresh, markFresh } from './freshness.js';
import { siteFolder } from './root.js';

// Builds the site, unless it has been built from the same files.
const print = fingerprint();
if (!isFresh(siteFolder, print)) {
  const { buildSite } = await import('./build.js');
  buildSite(siteFolder);
  markFresh(siteFolder, print);
}
