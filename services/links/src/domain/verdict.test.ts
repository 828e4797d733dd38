import { expect, test } from '@jest/globals';
import { isPrefetch, judgeUserAgent } from './verdict.js';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

test.each([
  ['a desktop browser', chrome, false],
  ['a phone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1', false], // prettier-ignore
  ['a search engine', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['a link preview', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', true],
  ['a chat’s preview', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true],
  ['a command-line client', 'curl/8.5.0', true],
  ['nobody at all', '', true],
])('%s is told apart from people', (_, userAgent, bot) => {
  expect(judgeUserAgent(userAgent)).toEqual({ text: userAgent, bot });
});

test('a user agent is kept to 512 characters, and is the same string each time', () => {
  const long = chrome + 'x'.repeat(2_000);
  expect(judgeUserAgent(long).text).toBe(long.slice(0, 512));
  expect(judgeUserAgent(`${long}y`)).toBe(judgeUserAgent(long));
});

test.each(['prefetch', 'Prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip', 'prerender', 'preview'])('%s is a load ahead of a visit', (value) => expect(isPrefetch(value)).toBe(true)); // prettier-ignore
test.each(['', 'navigate', 'prefetching'])('"%s" is a visit', (value) => expect(isPrefetch(value)).toBe(false));
