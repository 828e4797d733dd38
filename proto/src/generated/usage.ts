import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { GetUsageRequest as _tautan_usage_v1_GetUsageRequest, GetUsageRequest__Output as _tautan_usage_v1_GetUsageRequest__Output } from './tautan/usage/v1/GetUsageRequest.js';
import type { GetUsageResponse as _tautan_usage_v1_GetUsageResponse, GetUsageResponse__Output as _tautan_usage_v1_GetUsageResponse__Output } from './tautan/usage/v1/GetUsageResponse.js';
import type { UsageClient as _tautan_usage_v1_UsageClient, UsageDefinition as _tautan_usage_v1_UsageDefinition } from './tautan/usage/v1/Usage.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    usage: {
      v1: {
        GetUsageRequest: MessageTypeDefinition<_tautan_usage_v1_GetUsageRequest, _tautan_usage_v1_GetUsageRequest__Output>
        GetUsageResponse: MessageTypeDefinition<_tautan_usage_v1_GetUsageResponse, _tautan_usage_v1_GetUsageResponse__Output>
        Usage: SubtypeConstructor<typeof grpc.Client, _tautan_usage_v1_UsageClient> & { service: _tautan_usage_v1_UsageDefinition }
      }
    }
  }
}

