import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { mongo } from 'mongoose';

test('mongoose uses the copy of the driver that driver-patches.ts patches', () => {
  expect(mongo.MongoClient).toBe(MongoClient);
});
