export { Bus, type BusOptions, type PublishOptions } from './connection.js';
export { migrateStreams } from './streams.js';
export { connectionOptions, type ConnectionOptions } from './connection-options.js';
export { consume, type ConsumeOptions } from './consume.js';
export { meterConsumers } from './consumer-meter.js';
export { consumeEvents, type ConsumeEventsOptions } from './consume-events.js';
