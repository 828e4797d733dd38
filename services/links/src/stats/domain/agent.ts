import { BROWSER_MAP, OS_MAP, parse } from 'bowser';
import { LRUCache } from 'lru-cache';

/** Device, browser and operating system of a user agent, with few distinct values. */
export interface Agent {
  device: 'desktop' | 'mobile' | 'tablet' | 'other';
  browser: string;
  os: string;
}

const OTHER = 'other';
const MAX_KNOWN = 4_000;
const known = new LRUCache<string, Agent>({ max: MAX_KNOWN });
const browsers = new Set<string>(Object.values(BROWSER_MAP));
const systems = new Set<string>(Object.values(OS_MAP));
const devices = new Set<string>(['desktop', 'mobile', 'tablet']);

/**
 * Parses a User-Agent header. Browsers and systems unknown to bowser are `other`, and so are all devices except
 * desktop, mobile and tablet.
 */
export function agentOf(userAgent: string): Agent {
  const found = known.get(userAgent);
  if (found) return found;
  const agent = read(userAgent);
  known.set(userAgent, agent);
  return agent;
}

function read(userAgent: string): Agent {
  // bowser rejects an empty string.
  if (userAgent === '') return { device: OTHER, browser: OTHER, os: OTHER };
  const { platform, browser, os } = parse(userAgent);
  return {
    device: devices.has(platform.type ?? '') ? (platform.type as Agent['device']) : OTHER,
    browser: browsers.has(browser.name ?? '') ? browser.name! : OTHER,
    os: systems.has(os.name ?? '') ? os.name! : OTHER,
  };
}
