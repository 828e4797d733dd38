export { start } from './main.js';
export { linksSettings, readLinksConfig, type LinksConfig } from './config.js';
