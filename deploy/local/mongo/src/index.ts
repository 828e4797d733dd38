export type { CommandShape } from './command-shapes.js';
export { startMongo, type Mongo, type MongoOptions } from './server.js';
