export { Bus, type BusOptions, type PublishOptions } from './connection.js';
export { consume, type ConsumeOptions } from './consume.js';
