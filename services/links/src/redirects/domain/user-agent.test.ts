import { expect, test } from '@jest/globals';
import { isPrefetch, classifyUserAgent } from './user-agent.js';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

test.each([
  ['a desktop browser', false, chrome],
  [
    'a phone',
    false,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
  ],
  ['a search engine', true, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['a link preview', true, 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  ['a chat’s preview', true, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  ['a command-line client', true, 'curl/8.5.0'],
  ['a client without a user agent', true, ''],
  ['an Office preview', true, 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
  [
    'an Outlook preview',
    true,
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/7.0; Microsoft Outlook 16.0.4266; ms-office; MSOffice 16)',
  ],
  ['a link check by Office', true, 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5134; Pro)'],
  ['Outlook for phones', true, 'Outlook-iOS/709.2189947.prod.iphone (3.24.0)'],
  ['a Thunderbird preview', true, 'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.3.1'],
  ['an iMessage preview', true, 'com.apple.WebKit.Networking/8614 CFNetwork/1410 Darwin/22.6.0'],
  ['the browser of the Teams app', false, `${chrome} Teams/24.1`],
  ['the browser of an Office app', false, `${chrome} Microsoft Office/16.0`],
])('%s is a bot: %s', (_, bot, userAgent) => {
  expect(classifyUserAgent(userAgent)).toEqual({ text: userAgent, bot });
});

test('a user agent is truncated to 512 characters and interned', () => {
  const long = chrome + 'x'.repeat(2_000);
  expect(classifyUserAgent(long).text).toBe(long.slice(0, 512));
  expect(classifyUserAgent(`${long}y`)).toBe(classifyUserAgent(long));
});

test('recent user agents are interned, and old ones forgotten', () => {
  const classifyOthers = () => {
    for (let i = 0; i < 4_000; i += 1) classifyUserAgent(`${chrome} ${i}`);
  };
  const first = classifyUserAgent('first');
  for (let i = 0; i < 3; i += 1) {
    classifyOthers();
    expect(classifyUserAgent('first')).toBe(first);
  }
  for (let i = 0; i < 9_000; i += 1) classifyUserAgent(`${chrome} other ${i}`);
  expect(classifyUserAgent('first')).not.toBe(first);
});

test.each(['prefetch', 'Prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip', 'prerender', 'preview'])(
  '%s is a prefetch',
  (value) => expect(isPrefetch(value)).toBe(true),
);
test.each(['', 'navigate', 'prefetching'])('"%s" is not a prefetch', (value) => expect(isPrefetch(value)).toBe(false));
