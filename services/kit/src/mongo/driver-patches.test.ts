import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { mongo } from 'mongoose';

test('mongoose uses the same copy of the driver as driver-patches.ts, which patches it', () => {
  expect(mongo.MongoClient).toBe(MongoClient);
});
