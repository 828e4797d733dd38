import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CheckUsageRequest as _tautan_operator_v1_CheckUsageRequest, CheckUsageRequest__Output as _tautan_operator_v1_CheckUsageRequest__Output } from './tautan/operator/v1/CheckUsageRequest.js';
import type { CheckUsageResponse as _tautan_operator_v1_CheckUsageResponse, CheckUsageResponse__Output as _tautan_operator_v1_CheckUsageResponse__Output } from './tautan/operator/v1/CheckUsageResponse.js';
import type { ConnectionState as _tautan_operator_v1_ConnectionState, ConnectionState__Output as _tautan_operator_v1_ConnectionState__Output } from './tautan/operator/v1/ConnectionState.js';
import type { DeadLetter as _tautan_operator_v1_DeadLetter, DeadLetter__Output as _tautan_operator_v1_DeadLetter__Output } from './tautan/operator/v1/DeadLetter.js';
import type { DeadLetterOperatorClient as _tautan_operator_v1_DeadLetterOperatorClient, DeadLetterOperatorDefinition as _tautan_operator_v1_DeadLetterOperatorDefinition } from './tautan/operator/v1/DeadLetterOperator.js';
import type { DeadLetterRequest as _tautan_operator_v1_DeadLetterRequest, DeadLetterRequest__Output as _tautan_operator_v1_DeadLetterRequest__Output } from './tautan/operator/v1/DeadLetterRequest.js';
import type { EncryptionOperatorClient as _tautan_operator_v1_EncryptionOperatorClient, EncryptionOperatorDefinition as _tautan_operator_v1_EncryptionOperatorDefinition } from './tautan/operator/v1/EncryptionOperator.js';
import type { GetProcessRequest as _tautan_operator_v1_GetProcessRequest, GetProcessRequest__Output as _tautan_operator_v1_GetProcessRequest__Output } from './tautan/operator/v1/GetProcessRequest.js';
import type { ListDeadLettersRequest as _tautan_operator_v1_ListDeadLettersRequest, ListDeadLettersRequest__Output as _tautan_operator_v1_ListDeadLettersRequest__Output } from './tautan/operator/v1/ListDeadLettersRequest.js';
import type { ListDeadLettersResponse as _tautan_operator_v1_ListDeadLettersResponse, ListDeadLettersResponse__Output as _tautan_operator_v1_ListDeadLettersResponse__Output } from './tautan/operator/v1/ListDeadLettersResponse.js';
import type { ListProcessesRequest as _tautan_operator_v1_ListProcessesRequest, ListProcessesRequest__Output as _tautan_operator_v1_ListProcessesRequest__Output } from './tautan/operator/v1/ListProcessesRequest.js';
import type { ListProcessesResponse as _tautan_operator_v1_ListProcessesResponse, ListProcessesResponse__Output as _tautan_operator_v1_ListProcessesResponse__Output } from './tautan/operator/v1/ListProcessesResponse.js';
import type { Process as _tautan_operator_v1_Process, Process__Output as _tautan_operator_v1_Process__Output } from './tautan/operator/v1/Process.js';
import type { ProcessOperatorClient as _tautan_operator_v1_ProcessOperatorClient, ProcessOperatorDefinition as _tautan_operator_v1_ProcessOperatorDefinition } from './tautan/operator/v1/ProcessOperator.js';
import type { RenewEncryptionRequest as _tautan_operator_v1_RenewEncryptionRequest, RenewEncryptionRequest__Output as _tautan_operator_v1_RenewEncryptionRequest__Output } from './tautan/operator/v1/RenewEncryptionRequest.js';
import type { RenewEncryptionResponse as _tautan_operator_v1_RenewEncryptionResponse, RenewEncryptionResponse__Output as _tautan_operator_v1_RenewEncryptionResponse__Output } from './tautan/operator/v1/RenewEncryptionResponse.js';
import type { ShardCollectionsRequest as _tautan_operator_v1_ShardCollectionsRequest, ShardCollectionsRequest__Output as _tautan_operator_v1_ShardCollectionsRequest__Output } from './tautan/operator/v1/ShardCollectionsRequest.js';
import type { ShardCollectionsResponse as _tautan_operator_v1_ShardCollectionsResponse, ShardCollectionsResponse__Output as _tautan_operator_v1_ShardCollectionsResponse__Output } from './tautan/operator/v1/ShardCollectionsResponse.js';
import type { ShardedCollection as _tautan_operator_v1_ShardedCollection, ShardedCollection__Output as _tautan_operator_v1_ShardedCollection__Output } from './tautan/operator/v1/ShardedCollection.js';
import type { ShardingOperatorClient as _tautan_operator_v1_ShardingOperatorClient, ShardingOperatorDefinition as _tautan_operator_v1_ShardingOperatorDefinition } from './tautan/operator/v1/ShardingOperator.js';
import type { UsageDrift as _tautan_operator_v1_UsageDrift, UsageDrift__Output as _tautan_operator_v1_UsageDrift__Output } from './tautan/operator/v1/UsageDrift.js';
import type { UsageOperatorClient as _tautan_operator_v1_UsageOperatorClient, UsageOperatorDefinition as _tautan_operator_v1_UsageOperatorDefinition } from './tautan/operator/v1/UsageOperator.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    operator: {
      v1: {
        CheckUsageRequest: MessageTypeDefinition<_tautan_operator_v1_CheckUsageRequest, _tautan_operator_v1_CheckUsageRequest__Output>
        CheckUsageResponse: MessageTypeDefinition<_tautan_operator_v1_CheckUsageResponse, _tautan_operator_v1_CheckUsageResponse__Output>
        ConnectionState: MessageTypeDefinition<_tautan_operator_v1_ConnectionState, _tautan_operator_v1_ConnectionState__Output>
        DeadLetter: MessageTypeDefinition<_tautan_operator_v1_DeadLetter, _tautan_operator_v1_DeadLetter__Output>
        DeadLetterOperator: SubtypeConstructor<typeof grpc.Client, _tautan_operator_v1_DeadLetterOperatorClient> & { service: _tautan_operator_v1_DeadLetterOperatorDefinition }
        DeadLetterRequest: MessageTypeDefinition<_tautan_operator_v1_DeadLetterRequest, _tautan_operator_v1_DeadLetterRequest__Output>
        EncryptionOperator: SubtypeConstructor<typeof grpc.Client, _tautan_operator_v1_EncryptionOperatorClient> & { service: _tautan_operator_v1_EncryptionOperatorDefinition }
        GetProcessRequest: MessageTypeDefinition<_tautan_operator_v1_GetProcessRequest, _tautan_operator_v1_GetProcessRequest__Output>
        ListDeadLettersRequest: MessageTypeDefinition<_tautan_operator_v1_ListDeadLettersRequest, _tautan_operator_v1_ListDeadLettersRequest__Output>
        ListDeadLettersResponse: MessageTypeDefinition<_tautan_operator_v1_ListDeadLettersResponse, _tautan_operator_v1_ListDeadLettersResponse__Output>
        ListProcessesRequest: MessageTypeDefinition<_tautan_operator_v1_ListProcessesRequest, _tautan_operator_v1_ListProcessesRequest__Output>
        ListProcessesResponse: MessageTypeDefinition<_tautan_operator_v1_ListProcessesResponse, _tautan_operator_v1_ListProcessesResponse__Output>
        Process: MessageTypeDefinition<_tautan_operator_v1_Process, _tautan_operator_v1_Process__Output>
        ProcessOperator: SubtypeConstructor<typeof grpc.Client, _tautan_operator_v1_ProcessOperatorClient> & { service: _tautan_operator_v1_ProcessOperatorDefinition }
        RenewEncryptionRequest: MessageTypeDefinition<_tautan_operator_v1_RenewEncryptionRequest, _tautan_operator_v1_RenewEncryptionRequest__Output>
        RenewEncryptionResponse: MessageTypeDefinition<_tautan_operator_v1_RenewEncryptionResponse, _tautan_operator_v1_RenewEncryptionResponse__Output>
        ShardCollectionsRequest: MessageTypeDefinition<_tautan_operator_v1_ShardCollectionsRequest, _tautan_operator_v1_ShardCollectionsRequest__Output>
        ShardCollectionsResponse: MessageTypeDefinition<_tautan_operator_v1_ShardCollectionsResponse, _tautan_operator_v1_ShardCollectionsResponse__Output>
        ShardedCollection: MessageTypeDefinition<_tautan_operator_v1_ShardedCollection, _tautan_operator_v1_ShardedCollection__Output>
        ShardingOperator: SubtypeConstructor<typeof grpc.Client, _tautan_operator_v1_ShardingOperatorClient> & { service: _tautan_operator_v1_ShardingOperatorDefinition }
        UsageDrift: MessageTypeDefinition<_tautan_operator_v1_UsageDrift, _tautan_operator_v1_UsageDrift__Output>
        UsageOperator: SubtypeConstructor<typeof grpc.Client, _tautan_operator_v1_UsageOperatorClient> & { service: _tautan_operator_v1_UsageOperatorDefinition }
      }
    }
  }
}

