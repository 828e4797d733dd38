import type { CommandGroup } from '../../command.js';
import { deliveries, listEventTypes, testEndpoint } from './deliveries.js';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  pauseEndpoint,
  resumeEndpoint,
  rotateSecret,
  updateEndpoint,
} from './endpoints.js';

export const webhooks: CommandGroup = {
  name: 'webhooks',
  summary: 'Manage webhook endpoints and inspect deliveries',
  commands: [
    listEndpoints,
    createEndpoint,
    updateEndpoint,
    pauseEndpoint,
    resumeEndpoint,
    deleteEndpoint,
    rotateSecret,
    testEndpoint,
    deliveries,
    listEventTypes,
  ],
};
