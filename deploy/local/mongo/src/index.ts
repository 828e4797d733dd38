export { startMongo, type Mongo, type MongoOptions } from './server.js';
