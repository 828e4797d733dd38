import { expect, test } from '@jest/globals';
import { destinationOf } from './route.js';

test.each([
  ['/api/v1/links', 'api'],
  ['/api', 'api'],
  ['/api?x=1', 'api'],
  ['/api/', 'api'],
  ['http://elsewhere.example/api/v1/links?q=/docs', 'api'],
  ['/q/token', 'pages'],
  ['/docs', 'pages'],
  ['/app/billing/return?session=cs_1', 'pages'],
  ['/apps', 'redirect'],
  ['/docs/assets/site.css', 'pages'],
  ['/', 'redirect'],
  ['', 'redirect'],
  ['*', 'redirect'],
  ['/apix', 'redirect'],
  ['/API/v1', 'redirect'],
  ['/%61pi/v1', 'redirect'],
  ['/hello?next=/api/v1', 'redirect'],
  ['//api/v1', 'redirect'],
  ['/../api', 'redirect'],
  ['http://localhost', 'redirect'],
  ['http://localhost?/api', 'redirect'],
])('%j goes to %s', (target, destination) => {
  expect(destinationOf(target)).toBe(destination);
});
