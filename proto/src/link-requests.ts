import type { CreateLinkRequest__Output } from './generated/tautan/links/v1/CreateLinkRequest.js';
import type { UpdateLinkRequest__Output } from './generated/tautan/links/v1/UpdateLinkRequest.js';

/** The fields of a message, without the field `_<name>` that the generator adds for each optional field. */
type FieldsOf<M> = { [F in keyof M as F extends `_${string}` ? never : F]: M[F] };

/** The fields that a request to create a link sets. */
export type NewLinkFields = Omit<FieldsOf<CreateLinkRequest__Output>, 'operationId'>;

/** The fields that a request to update a link sets. */
export type LinkChangeFields = Omit<FieldsOf<UpdateLinkRequest__Output>, 'id' | 'domain' | 'clear'>;
