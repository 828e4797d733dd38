import { expect, test } from '@jest/globals';
import { isPrefetch, classifyUserAgent } from './user-agent.js';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

test.each([
  ['a desktop browser', chrome, false],
  [
    'a phone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
    false,
  ],
  ['a search engine', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['a link preview', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', true],
  ['a chat’s preview', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true],
  ['a command-line client', 'curl/8.5.0', true],
  ['no user agent', '', true],
  ['an Office preview', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)', true],
  [
    'an Outlook preview',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/7.0; Microsoft Outlook 16.0.4266; ms-office; MSOffice 16)',
    true,
  ],
  ['a check by Office', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5134; Pro)', true],
  ['Outlook for phones', 'Outlook-iOS/709.2189947.prod.iphone (3.24.0)', true],
  ['a Thunderbird preview', 'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.3.1', true],
  ['an iMessage preview', 'com.apple.WebKit.Networking/8614 CFNetwork/1410 Darwin/22.6.0', true],
  ['the browser of the Teams app', `${chrome} Teams/24.1`, false],
  ['the browser of an Office app', `${chrome} Microsoft Office/16.0`, false],
])('%s is classified', (_, userAgent, bot) => {
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
