import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { mongo } from 'mongoose';

test('mongoose uses the driver that is patched', () => {
  expect(mongo.MongoClient).toBe(MongoClient);
});
